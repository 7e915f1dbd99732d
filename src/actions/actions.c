/* What an outside call did: see actions.h. */
#include "actions/actions.h"

#include <string.h>

#include "base/vec.h"
#include "actions/actions_work.h"

void actions_deinit(struct actions *actions)
{
	vec_deinit(&actions->list);
	vec_deinit(&actions->reads);
	vec_deinit(&actions->effects);
	vec_deinit(&actions->moves);
}

/* --- making a list --- */

static void work_init(struct work *work, const struct actions_call *call,
                      const struct actions_memory *memory, struct actions *out)
{
	out->list.size = out->reads.size = out->effects.size = out->moves.size = 0;
	*work = (struct work){.out = out};
	work->before = work->after = (struct view){.call = call, .memory = memory};
}

void work_unknown_read(struct work *work, uint8_t clause, uint32_t argument, uint64_t from,
                       uint64_t size)
{
	struct action *action = vec_push(&work->out->reads);

	action->kind = ACTION_UNKNOWN;
	action->clause = clause;
	action->argument = (uint16_t)argument;
	action->from = from;
	action->size = size;
}

void work_read(struct work *work, uint32_t argument, uint64_t from, uint64_t size, uint32_t feeds)
{
	struct action *action;

	if (!size)
		return;
	if (size > ACTIONS_MOST || size > UINT64_MAX - from) {
		work_unknown_read(work, OUTSIDE_READS, argument, from, size);
		return;
	}
	action = vec_push(&work->out->reads);
	action->kind = ACTION_READ;
	action->argument = (uint16_t)argument;
	action->from = from;
	action->size = size;
	action->feeds = feeds;
}

/* Copies and fills come right behind the last allocation. */
static uint32_t place_of_moves(const struct action_list *effects)
{
	for (uint32_t i = effects->size; i > 0; i--)
		if (effects->at[i - 1].kind == ACTION_ALLOCATED)
			return i;
	return 0;
}

static void append(struct action_list *to, const struct action_list *from, uint32_t begin,
                   uint32_t end)
{
	if (begin == end)
		return;
	vec_reserve(to, to->size + (end - begin));
	memcpy(&to->at[to->size], &from->at[begin], (end - begin) * sizeof(*to->at));
	to->size += end - begin;
}

/* Puts the parts together. What a READ feeds was an index among the effects so far. */
static void join(struct actions *out)
{
	uint32_t middle = place_of_moves(&out->effects);

	append(&out->list, &out->reads, 0, out->reads.size);
	append(&out->list, &out->effects, 0, middle);
	append(&out->list, &out->moves, 0, out->moves.size);
	append(&out->list, &out->effects, middle, out->effects.size);
	for (uint32_t i = 0; i < out->reads.size; i++) {
		uint32_t *feeds = &out->list.at[i].feeds;

		if (*feeds == ACTIONS_ALL || *feeds == ACTIONS_RESULT)
			continue;
		*feeds += out->reads.size + (*feeds > middle ? out->moves.size : 0);
	}
}

/* --- the call --- */

static void note_old_values(struct actions_call *call, struct view *view)
{
	call->olds_unknown = ~0u;
	for (uint32_t k = 0; call->model && k < call->model->old_count; k++)
		if (view_value(view, call->model->olds[k], &call->olds[k]))
			call->olds_unknown &= ~(1u << k);
}

/* There is no after: what it reads must be said now. */
static void add_last_reads(struct work *work)
{
	const struct actions_call *call = work->before.call;
	const struct outside_clause *rows = outside_table_clauses(call->table, call->model);

	for (uint32_t i = 0; i < call->model->clause_count; i++) {
		if (rows[i].kind == OUTSIDE_READS)
			work_reads(work, &rows[i]);
		else if (rows[i].kind == OUTSIDE_FORMATS)
			work_formats(work, &rows[i]);
	}
}

void actions_begin(struct actions_call *call, const struct actions_memory *memory,
                   const struct effects *at_call, struct actions *actions)
{
	size_t letters = strlen(call->signature);
	struct work work;

	if (call->count >= letters)
		call->count = letters ? (uint32_t)letters - 1 : 0;
	work_init(&work, call, memory, actions);
	note_old_values(call, &work.before);
	work_effects(&work, *at_call);
	if (call->model && call->model->flags & OUTSIDE_NORETURN)
		add_last_reads(&work);
	join(actions);
}

void actions_end(const struct actions_call *call, const struct actions_memory *memory,
                 const uint8_t *result, uint32_t size, const struct effects *at_return,
                 struct actions *actions)
{
	const struct outside_clause *rows;
	struct work work;

	work_init(&work, call, memory, actions);
	work.after.written = *at_return;
	work.after.returned = true;
	work.after.result = view_result(call, result, size);
	work_effects(&work, *at_return);
	if (call->model) {
		rows = outside_table_clauses(call->table, call->model);
		for (uint32_t i = 0; i < call->model->active; i++)
			work_refine(&work, &rows[i]);
		for (uint32_t i = call->model->active; i < call->model->clause_count; i++)
			work_passive(&work, &rows[i]);
	}
	join(actions);
}

/* --- callbacks --- */

/* The clause that tells of a callback at that address; NULL: none. */
static const struct outside_clause *find_callback(struct work *work, uint64_t target)
{
	const struct actions_call *call = work->before.call;
	const struct outside_clause *rows = outside_table_clauses(call->table, call->model);

	for (uint32_t i = call->model->active; i < call->model->clause_count; i++)
		if (rows[i].kind == OUTSIDE_CALLS && !(rows[i].flags & OUTSIDE_LATER) &&
		    rows[i].argument &&
		    (uint64_t)view_argument(call, rows[i].argument - 1u) == target &&
		    view_holds(&work->before, &rows[i]) == VIEW_GOOD)
			return &rows[i];
	return NULL;
}

static void add_passed(struct work *work, const struct outside_clause *row, uint32_t number)
{
	struct view_region region = {0, 0};
	struct action *action = vec_push(&work->out->list);
	int64_t value;

	action->kind = ACTION_PASSED;
	action->unit = number;
	action->argument = row->argument;
	action->offset = view_arguments(&work->before, row->at);
	if (row->region == OUTSIDE_VALUE) {
		if (view_value(&work->before, row->at, &value))
			action->from = (uint64_t)value;
		return;
	}
	if (row->region != OUTSIDE_VECTORS &&
	    view_region(&work->before, &work->before, row, &region) == VIEW_GOOD) {
		action->from = region.address;
		action->size = region.size;
	}
}

void actions_callback(const struct actions_call *call, const struct actions_memory *memory,
                      uint64_t target, struct actions *actions)
{
	const struct outside_clause *clause;
	struct work work;

	work_init(&work, call, memory, actions);
	clause = call->model ? find_callback(&work, target) : NULL;
	for (uint32_t i = 0; clause && i < clause->sources; i++)
		add_passed(&work, clause + 1 + i, i);
}
