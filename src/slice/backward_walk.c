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
#include "slice/backward.h"

#include <assert.h>
#include <stdlib.h>

/* Outside calls that called back: when they returned, and the youngest of the instances within that
   want something of the call. */
struct span {
	uint32_t until;
	bool early;
};

MAP_DEFINE_U64(span_map, struct span);

struct walker {
	struct backward *b;
	struct marks *m;
	const struct execution *e;
	const struct execution_segment *segments;
	uint32_t segment_count;
	const struct execution_frame *frames;
	struct code *code;
	const uint32_t *sources; /* of instances from `first` on */
	const uint64_t *copies;
	uint32_t first, end;
	uint32_t instance; /* whose origins are being told */
	uint32_t limit;    /* origins from this instance on do not count */
	bool control, edges;
	bool slow; /* all origins must be seen */
	struct sides_table sides;
	VEC(uint32_t) spanning; /* calls that called back, by the order of their return */
	struct span_map spans;  /* the same, by instance */
};

/* --- wanting --- */

static void note_source(struct walker *w, uint32_t source)
{
	if (source == SOURCE_GIVEN)
		w->b->found.given = true;
	else if (source == SOURCE_UNSEEN || source == SOURCE_NONE)
		w->b->found.unseen = true;
}

static bool is_kept(const struct walker *w, uint32_t instance)
{
	return instance >= w->first && instance < w->end;
}

static bool copies(const struct walker *w, uint32_t instance)
{
	return w->copies && marks_has(w->copies, instance);
}

static void want_value(struct walker *w, uint32_t instance);

/* What is to be done for the value of a call that is not an outside one. */
static void want_returned(struct walker *w, uint32_t source)
{
	if (source && !(source & EXECUTION_GROUP))
		want_value(w, source);
}

static void want_value(struct walker *w, uint32_t instance)
{
	if (instance < EXECUTION_FIRST) {
		note_source(w, instance);
	} else if (!is_kept(w, instance)) {
		marks_set(w->m->in, instance);
		marks_set(w->m->values, instance);
		want_returned(w, execution_late(w->e, instance));
	} else if (execution_insn(w->e, instance)->op != CODE_CALL) {
		marks_set(w->m->want, instance);
	} else if (!marks_has(w->m->values, instance)) {
		marks_set(w->m->values, instance);
		marks_set(w->m->want, instance);
		want_returned(w, w->sources[instance - w->first]);
	}
}

static void want_early(struct walker *w, uint32_t call);

static void want_bytes(struct walker *w, const struct execution_origin *origin)
{
	uint64_t size = origin->size;

	if (origin->source < EXECUTION_FIRST) {
		note_source(w, origin->source);
		return;
	}
	marks_set(w->m->want, origin->source);
	if (!copies(w, origin->source))
		return;
	if (!origin->written)
		size = 0;
	marks_add_range(w->m, origin->source, origin->written, size);
	want_early(w, origin->source);
}

/* A branch or call that decided that the instances of this frame were executed. */
static void want_control(struct walker *w, uint32_t frame, uint32_t parent)
{
	const struct execution_frame *f = &w->frames[frame];

	if (parent < EXECUTION_FIRST)
		return;
	if (parent == f->call || parent == f->within)
		marks_set(w->m->in, parent);
	else
		marks_set(w->m->want, parent);
}

static void tell_edge(struct walker *w, uint32_t from, bool control)
{
	if (w->edges)
		*vec_push(&w->b->found.edges) =
			(struct slice_edge){.from = from, .to = w->instance, .control = control};
}

static void open_memory(struct walker *w, const struct execution_origin *o);

static void want_memory(struct walker *w, const struct execution_origin *origin)
{
	want_bytes(w, origin);
	if (w->b->options.relevant)
		open_memory(w, origin);
}

static void want_origin(void *context, const struct execution_origin *origin)
{
	struct walker *w = context;

	assert(origin->source != SOURCE_EARLIER); /* windows know what came before */
	if ((origin->chosen && !w->control) || origin->source >= w->limit)
		return;
	tell_edge(w, origin->source, origin->chosen);
	if (origin->chosen)
		want_control(w, execution_segment(w->e, w->instance)->frame, origin->source);
	else if (origin->itself)
		marks_set(w->m->in, origin->source);
	else if (origin->size)
		want_memory(w, origin);
	else
		want_value(w, origin->source);
}

/* --- potential dependences --- */

/* Accesses through pointers that reach what an instance read. */
static uint32_t classes_of(const struct walker *w, uint32_t instance)
{
	const struct code_function *f;
	const struct code_insn *insn;
	uint32_t number;

	if (!is_kept(w, instance))
		return SIDES_ALL;
	number = execution_code(w->e, instance);
	f = code_of(w->code, number);
	insn = &f->insns[number - f->first];
	if (insn->op != CODE_LOAD && insn->op != CODE_LOAD_WIDE)
		return SIDES_ALL;
	if (!(insn->a & 1) && !(f->makers[insn->a >> 1] & CODE_PARAMETER)) {
		const struct code_insn *maker = &f->insns[f->makers[insn->a >> 1]];

		if (maker->op == CODE_LOCAL && maker->b == UINT32_MAX)
			return 0; /* a local whose address is not taken */
	}
	return sides_class(w->code->program->modules.at[f->place.module].plan->layout,
	                   LLVMTypeOf(f->instructions[number - f->first]));
}

static void open_memory(struct walker *w, const struct execution_origin *o)
{
	uint32_t since = o->source < EXECUTION_FIRST ? 0 : o->source;

	relevant_add(&w->b->relevant, o->from, o->size, since, w->instance,
	             classes_of(w, w->instance));
}

static uint32_t block_of(const struct code_function *f, uint32_t pc)
{
	uint32_t low = 0, high = f->plan->blocks.size;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (f->blocks[middle] <= pc)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Could the branch, had it gone another way, have changed what was read later? Of a switch, the way
   that it went counts, too. */
static void try_branch(struct walker *w, const struct execution_segment *s,
                       const struct code_function *f, uint32_t branch)
{
	uint32_t pc = s->code - f->first + (branch - s->first), load = 0;
	uint32_t block = block_of(f, pc), count = f->plan->blocks.at[block].successors;
	uint8_t op = f->insns[pc].op;
	uint32_t taken = op == CODE_BRANCH ? !execution_value(w->e, branch) : UINT32_MAX;

	if ((op != CODE_BRANCH && op != CODE_SWITCH && op != CODE_JUMP) ||
	    marks_has(w->m->want, branch))
		return;
	for (uint32_t side = 0; !load && side < count; side++)
		if (side != taken)
			load = relevant_find(&w->b->relevant, sides_of(&w->sides, f, block, side),
			                     w->frames[s->frame].address, branch);
	if (!load)
		return;
	marks_set(w->m->want, branch);
	if (w->edges)
		*vec_push(&w->b->found.edges) =
			(struct slice_edge){.from = branch, .to = load, .potential = true};
}

/* --- one instance --- */

/* The instance, in a callback, read what the call under way had written by then: that depends on what
   callbacks returned before. The first that is found is the youngest, so it does for all. */
static void want_early(struct walker *w, uint32_t call)
{
	struct span *span = w->spans.size ? span_map_find(&w->spans, call) : NULL;
	uint32_t instance = w->instance;

	if (!span || span->early || instance >= span->until || instance <= call)
		return;
	span->early = true;
	w->limit = instance;
	w->instance = call;
	execution_origins(w->e, call, 0, 0, want_origin, w);
	w->limit = UINT32_MAX;
	w->instance = instance;
}

static void want_origins(struct walker *w, uint32_t instance)
{
	w->instance = instance;
	execution_origins(w->e, instance, 0, 0, want_origin, w);
}

static void want_ranges(struct walker *w, uint32_t instance)
{
	const struct marks_ranges *r = marks_ranges(w->m, instance);
	VEC(struct execution_range) ranges = VEC_INIT;

	w->instance = instance;
	if (!r || r->whole) {
		execution_origins(w->e, instance, 0, 0, want_origin, w);
		return;
	}
	/* New ranges may move these; and where a copy did not write, it is not known what is meant. */
	for (uint32_t i = 0; i < r->at.size; i++) {
		struct execution_range range = r->at.at[i];

		*vec_push(&ranges) = range;
		if (!execution_wrote(w->e, instance, range.from, range.to - range.from)) {
			ranges.size = 0;
			break;
		}
	}
	execution_origins_of(w->e, instance, ranges.at, ranges.size, want_origin, w);
	vec_deinit(&ranges);
}

static void want_operand(struct walker *w, uint32_t instance, uint32_t operand)
{
	uint64_t value;
	uint32_t made;

	w->instance = instance;
	if (operand == CODE_NO_OPERAND ||
	    !execution_operand(w->e, instance, operand, &value, &made) || !made)
		return;
	tell_edge(w, made, true);
	want_value(w, made);
}

/* Which function was called is why all in it was executed; and its value depends on that. */
static void want_callee(struct walker *w, uint32_t instance, const struct code_insn *insn)
{
	if (w->control || marks_has(w->m->values, instance))
		want_operand(w, instance, ((const struct code_call *)insn->more)->callee);
}

static bool is_outside(const struct walker *w, uint32_t call)
{
	return w->sources[call - w->first] & EXECUTION_GROUP;
}

static void do_call(struct walker *w, uint32_t call, const struct code_insn *insn)
{
	const struct execution_group *group;

	want_callee(w, call, insn);
	if (!is_outside(w, call))
		return;
	group = execution_group(w->e, w->sources[call - w->first]);
	w->b->found.guesses += !execution_call(w->e, group->call)->modelled;
	w->limit = call; /* what is younger was done when it returned */
	if (marks_has(w->m->values, call))
		want_origins(w, call);
	else if (marks_has(w->m->want, call))
		want_ranges(w, call);
	w->limit = UINT32_MAX;
}

/* --- the fast way: operands made in the same segment --- */

struct place {
	const struct code_function *function;
	uint32_t first; /* instance of the segment */
	uint32_t code;  /* of that, in the function */
};

/* False: it is not that simple. */
static inline bool want_near(struct walker *w, const struct place *p, uint32_t instance,
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
static inline bool want_stored(struct walker *w, uint32_t instance)
{
	uint32_t source = w->sources[instance - w->first];

	if (source & EXECUTION_GROUP)
		return false;
	if (source < EXECUTION_FIRST)
		note_source(w, source);
	else if (copies(w, source))
		return false;
	else
		marks_set(w->m->want, source);
	return true;
}

static bool want_near_list(struct walker *w, const struct place *p, uint32_t instance,
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

static inline bool do_simple(struct walker *w, const struct place *p, uint32_t instance,
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

static inline void do_instance(struct walker *w, const struct place *p, uint32_t instance)
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
	} else if (copies(w, instance)) {
		want_ranges(w, instance);
	} else {
		want_origins(w, instance);
	}
}

/* --- the way --- */

static bool is_in(const struct walker *w, uint32_t instance)
{
	return marks_has(w->m->in, instance) || marks_has(w->m->want, instance);
}

static void do_segment(struct walker *w, const struct execution_segment *s, uint32_t end)
{
	const struct code_function *f = w->code->functions.at[w->frames[s->frame].function];
	struct place p = {f, s->first, s->code - f->first};
	bool any = false;

	if (w->b->options.relevant)
		try_branch(w, s, f, end - 1);
	for (uint32_t i = end; i-- > s->first;) {
		if (!is_in(w, i))
			continue;
		any = true;
		do_instance(w, &p, i);
		w->instance = i;
		if (w->control && s->parent)
			tell_edge(w, s->parent, true);
	}
	if (any && w->control)
		want_control(w, s->frame, s->parent);
}

/* Calls that called back, and returned behind the segment that ends here. */
static void do_returned(struct walker *w, uint32_t end)
{
	while (w->spanning.size) {
		const struct execution_call *call =
			execution_call(w->e, w->spanning.at[w->spanning.size - 1]);

		if (call->until < end)
			return;
		w->spanning.size--;
		if (marks_has(w->m->values, call->instance))
			want_origins(w, call->instance);
		else if (marks_has(w->m->want, call->instance))
			want_ranges(w, call->instance);
	}
}

static const struct execution *sorted; /* whose calls are being compared */

static int by_return(const void *a, const void *b)
{
	uint32_t x = execution_call(sorted, *(const uint32_t *)a)->until;
	uint32_t y = execution_call(sorted, *(const uint32_t *)b)->until;

	return (x > y) - (x < y);
}

static void find_spanning(struct walker *w)
{
	uint32_t count = execution_call_count(w->e);

	for (uint32_t i = 1; i <= count; i++) {
		const struct execution_call *call = execution_call(w->e, i);

		if (!call->returned || call->until <= call->instance + 1)
			continue;
		*vec_push(&w->spanning) = i;
		span_map_put(&w->spans, call->instance)->until = call->until;
	}
	sorted = w->e;
	if (w->spanning.size)
		qsort(w->spanning.at, w->spanning.size, sizeof(*w->spanning.at), by_return);
}

/* --- what later windows and the user want of this one --- */

static void take_wanted(struct walker *w)
{
	uint32_t call;

	for (uint32_t i = marks_next(w->m->values, w->first, w->end); i < w->end;
	     i = marks_next(w->m->values, i + 1, w->end)) {
		marks_set(w->m->want, i);
		if (execution_insn(w->e, i)->op == CODE_CALL)
			want_returned(w, w->sources[i - w->first]);
	}
	for (uint32_t i = 0; (call = execution_late_call(w->e, i)) != UINT32_MAX; i++)
		if (marks_has(w->m->values, call))
			want_returned(w, execution_late(w->e, call));
}

/* Those of bytes; others are marked when all begins. */
static void take_criterion(struct walker *w, const struct slice_criterion *c)
{
	if (c->itself || !c->to)
		return;
	if (copies(w, c->instance)) {
		marks_set(w->m->want, c->instance);
		marks_add_range(w->m, c->instance, c->from, c->to - c->from);
	} else {
		w->instance = c->instance;
		execution_origins(w->e, c->instance, c->from, c->to, want_origin, w);
	}
}

void backward_walk(struct backward *b, const struct execution *e)
{
	struct walker w = {.b = b,
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
		if (is_kept(&w, b->criteria[i].instance))
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
	vec_deinit(&w.spanning);
	span_map_deinit(&w.spans);
	b->found.windows++;
	if (execution_bytes(e) > b->found.peak)
		b->found.peak = execution_bytes(e);
}
