/* The effects on the tape as actions: see actions.h. */
#include <assert.h>

#include "base/vec.h"
#include "actions/actions_work.h"

static uint8_t kind_of(uint8_t effect)
{
	static const uint8_t kinds[] = {
		[HENCE_WROTE] = ACTION_WROTE,   [HENCE_INPUT] = ACTION_INPUT,
		[HENCE_OUTPUT] = ACTION_OUTPUT, [HENCE_ALLOCATED] = ACTION_ALLOCATED,
		[HENCE_FREED] = ACTION_FREED,   [HENCE_OPENED] = ACTION_OPENED,
		[HENCE_CLOSED] = ACTION_CLOSED, [HENCE_TEXT] = ACTION_TEXT,
		[HENCE_SEEN] = ACTION_SEEN,
	};

	assert(effect && effect < sizeof(kinds)); /* effects_begin() has seen it */
	return kinds[effect];
}

static struct action *push_effect(struct action_list *list, const struct effect *effect)
{
	const struct hence_effect *head = &effect->head;
	struct action *action = vec_push(list);
	bool source = head->kind == HENCE_OUTPUT || head->kind == HENCE_TEXT;

	action->kind = kind_of(head->kind);
	action->argument = head->argument;
	action->stream = head->stream;
	action->offset = head->offset;
	action->size = head->size;
	action->bytes = effect->bytes;
	if (source)
		action->from = head->address;
	else
		action->to = head->address;
	return action;
}

/* Do bytes of input come into memory as they are? Not what scanf() makes of them, nor wide ones. */
static bool takes_bytes(const struct actions_call *call)
{
	const struct outside_clause *rows;
	bool found = false;

	if (!call->model)
		return false;
	rows = outside_table_clauses(call->table, call->model);
	for (uint32_t i = 0; i < call->model->active; i++) {
		if (rows[i].kind == OUTSIDE_SCANS)
			return false;
		if (rows[i].kind == OUTSIDE_CONSUMES && rows[i].region == OUTSIDE_WSTRING)
			return false;
		found |= rows[i].kind == OUTSIDE_CONSUMES;
	}
	return found;
}

static bool is_from_memory(const struct hence_effect *head)
{
	return head->kind == HENCE_INPUT && head->stream == -1;
}

/* The action just pushed was written from the input before it. */
static void link_input(struct work *work, const struct hence_effect *input)
{
	struct action_list *list = &work->out->effects;
	struct action *wrote = &list->at[list->size - 1], *from;

	wrote->precise = true;
	if (is_from_memory(input)) {
		work_read(work, input->argument, input->offset, input->size, list->size);
		return;
	}
	from = wrote - 1;
	/* A string has a 0 more than the input. */
	from->exact = wrote->size - from->size <= 1 && takes_bytes(work->after.call);
}

static bool is_written_from(const struct hence_effect *head, const struct hence_effect *before)
{
	return head->kind == HENCE_WROTE && before->kind == HENCE_INPUT && head->address &&
	       head->address == before->address;
}

/* An input from memory that no write follows. */
static void settle(struct work *work, const struct hence_effect *before)
{
	if (is_from_memory(before))
		work_read(work, before->argument, before->offset, before->size, ACTIONS_ALL);
}

void work_effects(struct work *work, struct effects effects)
{
	struct hence_effect before = {0};
	struct effect effect;

	while (effects_next(&effects, &effect)) {
		bool linked = is_written_from(&effect.head, &before);

		if (!linked)
			settle(work, &before);
		if (effect.head.kind == HENCE_TEXT)
			push_effect(&work->out->reads, &effect);
		else if (!is_from_memory(&effect.head))
			push_effect(&work->out->effects, &effect);
		if (linked)
			link_input(work, &before);
		before = effect.head;
	}
	settle(work, &before);
}
