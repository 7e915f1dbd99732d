/*
 * Alignment of two runs: see align.h. Both are taken through their events; `matched` nodes of their
 * indices are the same. Who stands above that is alone and goes on until it does not; when neither
 * does, both take their next event together.
 */
#include "align/align.h"
#include "align/side.h"

struct merge {
	const struct align_options *options;
	struct alignment *out;
	struct align_functions functions;
	struct side sides[2];
	uint32_t matched; /* nodes that are the same on both sides */
	bool apart;       /* at least one was alone since both took an event together */
	bool forked;      /* because of the last fork */
};

/* --- what is found --- */

/* The next statements of both sides are aligned. */
static void merge_add_span(struct merge *m, uint64_t count)
{
	uint64_t a = m->sides[0].statements + 1, b = m->sides[1].statements + 1;
	struct align_span *last = NULL;

	if (m->out->spans.size)
		last = &m->out->spans.at[m->out->spans.size - 1];
	if (last && last->a + last->count == a && last->b + last->count == b)
		last->count += count;
	else
		*vec_push(&m->out->spans) = (struct align_span){a, b, count};
}

/* Both are at the same place again. */
static void join(struct merge *m)
{
	struct align_fork *fork;

	m->apart = false;
	if (!m->forked)
		return;
	fork = &m->out->forks.at[m->out->forks.size - 1];
	fork->a_end = m->sides[0].statements + 1 + m->sides[0].died;
	fork->b_end = m->sides[1].statements + 1 + m->sides[1].died;
	m->forked = false;
}

/* --- alone --- */

/* One takes its event alone. */
static struct hence_error *merge_step(struct merge *m, struct side *s)
{
	uint32_t kept = side_take(s);

	m->apart = true;
	if (kept < m->matched)
		m->matched = kept;
	return side_next(s);
}

/* The call that both are in cannot be followed together any more. */
static void merge_give_up_call(struct merge *m)
{
	const struct side_frame *f = side_top(&m->sides[0]);

	m->matched = f->base < m->matched ? f->base : m->matched;
	m->apart = true;
}

/* Is `to` on every way from the block to the end of the function? */
static bool merge_leads_to(const struct align_function *function, uint32_t block, uint32_t to)
{
	for (uint32_t i = 0; i <= function->plan->blocks.size; i++) {
		if (block == to)
			return true;
		if (block >= function->plan->blocks.size)
			return false;
		block = function->until[block];
	}
	return false;
}

/* In the same call, but one is behind: as when the other came back to a setjmp() and has passed by here
   a second time. */
static struct hence_error *catch_up(struct merge *m)
{
	const struct side_frame *a = side_top(&m->sides[0]), *b = side_top(&m->sides[1]);
	bool first = a->block == b->block ? a->statements < b->statements
	                                  : merge_leads_to(a->function, a->block, b->block);
	struct side *behind = &m->sides[first ? 0 : 1];
	uint32_t until = first ? b->statements : a->statements;

	if (!first && a->block != b->block && !merge_leads_to(b->function, b->block, a->block)) {
		merge_give_up_call(m);
		return NULL;
	}
	if (a->block == b->block && behind->event->kind == ALIGN_STATEMENTS &&
	    until < behind->event->at) {
		side_take_some(behind, until);
		return NULL;
	}
	return merge_step(m, behind);
}

/* --- together --- */

static struct hence_error *take_both(struct merge *m, uint32_t kept[2])
{
	struct hence_error *error;

	kept[0] = side_take(&m->sides[0]);
	kept[1] = side_take(&m->sides[1]);
	error = side_next(&m->sides[0]);
	return error ? error : side_next(&m->sides[1]);
}

/* Both take theirs: the same one; or a branch or call that went different ways. */
static struct hence_error *merge_take_same(struct merge *m)
{
	uint32_t kept[2];
	struct hence_error *error = take_both(m, kept);

	m->matched = m->sides[0].nodes.size;
	if (m->sides[1].nodes.size != m->matched)
		m->matched = kept[0] < kept[1] ? kept[0] : kept[1];
	return error;
}

static struct hence_error *merge_take_different(struct merge *m, enum align_fork_kind kind)
{
	uint32_t kept[2], depth = side_top(&m->sides[0])->depth;
	struct hence_error *error = take_both(m, kept);
	struct align_fork *fork = vec_push(&m->out->forks);

	fork->kind = kind;
	fork->a = m->sides[0].statements;
	fork->b = m->sides[1].statements;
	fork->depth = depth;
	m->forked = true;
	m->apart = true;
	for (unsigned i = 0; i < 2; i++)
		if (kept[i] < m->matched)
			m->matched = kept[i];
	return error;
}

static struct hence_error *take_statements(struct merge *m)
{
	struct side *a = &m->sides[0], *b = &m->sides[1];
	uint32_t until = a->event->at < b->event->at ? a->event->at : b->event->at;
	bool whole[2] = {a->event->at == until, b->event->at == until};
	struct hence_error *error = NULL;

	merge_add_span(m, until - side_top(a)->statements);
	side_take_some(a, until);
	side_take_some(b, until);
	if (whole[0])
		error = side_next(a);
	if (!error && whole[1])
		error = side_next(b);
	return error;
}

/* Both make the same call, or are called back. */
static struct hence_error *merge_take_calls(struct merge *m)
{
	const struct align_event *a = m->sides[0].event, *b = m->sides[1].event;
	struct hence_error *error;

	if (a->counts)
		merge_add_span(m, 1);
	if ((a->function == b->function ||
	     (a->function && b->function && a->function->other == b->function)) &&
	    (!a->name || !b->name || !strcmp(a->name, b->name)))
		return merge_take_same(m);
	if (a->kind == ALIGN_CALL)
		return merge_take_different(m, FORK_CALL);
	error = merge_step(m, &m->sides[0]);
	return error ? error : merge_step(m, &m->sides[1]);
}

/* Is the next thing that the side does a statement? */
static bool is_statement(const struct side *s)
{
	return s->event->kind == ALIGN_STATEMENTS || s->event->kind == ALIGN_DYING ||
	       (s->event->kind == ALIGN_CALL && s->event->counts);
}

/* Their next events are not of the same kind. */
static struct hence_error *take_unlike(struct merge *m)
{
	for (unsigned i = 0; i < 2; i++) {
		struct side *s = &m->sides[i];

		switch (s->event->kind) {
		case ALIGN_DYING:
			if (is_statement(&m->sides[!i]))
				merge_add_span(m, 1);
			return merge_step(m, s);
		case ALIGN_HANDLER:
		case ALIGN_RETURN:
		case ALIGN_UNWOUND:
		case ALIGN_END: return merge_step(m, s);
		}
	}
	merge_give_up_call(m);
	return NULL;
}

static struct hence_error *step_both(struct merge *m)
{
	const struct align_event *a = m->sides[0].event, *b = m->sides[1].event;

	if (a->kind != b->kind)
		return take_unlike(m);
	switch (a->kind) {
	case ALIGN_BLOCK:
		return a->at == b->at ? merge_take_same(m) : merge_take_different(m, FORK_BRANCH);
	case ALIGN_STATEMENTS: return take_statements(m);
	case ALIGN_CALL:
		if (a->at == b->at)
			return merge_take_calls(m);
		merge_give_up_call(m);
		return NULL;
	case ALIGN_CALLBACK: return merge_take_calls(m);
	case ALIGN_DYING: merge_add_span(m, 1); return merge_take_same(m);
	default: return merge_take_same(m);
	}
}

/* At least one comes back to a call. If both do, it is the same: neither has got on in between. */
static struct hence_error *come_back(struct merge *m)
{
	struct side *a = &m->sides[0], *b = &m->sides[1];

	if (a->event->kind != ALIGN_RESUMED)
		return merge_step(m, b);
	if (b->event->kind == ALIGN_RESUMED && a->event->at == b->event->at &&
	    a->until == b->until) {
		join(m);
		return merge_take_same(m);
	}
	return merge_step(m, a);
}

static bool is_same_place(const struct merge *m)
{
	const struct side_frame *a = side_top(&m->sides[0]), *b = side_top(&m->sides[1]);

	return !a->function || a->function->matches ||
	       (a->block == b->block && a->statements == b->statements);
}

/* Or about to leave more of what both are in. */
static bool is_alone(const struct merge *m, const struct side *s)
{
	return s->nodes.size > m->matched || s->event->kind == ALIGN_BACK;
}

/* ------ functions that were changed between the versions ------ */

/*
 * Alignment of two runs inside a function that was changed between the versions. Each side skips what only
 * its own version has; where the next statements that both versions have are not the same, the one that
 * is behind goes on alone. Branches that only one version has open no node, so what lies in them is
 * executed at the level around.
 */

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
static struct hence_error *take_common_statements(struct merge *m)
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

/* Both are in a function that was changed between the versions: takes the next event of one or both. */
static struct hence_error *merge_step_changed(struct merge *m)
{
	struct side *a = &m->sides[0], *b = &m->sides[1];

	if (is_own(a))
		return skip(m, a);
	if (is_own(b))
		return skip(m, b);
	if (is_at_choice(a) || is_at_choice(b))
		return take_choice(m);
	if (is_at_statement(a) && is_at_statement(b))
		return take_common_statements(m);
	if (a->event->kind == b->event->kind)
		return merge_take_same(m);
	/* One of them leaves, or is interrupted. */
	return merge_step(m, is_at_statement(a) ? b : a);
}

/* ------ all ------ */

static struct hence_error *advance(struct merge *m)
{
	struct side *a = &m->sides[0], *b = &m->sides[1];

	if (is_alone(m, a) || b->ended)
		return merge_step(m, a);
	if (is_alone(m, b) || a->ended)
		return merge_step(m, b);
	if (a->event->kind == ALIGN_RESUMED || b->event->kind == ALIGN_RESUMED)
		return come_back(m);
	if (m->apart && !is_same_place(m))
		return catch_up(m);
	if (m->apart)
		join(m);
	if (side_top(a)->function && side_top(a)->function->matches)
		return merge_step_changed(m);
	return step_both(m);
}

/* --- the whole --- */

/* What they have executed so far shows whether they have anything in common. */
static struct hence_error *check_programs(const struct merge *m)
{
	const struct align_functions *f = &m->functions;
	bool any[2] = {false};

	for (uint32_t i = 0; i < f->modules.size; i++) {
		const bool *taken = f->modules.at[i]->taken;

		if (taken[0] && taken[1])
			return NULL;
		any[0] |= taken[0];
		any[1] |= taken[1];
	}
	if (f->versions || !any[0] || !any[1])
		return NULL;
	return error_create(HENCE_ERROR_INPUT, "the two runs are of different programs, or of "
	                                       "different builds of one: nothing in them is the "
	                                       "same");
}

static struct hence_error *open_sides(struct merge *m, const struct recording *const runs[2])
{
	struct hence_error *error = NULL;

	for (unsigned i = 0; i < 2 && !error; i++) {
		error = align_stream_create(runs[i], i, &m->functions, &m->sides[i].stream);
		if (!error)
			error = side_next(&m->sides[i]);
	}
	return error ? error : check_programs(m);
}

struct hence_error *align_runs(const struct recording *a, const struct recording *b,
                               const struct align_options *options, struct alignment *out)
{
	const struct recording *const runs[2] = {a, b};
	struct alignment found = {0};
	struct merge m = {.options = options, .out = &found};
	struct hence_error *error;

	found.versions = m.functions.versions = options ? options->versions : NULL;
	error = open_sides(&m, runs);
	if (!error) {
		const struct align_options *o = m.options;

		for (uint32_t steps = 1; !error && !(m.sides[0].ended && m.sides[1].ended);
		     steps++) {
			if (steps % 65536 == 0 && o && o->stop && o->stop(o->context)) {
				m.out->stopped = true;
				break;
			}
			error = advance(&m);
		}
	}
	join(&m);
	found.a_statements = m.sides[0].statements;
	found.b_statements = m.sides[1].statements;
	side_deinit(&m.sides[0]);
	side_deinit(&m.sides[1]);
	align_functions_deinit(&m.functions);
	if (error)
		alignment_deinit(&found);
	else
		*out = found;
	return error;
}

void alignment_deinit(struct alignment *alignment)
{
	vec_deinit(&alignment->spans);
	vec_deinit(&alignment->forks);
}

/* ------ questions about an alignment ------ */

/* The last span that begins at or before the statement; NULL: none. */
static const struct align_span *find_span(const struct alignment *alignment, bool first,
                                          uint64_t time)
{
	uint32_t low = 0, high = alignment->spans.size;

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		const struct align_span *s = &alignment->spans.at[middle];

		if ((first ? s->a : s->b) <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &alignment->spans.at[low - 1] : NULL;
}

uint64_t alignment_of_a(const struct alignment *alignment, uint64_t a)
{
	const struct align_span *s = find_span(alignment, true, a);

	return s && a - s->a < s->count ? s->b + (a - s->a) : 0;
}

uint64_t alignment_of_b(const struct alignment *alignment, uint64_t b)
{
	const struct align_span *s = find_span(alignment, false, b);

	return s && b - s->b < s->count ? s->a + (b - s->b) : 0;
}

uint64_t alignment_from_a(const struct alignment *alignment, uint64_t a)
{
	const struct align_span *s = find_span(alignment, true, a);
	const struct align_span *next = s ? s + 1 : alignment->spans.at;

	if (s && a - s->a < s->count)
		return a;
	return next < alignment->spans.at + alignment->spans.size ? next->a : 0;
}

/* `passed` statements behind the beginning of the span. */
static uint64_t last_of(const struct align_span *s, uint64_t passed)
{
	return s->a + (passed < s->count ? passed : s->count - 1);
}

uint64_t alignment_until_a(const struct alignment *alignment, uint64_t a)
{
	const struct align_span *s = find_span(alignment, true, a);

	return s ? last_of(s, a - s->a) : 0;
}

uint64_t alignment_until_b(const struct alignment *alignment, uint64_t b)
{
	const struct align_span *s = find_span(alignment, false, b);

	return s ? last_of(s, b - s->b) : 0;
}

const struct align_fork *alignment_decided(const struct alignment *alignment, bool first,
                                           uint64_t time)
{
	uint32_t low = 0, high = alignment->forks.size;
	const struct align_fork *fork;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		fork = &alignment->forks.at[middle];
		if ((first ? fork->a : fork->b) < time)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	fork = &alignment->forks.at[low - 1];
	return time < (first ? fork->a_end : fork->b_end) ? fork : NULL;
}
