/*
 * Alignment of two runs: see align.h. Both are taken through their events; `matched` nodes of their
 * indices are the same. Who stands above that is alone and goes on until it does not; when neither
 * does, both take their next event together.
 */
#include "align/merge.h"

/* --- what is found --- */

void merge_add_span(struct merge *m, uint64_t count)
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

static void open_fork(struct merge *m, enum align_fork_kind kind, uint32_t depth)
{
	struct align_fork *fork = vec_push(&m->out->forks);

	fork->kind = kind;
	fork->a = m->sides[0].statements;
	fork->b = m->sides[1].statements;
	fork->depth = depth;
	m->forked = true;
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

struct hence_error *merge_step(struct merge *m, struct side *s)
{
	uint32_t kept = side_take(s);

	m->apart = true;
	if (kept < m->matched)
		m->matched = kept;
	return side_next(s);
}

void merge_give_up_call(struct merge *m)
{
	const struct side_frame *f = side_top(&m->sides[0]);

	m->matched = f->base < m->matched ? f->base : m->matched;
	m->apart = true;
}

bool merge_leads_to(const struct align_function *function, uint32_t block, uint32_t to)
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

struct hence_error *merge_take_same(struct merge *m)
{
	uint32_t kept[2];
	struct hence_error *error = take_both(m, kept);

	m->matched = m->sides[0].nodes.size;
	if (m->sides[1].nodes.size != m->matched)
		m->matched = kept[0] < kept[1] ? kept[0] : kept[1];
	return error;
}

struct hence_error *merge_take_different(struct merge *m, enum align_fork_kind kind)
{
	uint32_t kept[2], depth = side_top(&m->sides[0])->depth;
	struct hence_error *error = take_both(m, kept);

	open_fork(m, kind, depth);
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

static bool is_same_function(const struct align_function *a, const struct align_function *b)
{
	return a == b || (a && b && a->other == b);
}

static bool is_same_name(const char *a, const char *b)
{
	return !a || !b || !strcmp(a, b);
}

struct hence_error *merge_take_calls(struct merge *m)
{
	const struct align_event *a = m->sides[0].event, *b = m->sides[1].event;
	struct hence_error *error;

	if (a->counts)
		merge_add_span(m, 1);
	if (is_same_function(a->function, b->function) && is_same_name(a->name, b->name))
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

static struct hence_error *merge_runs(struct merge *m)
{
	const struct align_options *o = m->options;
	struct hence_error *error = NULL;

	for (uint32_t steps = 1; !error && !(m->sides[0].ended && m->sides[1].ended); steps++) {
		if (steps % 65536 == 0 && o && o->stop && o->stop(o->context)) {
			m->out->stopped = true;
			break;
		}
		error = advance(m);
	}
	return error;
}

/* What they have executed so far tells whether they have anything in common. */
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
	if (!error)
		error = merge_runs(&m);
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
