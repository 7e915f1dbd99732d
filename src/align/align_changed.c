/*
 * Alignment of two runs inside a function that was changed between the versions. Each side skips what only
 * its own version has; where the next statements that both versions have are not the same, the one that
 * is behind goes on alone. Branches that only one version has open no node, so what lies in them is
 * executed at the level around.
 */
#include "align/merge.h"

/* The number of the statement that the side is at. */
static uint32_t statement_of(const struct side *s)
{
	const struct side_frame *f = side_top(s);

	return f->function->first[f->block] + f->statements;
}

static bool is_at_statement(const struct side *s)
{
	return s->event->kind == ALIGN_STATEMENTS || s->event->kind == ALIGN_DYING ||
	       (s->event->kind == ALIGN_CALL && s->event->counts);
}

/* Behind a branch that both versions have. */
static bool is_at_choice(const struct side *s)
{
	const struct side_frame *f = side_top(s);

	return s->event->kind == ALIGN_BLOCK && f->block != SIDE_NOWHERE &&
	       f->function->branches[f->block];
}

/* Is the next thing something that the other version does not have? */
static bool is_own(const struct side *s)
{
	if (is_at_statement(s))
		return side_top(s)->function->matches[statement_of(s)] == VERSIONS_NONE;
	return s->event->kind == ALIGN_CALL || (s->event->kind == ALIGN_BLOCK && !is_at_choice(s));
}

/* One event, or one statement of it. */
static struct hence_error *skip(struct merge *m, struct side *s)
{
	uint32_t next = side_top(s)->statements + 1;

	m->apart = true;
	if (s->event->kind != ALIGN_STATEMENTS || s->event->at == next)
		return merge_step(m, s);
	side_take_some(s, next);
	return NULL;
}

/* One that is aligned. */
static struct hence_error *take_statement(struct merge *m, struct side *s)
{
	uint32_t next = side_top(s)->statements + 1;
	bool whole = s->event->at == next;

	if (s->event->kind == ALIGN_CALL)
		return merge_step(m, s);
	side_take_some(s, next);
	return whole ? side_next(s) : NULL;
}

/* --- choices --- */

static LLVMValueRef end_of(const struct side_frame *f)
{
	const struct plan_block *b = &f->function->plan->blocks.at[f->block];

	return f->function->plan->records.at[b->first + b->count - 1].instruction;
}

/* Which of the ways out of the block leads to the next one. */
static uint32_t way_of(const struct side *s)
{
	const struct side_frame *f = side_top(s);
	uint32_t way = plan_way(f->function->plan, f->block, s->event->at);

	return way == UINT32_MAX ? 0 : way;
}

/* The way of the other version's switch for the value of this way; 0 is the default. */
static uint32_t same_case(LLVMValueRef from, uint32_t way, LLVMValueRef to)
{
	int64_t value;

	if (!way)
		return 0;
	value = LLVMConstIntGetSExtValue(ir_case_value(from, way - 1));
	for (unsigned i = 0; i < ir_case_count(to); i++)
		if (LLVMConstIntGetSExtValue(ir_case_value(to, i)) == value)
			return i + 1;
	return 0;
}

static uint32_t target_of(const struct side_frame *f, uint32_t way)
{
	const struct plan_function *plan = f->function->plan;

	return plan->successors.at[plan->blocks.at[f->block].successor + way];
}

static bool is_same_way(const struct side *a, const struct side *b)
{
	const struct side_frame *f = side_top(a), *g = side_top(b);
	uint32_t way = way_of(a);

	if (LLVMIsASwitchInst(end_of(f)))
		return target_of(g, same_case(end_of(f), way, end_of(g))) == b->event->at;
	return way == way_of(b);
}

static uint32_t branch_of(const struct side_frame *f)
{
	return f->function->first[f->block] + f->function->plan->blocks.at[f->block].statements - 1;
}

/* At least one is behind a branch. */
static struct hence_error *take_choice(struct merge *m)
{
	struct side *a = &m->sides[0], *b = &m->sides[1];

	if (!is_at_choice(a))
		return merge_step(m, b);
	if (!is_at_choice(b) ||
	    side_top(a)->function->matches[branch_of(side_top(a))] != branch_of(side_top(b)))
		return merge_step(m, a);
	if (is_same_way(a, b))
		return merge_take_same(m);
	return merge_take_different(m, FORK_BRANCH);
}

/* --- statements --- */

/* Has the side yet to come to where the other one stands? */
static bool is_behind(const struct side *s, const struct side *other)
{
	const struct align_function *f = side_top(s)->function;
	uint32_t at = statement_of(s);
	uint32_t to = side_top(other)->function->matches[statement_of(other)];

	if (f->where[at] == f->where[to])
		return at < to;
	return merge_leads_to(f, f->where[at], f->where[to]);
}

/* Both are at a statement that both versions have. */
static struct hence_error *take_statements(struct merge *m)
{
	struct side *a = &m->sides[0], *b = &m->sides[1];
	struct hence_error *error;

	if (side_top(a)->function->matches[statement_of(a)] != statement_of(b)) {
		if (is_behind(b, a))
			return skip(m, b);
		if (is_behind(a, b))
			return skip(m, a);
		merge_give_up_call(m);
		return NULL;
	}
	if (a->event->kind == ALIGN_CALL && b->event->kind == ALIGN_CALL)
		return merge_take_calls(m);
	merge_add_span(m, 1);
	if (a->event->kind == ALIGN_DYING || b->event->kind == ALIGN_DYING)
		return merge_step(m, a->event->kind == ALIGN_DYING ? a : b);
	error = take_statement(m, a);
	return error ? error : take_statement(m, b);
}

struct hence_error *merge_step_changed(struct merge *m)
{
	struct side *a = &m->sides[0], *b = &m->sides[1];

	if (is_own(a))
		return skip(m, a);
	if (is_own(b))
		return skip(m, b);
	if (is_at_choice(a) || is_at_choice(b))
		return take_choice(m);
	if (is_at_statement(a) && is_at_statement(b))
		return take_statements(m);
	if (a->event->kind == b->event->kind)
		return merge_take_same(m);
	/* One of them leaves, or is interrupted. */
	return merge_step(m, is_at_statement(a) ? b : a);
}
