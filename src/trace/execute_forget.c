/*
 * Long runs: instances have 31 bits. Numbers of instances that are not kept are used again: all of
 * them before anything is kept, those behind `kept_end` afterwards.
 */
#include "trace/executor.h"

/* Before anything is kept, `kept_end` is the first number of all. */
static void forget(const struct execution *e, uint32_t *instance)
{
	if (*instance >= e->kept_end)
		*instance = SOURCE_EARLIER;
}

static void forget_memory(struct execution *e)
{
	map_each(&e->memory.pages, i)
	{
		struct memory_page *page = e->memory.pages.at[i].value;

		for (uint32_t k = 0; k < MEMORY_PAGE; k++)
			forget(e, &page->source[k]);
	}
}

static void forget_stack(struct execution *e)
{
	for (uint32_t i = 0; i < e->slots.size; i++)
		forget(e, &e->slots.at[i].made);
	for (uint32_t i = 0; i < e->arguments.size; i++)
		forget(e, &e->arguments.at[i].made);
	for (uint32_t i = 0; i < e->stack.size; i++) {
		forget(e, &e->stack.at[i].call);
		forget(e, &e->stack.at[i].parent);
	}
	for (uint32_t i = 0; i < e->branches.size; i++)
		forget(e, &e->branches.at[i].instance);
	for (uint32_t i = 0; i < e->open.size; i++)
		forget(e, &e->open.at[i].instance);
}

static void forget_lists(struct execution *e)
{
	for (uint32_t i = 0; i < e->frames.size; i++) {
		forget(e, &e->frames.at[i].call);
		forget(e, &e->frames.at[i].first);
		forget(e, &e->frames.at[i].end);
	}
	for (uint32_t i = 0; i < e->objects.all.size; i++) {
		forget(e, &e->objects.all.at[i].birth);
		forget(e, &e->objects.all.at[i].death);
	}
	for (uint32_t i = 0; i < e->mismatches.size; i++)
		forget(e, &e->mismatches.at[i].instance);
	for (uint32_t i = 0; i < e->errors.size; i++)
		forget(e, &e->errors.at[i].instance);
}

/* A handler that has not ended goes on: what it writes is new from here on. */
static void forget_handler(struct execution *e)
{
	if (e->handler_end != UINT32_MAX)
		e->handler_end = 0;
	e->handler_first = e->kept_end;
}

void executor_forget(struct execution *e)
{
	forget_memory(e);
	forget_stack(e);
	forget_lists(e);
	forget_handler(e);
	if (!e->segments.size) /* else their numbers are those of nothing that is kept */
		outputs_forget(e->outputs);
	forget(e, &e->last_outside_instance);
	forget(e, &e->last_unmodelled_instance);
	e->forgotten += e->next - e->kept_end;
	e->next = e->kept_end;
}
