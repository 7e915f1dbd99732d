/* Long runs: instances have 31 bits. While nothing is kept yet, the numbers can begin anew. */
#include "trace/executor.h"

static void forget(uint32_t *instance)
{
	if (*instance >= EXECUTION_FIRST)
		*instance = SOURCE_EARLIER;
}

static void forget_memory(struct memory *m)
{
	map_each(&m->pages, i)
	{
		struct memory_page *page = m->pages.at[i].value;

		for (uint32_t k = 0; k < MEMORY_PAGE; k++)
			forget(&page->source[k]);
	}
}

void executor_forget(struct execution *e)
{
	forget_memory(&e->memory);
	for (uint32_t i = 0; i < e->slots.size; i++)
		forget(&e->slots.at[i].made);
	for (uint32_t i = 0; i < e->arguments.size; i++)
		forget(&e->arguments.at[i].made);
	for (uint32_t i = 0; i < e->stack.size; i++) {
		forget(&e->stack.at[i].call);
		forget(&e->stack.at[i].parent);
	}
	for (uint32_t i = 0; i < e->branches.size; i++)
		forget(&e->branches.at[i].instance);
	for (uint32_t i = 0; i < e->open.size; i++)
		forget(&e->open.at[i].instance);
	for (uint32_t i = 0; i < e->frames.size; i++) {
		forget(&e->frames.at[i].call);
		forget(&e->frames.at[i].first);
		forget(&e->frames.at[i].end);
	}
	for (uint32_t i = 0; i < e->objects.all.size; i++) {
		forget(&e->objects.all.at[i].birth);
		forget(&e->objects.all.at[i].death);
	}
	outputs_forget(e->outputs);
	forget(&e->last_outside_instance);
	forget(&e->last_unmodelled_instance);
	e->forgotten += e->next - EXECUTION_FIRST;
	e->next = EXECUTION_FIRST;
}
