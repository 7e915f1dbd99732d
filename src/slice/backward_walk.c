/*
 * The backward slice in a window: one way through its segments from the last to the first.
 *
 * Whatever an instance came from is older than it, so that all who want something of an instance are
 * known when the walk gets there. Two things are not where their number says:
 *
 * - The value of a call of a function that we see comes from the return in it, which is younger than
 *   the call. The return is wanted as soon as the call's value is.
 * - An outside call that called back did what it did when it returned, and may have read what the
 *   callbacks wrote. It is done when the walk passes its return.
 *
 * marks.in: the instance is in the slice. marks.want: so is what it came from; of a copy or an outside
 * call, of the bytes in its ranges. marks.values: somebody wants the value of an instance that
 * may be a call; what that means is settled where the call returned and where it began.
 */
#include "slice/backward_walker.h"

static void want_operand(struct backward_walker *w, uint32_t instance, uint32_t operand)
{
	uint64_t value;
	uint32_t made;

	w->instance = instance;
	if (operand == CODE_NO_OPERAND ||
	    !execution_operand(w->e, instance, operand, &value, &made) || !made)
		return;
	backward_tell_edge(w, made, true);
	backward_want_value(w, made);
}

/* Which function was called is why all in it was executed; and its value depends on that. */
static void want_callee(struct backward_walker *w, uint32_t instance, const struct code_insn *insn)
{
	if (w->control || marks_has(w->m->values, instance))
		want_operand(w, instance, ((const struct code_call *)insn->more)->callee);
}

static bool is_outside(const struct backward_walker *w, uint32_t call)
{
	return w->sources[call - w->first] & EXECUTION_GROUP;
}

static void do_call(struct backward_walker *w, uint32_t call, const struct code_insn *insn)
{
	const struct execution_group *group;

	want_callee(w, call, insn);
	if (!is_outside(w, call))
		return;
	group = execution_group(w->e, w->sources[call - w->first]);
	w->b->found.guesses += !execution_call(w->e, group->call)->modelled;
	w->limit = call; /* what is younger was done when it returned */
	if (marks_has(w->m->values, call))
		backward_want_origins(w, call);
	else if (marks_has(w->m->want, call))
		backward_want_ranges(w, call);
	w->limit = UINT32_MAX;
}

/* --- the fast way: operands made in the same segment --- */

struct place {
	const struct code_function *function;
	uint32_t first; /* instance of the segment */
	uint32_t code;  /* of that, in the function */
};

/* False: it is not that simple. */
static inline bool want_near(struct backward_walker *w, const struct place *p, uint32_t instance,
                             uint32_t operand)
{
	uint32_t maker;

	if (operand & 1)
		return true;
	maker = p->function->makers[operand >> 1];
	if (maker & CODE_PARAMETER)
		return false;
	if (p->function->insns[maker].op == CODE_LOCAL)
		return true;
	if (maker - p->code >= instance - p->first)
		return false;
	marks_set(w->m->want, p->first + (maker - p->code));
	return true;
}

/* Of what is loaded; false: it is not just what one instance stored. */
static inline bool want_stored(struct backward_walker *w, uint32_t instance)
{
	uint32_t source = w->sources[instance - w->first];

	if (source & EXECUTION_GROUP)
		return false;
	if (source < EXECUTION_FIRST)
		backward_note_source(w, source);
	else if (backward_copies(w, source))
		return false;
	else
		marks_set(w->m->want, source);
	return true;
}

static bool want_near_list(struct backward_walker *w, const struct place *p, uint32_t instance,
                           const struct code_insn *insn)
{
	const struct code_eval *eval = insn->more;
	const struct code_indices *indices = insn->more;
	bool near = true;

	if (insn->op == CODE_EVAL)
		for (uint32_t i = 0; near && i < eval->count; i++)
			near = want_near(w, p, instance, eval->in[i].operand);
	else
		for (uint32_t i = 0; near && i < indices->count; i++)
			near = want_near(w, p, instance, indices->at[i].operand);
	return near && (insn->op == CODE_EVAL || want_near(w, p, instance, insn->a));
}

static inline bool do_simple(struct backward_walker *w, const struct place *p, uint32_t instance,
                             const struct code_insn *insn)
{
	switch (insn->op) {
	case CODE_LOCAL:
	case CODE_GOTO: return true;
	case CODE_EVAL:
	case CODE_INDICES: return want_near_list(w, p, instance, insn);
	case CODE_LOAD: return want_near(w, p, instance, insn->a) && want_stored(w, instance);
	case CODE_TRUNC:
	case CODE_SEXT:
	case CODE_MOVE:
	case CODE_STEP:
	case CODE_BRANCH:
	case CODE_SWITCH:
	case CODE_RETURN: return want_near(w, p, instance, insn->a);
	case CODE_STORE:
	case CODE_INDEX:
		return want_near(w, p, instance, insn->a) && want_near(w, p, instance, insn->b);
	default:
		return insn->op >= CODE_ADD && insn->op <= CODE_SLE &&
		       want_near(w, p, instance, insn->a) && want_near(w, p, instance, insn->b);
	}
}

static inline void do_instance(struct backward_walker *w, const struct place *p, uint32_t instance)
{
	uint32_t number = p->code + (instance - p->first);
	const struct code_insn *insn = &p->function->insns[number];

	marks_set(w->m->codes, p->function->first + number);
	if (insn->op == CODE_CALL) {
		do_call(w, instance, insn);
	} else if (!marks_has(w->m->want, instance)) {
		return;
	} else if (!w->slow && do_simple(w, p, instance, insn)) {
		return;
	} else if (backward_copies(w, instance)) {
		backward_want_ranges(w, instance);
	} else {
		backward_want_origins(w, instance);
	}
}

/* --- the way --- */

static bool is_in(const struct backward_walker *w, uint32_t instance)
{
	return marks_has(w->m->in, instance) || marks_has(w->m->want, instance);
}

static void do_segment(struct backward_walker *w, const struct execution_segment *s, uint32_t end)
{
	const struct code_function *f = w->code->functions.at[w->frames[s->frame].function];
	struct place p = {f, s->first, s->code - f->first};
	bool any = false;

	if (w->b->options.relevant)
		backward_try_branch(w, s, f, end - 1);
	for (uint32_t i = end; i-- > s->first;) {
		if (!is_in(w, i))
			continue;
		any = true;
		do_instance(w, &p, i);
		w->instance = i;
		if (w->control && s->parent)
			backward_tell_edge(w, s->parent, true);
	}
	if (any && w->control)
		backward_want_control(w, s->frame, s->parent);
}

/* Calls that called back, and returned behind the segment that ends here. */
static void do_returned(struct backward_walker *w, uint32_t end)
{
	while (w->spanning.at.size) {
		const struct execution_call *call =
			execution_call(w->e, w->spanning.at.at[w->spanning.at.size - 1]);

		if (call->until < end)
			return;
		w->spanning.at.size--;
		if (marks_has(w->m->values, call->instance))
			backward_want_origins(w, call->instance);
		else if (marks_has(w->m->want, call->instance))
			backward_want_ranges(w, call->instance);
	}
}

static void find_spanning(struct backward_walker *w)
{
	slice_find_spanning(w->e, &w->spanning);
	for (uint32_t i = 0; i < w->spanning.at.size; i++) {
		const struct execution_call *call = execution_call(w->e, w->spanning.at.at[i]);

		span_map_put(&w->spans, call->instance)->until = call->until;
	}
}

/* --- what later windows and the user want of this one --- */

static void take_wanted(struct backward_walker *w)
{
	uint32_t call;

	for (uint32_t i = marks_next(w->m->values, w->first, w->end); i < w->end;
	     i = marks_next(w->m->values, i + 1, w->end)) {
		marks_set(w->m->want, i);
		if (execution_insn(w->e, i)->op == CODE_CALL)
			backward_want_returned(w, i, w->sources[i - w->first]);
	}
	for (uint32_t i = 0; (call = execution_late_call(w->e, i)) != UINT32_MAX; i++)
		if (marks_has(w->m->values, call))
			backward_want_returned(w, call, execution_late(w->e, call));
}

/* Those of bytes; others are marked when all begins. */
static void take_criterion(struct backward_walker *w, const struct slice_criterion *c)
{
	if (c->itself || !c->to)
		return;
	if (backward_copies(w, c->instance)) {
		marks_set(w->m->want, c->instance);
		marks_add_range(w->m, c->instance, c->from, c->to - c->from);
	} else {
		w->instance = c->instance;
		execution_origins(w->e, c->instance, c->from, c->to, backward_want_origin, w);
	}
}

void backward_walk(struct backward *b, const struct execution *e)
{
	struct backward_walker w = {.b = b,
	                            .m = &b->marks,
	                            .e = e,
	                            .code = execution_code_table((struct execution *)e),
	                            .sources = execution_sources(e),
	                            .copies = execution_copy_bits(e),
	                            .control = !b->options.data_only,
	                            .edges = b->options.edge != NULL,
	                            .limit = UINT32_MAX};
	uint32_t count, end;

	w.slow = w.edges || b->options.relevant;
	sides_table_init(&w.sides, w.code->program);

	execution_kept(e, &w.first, &w.end);
	w.segments = execution_segments(e, &w.segment_count);
	w.frames = execution_frames(e, &count);
	find_spanning(&w);
	take_wanted(&w);
	for (uint32_t i = 0; i < b->count; i++)
		if (backward_keeps(&w, b->criteria[i].instance))
			take_criterion(&w, &b->criteria[i]);
	end = w.end;
	for (uint32_t i = w.segment_count; i-- > 0; end = w.segments[i].first) {
		do_returned(&w, end);
		do_segment(&w, &w.segments[i], end);
	}
	do_returned(&w, 0);
	marks_drop_ranges(w.m, w.first);
	relevant_drop(&b->relevant, w.first);
	sides_table_deinit(&w.sides);
	vec_deinit(&w.spanning.at);
	span_map_deinit(&w.spans);
	b->found.windows++;
	if (execution_bytes(e) > b->found.peak)
		b->found.peak = execution_bytes(e);
}
