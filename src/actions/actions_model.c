/*
 * What a model says of a call: more of what is on the tape, and what is not on it at all. See
 * actions.h.
 */
#include "base/vec.h"
#include "actions/actions_work.h"

static void unknown_move(struct work *work, const struct outside_clause *clause,
                         const struct view_region *region)
{
	struct action *action = vec_push(&work->out->moves);

	action->kind = ACTION_UNKNOWN;
	action->clause = clause->kind;
	action->argument = clause->argument;
	action->to = region->address;
	action->size = region->size;
}

/* --- what the model adds to it --- */

/* The effect that an active clause asked for, of which the tape knows less than the model; NULL: it
   is not there, or cannot be told. */
static struct action *find_effect(struct work *work, const struct outside_clause *clause,
                                  enum action_kind kind)
{
	struct action_list *list = &work->out->effects;
	struct view_region region;

	if (view_holds(&work->after, clause) != VIEW_GOOD || clause->region == OUTSIDE_VECTORS ||
	    view_region(&work->after, &work->after, clause, &region) != VIEW_GOOD)
		return NULL;
	for (uint32_t i = 0; i < list->size; i++) {
		struct action *action = &list->at[i];

		if (action->kind == kind && action->argument == clause->argument &&
		    action->to == region.address && action->size == region.size && !action->precise)
			return action;
	}
	return NULL;
}

static enum view_answer add_vectors(struct work *work, const struct outside_clause *row,
                                    uint32_t feeds)
{
	enum view_answer answer;
	struct view_region piece;
	uint64_t before = 0;
	uint32_t at = 0;

	while ((answer = view_vector(&work->after, row, &at, &before, &piece)) == VIEW_GOOD)
		work_read(work, row->argument, piece.address, piece.size, feeds);
	if (answer == VIEW_UNKNOWN)
		work_unknown_read(work, OUTSIDE_READS, row->argument, piece.address, piece.size);
	return answer;
}

/* Adds a READ for a row's region. False: it is not known, which is said too. */
static bool add_read(struct work *work, const struct outside_clause *row, uint32_t feeds)
{
	struct view_region region;
	enum view_answer answer;

	if (row->region == OUTSIDE_VECTORS)
		return add_vectors(work, row, feeds) != VIEW_UNKNOWN;
	answer = view_region(&work->after, &work->before, row, &region);
	if (answer == VIEW_GOOD)
		work_read(work, row->argument, region.address, region.size, feeds);
	else if (answer == VIEW_UNKNOWN)
		work_unknown_read(work, OUTSIDE_READS, row->argument, region.address, region.size);
	return answer != VIEW_UNKNOWN;
}

/* writes R from R, R */
static void refine_write(struct work *work, const struct outside_clause *clause)
{
	struct action *wrote = clause->sources ? find_effect(work, clause, ACTION_WROTE) : NULL;
	bool known = true;

	if (!wrote)
		return;
	for (uint32_t i = 1; i <= clause->sources; i++)
		known &= add_read(work, clause + i, (uint32_t)(wrote - work->out->effects.at) + 1);
	wrote->precise = known;
}

static void refine_permutation(struct work *work, const struct outside_clause *clause)
{
	struct action *wrote = find_effect(work, clause, ACTION_WROTE);
	int64_t unit;

	if (!wrote || !view_value(&work->after, clause->extra, &unit) || unit <= 0 ||
	    (uint64_t)unit > wrote->size)
		return;
	wrote->kind = ACTION_PERMUTED;
	wrote->unit = (uint32_t)unit;
}

static void refine_allocation(struct work *work, const struct outside_clause *clause)
{
	struct action *allocated =
		clause->flags & OUTSIDE_ZEROED ? find_effect(work, clause, ACTION_ALLOCATED) : NULL;

	if (allocated)
		allocated->zeroed = true;
}

/* The text that sscanf() reads: each value depends on its part of it, the result on all. */
static void add_scan(struct work *work, const struct outside_clause *clause)
{
	/* The clause's own argument is the stream. */
	struct outside_clause format = {
		.region = OUTSIDE_STRING,
		.argument = (uint16_t)__builtin_ffs((int)view_arguments(&work->after, clause->at)),
		.at = clause->at};

	if (view_holds(&work->after, clause) == VIEW_NONE)
		return;
	add_read(work, &format, ACTIONS_ALL);
	for (uint32_t i = 1; i <= clause->sources; i++)
		add_read(work, clause + i, ACTIONS_RESULT);
}

void work_refine(struct work *work, const struct outside_clause *clause)
{
	switch (clause->kind) {
	case OUTSIDE_WRITES: refine_write(work, clause); break;
	case OUTSIDE_PERMUTES: refine_permutation(work, clause); break;
	case OUTSIDE_ALLOCATES: refine_allocation(work, clause); break;
	case OUTSIDE_FORMATS: work_formats(work, clause); break;
	case OUTSIDE_SCANS: add_scan(work, clause); break;
	default: break;
	}
}

/* --- what only the model says --- */

void work_reads(struct work *work, const struct outside_clause *clause)
{
	enum view_answer holds = view_holds(&work->after, clause);
	struct view_region region = {0, 0};

	if (holds == VIEW_GOOD) {
		add_read(work, clause, ACTIONS_ALL);
	} else if (holds == VIEW_UNKNOWN) {
		if (clause->region != OUTSIDE_VECTORS)
			view_region(&work->after, &work->before, clause, &region);
		work_unknown_read(work, OUTSIDE_READS, clause->argument, region.address,
		                  region.size);
	}
}

/* The target of a copy or fill that is to be done. If it is not known, that is said. */
static bool find_target(struct work *work, const struct outside_clause *clause,
                        struct view_region *target)
{
	enum view_answer holds = view_holds(&work->after, clause), answer;

	if (holds == VIEW_NONE)
		return false;
	answer = view_region(&work->after, &work->before, clause, target);
	if (answer == VIEW_NONE)
		return false;
	if (holds == VIEW_GOOD && answer == VIEW_GOOD)
		return true;
	unknown_move(work, clause, target);
	return false;
}

static void add_copy(struct work *work, const struct outside_clause *clause)
{
	struct view_region to, from;
	struct action *action;

	if (!clause->sources || !find_target(work, clause, &to))
		return;
	/* Its extent is the same: only the address may be missing. */
	if (view_region(&work->after, &work->before, clause + 1, &from) != VIEW_GOOD) {
		unknown_move(work, clause, &to);
		return;
	}
	action = vec_push(&work->out->moves);
	action->kind = ACTION_COPIED;
	action->argument = clause->argument;
	action->to = to.address;
	action->from = from.address;
	action->size = to.size;
}

static void add_fill(struct work *work, const struct outside_clause *clause)
{
	struct view_region to;
	struct action *action;
	int64_t byte;

	if (!find_target(work, clause, &to))
		return;
	if (!view_value(&work->after, clause->extra, &byte)) {
		unknown_move(work, clause, &to);
		return;
	}
	action = vec_push(&work->out->moves);
	action->kind = ACTION_FILLED;
	action->argument = clause->argument;
	action->to = to.address;
	action->size = to.size;
	action->byte = (uint8_t)byte;
}

/* What is in it is not known from here on. */
static void add_loan(struct work *work, const struct outside_clause *clause)
{
	struct view_region lent;

	if (find_target(work, clause, &lent))
		unknown_move(work, clause, &lent);
}

static void push_returned(struct work *work, const struct outside_clause *clause, bool into)
{
	struct action *action = vec_push(&work->out->reads);

	action->kind = ACTION_RETURNED;
	action->argument = clause->argument;
	action->offset = view_arguments(&work->after, clause->at);
	action->into = into;
}

/* Notes what the old values in an expression had read. */
static void note_olds(struct work *work, uint32_t code)
{
	const struct actions_call *call = work->before.call;
	const struct outside_insn *insn = outside_table_code(call->table, code);
	int64_t ignored;

	work->before.reads = &work->out->reads;
	work->before.feeds = ACTIONS_RESULT;
	for (; insn->op != OUTSIDE_END; insn++)
		if (insn->op == OUTSIDE_OLD)
			view_value(&work->before, call->model->olds[insn->value], &ignored);
	work->before.reads = NULL;
}

/* A model that is wrong about the result is not believed. */
static void add_returned(struct work *work, const struct outside_clause *clause)
{
	struct action_list *reads = &work->out->reads;
	uint32_t size = reads->size;
	int64_t value;
	bool known;

	if (view_holds(&work->after, clause) != VIEW_GOOD)
		return;
	work->after.reads = reads;
	work->after.feeds = ACTIONS_RESULT;
	known = view_value(&work->after, clause->at, &value);
	work->after.reads = NULL;
	if (!known || value != work->after.result) {
		reads->size = size;
		return;
	}
	note_olds(work, clause->at);
	push_returned(work, clause, false);
}

void work_passive(struct work *work, const struct outside_clause *clause)
{
	switch (clause->kind) {
	case OUTSIDE_READS: work_reads(work, clause); break;
	case OUTSIDE_COPIES: add_copy(work, clause); break;
	case OUTSIDE_FILLS: add_fill(work, clause); break;
	case OUTSIDE_LENDS: add_loan(work, clause); break;
	case OUTSIDE_RETURNS: add_returned(work, clause); break;
	case OUTSIDE_RETURNS_INTO:
		if (view_holds(&work->after, clause) == VIEW_GOOD)
			push_returned(work, clause, true);
		break;
	default: break; /* sources belong to others; calls are for actions_callback() */
	}
}
