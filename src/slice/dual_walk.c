/*
 * The way back through both runs: a worklist of what is wanted of which instance. What is wanted in one
 * run is wanted in the other as well, if that has the instance.
 */
#include <string.h>

#include "slice/dual_walk.h"

/* The instance that is looked at, and what both runs have it from. */
struct dual_use {
	struct dual_walk *walk;
	unsigned side;
	uint32_t instance;
	uint32_t other; /* the aligned one; 0: none */
	uint32_t limit; /* instances from this on do not count */
	struct dual_origins origins, others;
};

static void add_origin(void *context, const struct execution_origin *origin)
{
	struct dual_origins *list = context;

	*vec_push(&list->at) = *origin;
}

static const struct dual_run *run_of(const struct dual_use *use)
{
	return &use->walk->pair->runs[use->side];
}

/* --- wanting --- */

static bool is_new(struct dual_found *f, const struct dual_item *item)
{
	uint32_t *limit;
	bool whole = marks_has(f->whole, item->instance);

	switch ((enum dual_want)item->want) {
	case DUAL_ITSELF: return item->fresh;
	case DUAL_VALUE: marks_set(f->whole, item->instance); return !whole;
	case DUAL_BYTES:
		return !whole && dual_ranges_add(dual_range_map_put(&f->ranges, item->instance),
		                                 item->from, item->to);
	default:
		limit = dual_limit_map_put(&f->limits, item->instance);
		if (whole || item->limit <= *limit)
			return false;
		*limit = item->limit;
		return true;
	}
}

static bool add(struct dual_walk *w, struct dual_item *item)
{
	struct dual_found *f = &w->found[item->side];

	if (item->want == DUAL_BYTES &&
	    (!item->from || !execution_copies(w->pair->runs[item->side].e, item->instance)))
		item->want = DUAL_VALUE;
	if (item->want != DUAL_BYTES)
		item->from = item->to = 0;
	item->fresh = !marks_has(f->in, item->instance);
	marks_set(f->in, item->instance);
	if (!is_new(f, item))
		return false;
	*vec_push(&w->work) = *item;
	return true;
}

/* The same of the other run. */
static bool mirror(const struct dual_walk *w, struct dual_item *item)
{
	uint32_t other = dual_pair_counterpart(w->pair, item->side, item->instance), both[2];
	uint64_t from;

	if (!other)
		return false;
	both[item->side] = item->instance;
	both[!item->side] = other;
	if (item->want == DUAL_BYTES) {
		if (!dual_pair_written(w->pair, item->side, both, item->from, &from))
			item->want = DUAL_VALUE;
		else
			item->to += from - item->from;
		item->from = item->want == DUAL_BYTES ? from : 0;
	} else if (item->want == DUAL_EARLY) {
		item->limit = dual_pair_counterpart(w->pair, item->side, item->limit);
	}
	item->instance = other;
	item->side = !item->side;
	return true;
}

static void want(struct dual_walk *w, struct dual_item item)
{
	if (item.instance >= EXECUTION_FIRST && add(w, &item) && mirror(w, &item))
		add(w, &item);
}

/* --- does it differ? --- */

/* Where the instance read from; 0: from more than one place, or not at all. */
static uint64_t read_at(const struct dual_run *run, uint32_t instance)
{
	const struct code_insn *insn = execution_insn(run->e, instance);
	uint64_t address = 0;
	uint32_t made;

	switch ((enum code_op)insn->op) {
	case CODE_LOAD:
	case CODE_LOAD_WIDE:
	case CODE_ATOMIC: execution_operand(run->e, instance, insn->a, &address, &made); break;
	case CODE_COPY:
	case CODE_VA_COPY: execution_operand(run->e, instance, insn->b, &address, &made); break;
	default: break;
	}
	return address;
}

/* Does the other run's instance have it from that source, byte for byte where they can be told? */
static bool has_source(const struct dual_use *use, uint32_t source,
                       const struct execution_origin *like)
{
	uint64_t here = 0, there = 0, at;

	if (like->size) {
		here = read_at(run_of(use), use->instance);
		there = read_at(&use->walk->pair->runs[!use->side], use->other);
	}
	for (uint32_t i = 0; i < use->others.at.size; i++) {
		const struct execution_origin *o = &use->others.at.at[i];

		if (o->source != source || o->chosen || !o->size != !like->size)
			continue;
		at = like->from - here + there;
		if (!here || !there || (at >= o->from && at + like->size <= o->from + o->size))
			return true;
	}
	return false;
}

static void both_of(const struct dual_use *use, uint32_t instance, uint32_t other, uint32_t out[2])
{
	out[use->side] = instance;
	out[!use->side] = other;
}

/* What no instance made. */
static bool differs_before(const struct dual_use *use, const struct execution_origin *o)
{
	const struct code_insn *insn = execution_insn(run_of(use)->e, use->instance);
	uint32_t both[2];

	if (use->other && !has_source(use, o->source, o))
		return true;
	both_of(use, use->instance, use->other, both);
	if (o->source == SOURCE_GIVEN && o->size)
		return !dual_pair_same_given(use->walk->pair, use->side, o->from, o->size);
	if (use->other && (insn->op == CODE_LOAD || o->source == SOURCE_GIVEN))
		return !dual_pair_same_value(use->walk->pair, both);
	return o->source != SOURCE_INITIAL && o->source != SOURCE_UNDEFINED;
}

static bool differs(const struct dual_use *use, const struct execution_origin *o)
{
	uint32_t other, both[2];

	if (o->source < EXECUTION_FIRST)
		return differs_before(use, o);
	other = dual_pair_counterpart(use->walk->pair, use->side, o->source);
	if (!other || (use->other && !has_source(use, other, o)))
		return true;
	if (o->itself)
		return false;
	both_of(use, o->source, other, both);
	if (o->size && !o->value)
		return !o->written ||
		       !dual_pair_same_bytes(use->walk->pair, use->side, both, o->written, o->size);
	return !dual_pair_same_value(use->walk->pair, both);
}

/* --- following --- */

static void add_edge(const struct dual_use *use, uint32_t from, const struct execution_origin *o,
                     bool control)
{
	struct dual_edge edge = {
		.from = from, .to = use->instance, .side = (uint8_t)use->side, .control = control};

	if (o && o->size && !o->value) {
		edge.address = o->from;
		edge.size = o->size;
	}
	dual_edges_add(&use->walk->found[use->side].edges, &edge);
	if (!edge.size || !o->written || o->written == o->from)
		return;
	edge.address = o->written;
	dual_edges_add(&use->walk->found[use->side].passed, &edge);
}

/* Is the instance within the outside call that it reads from: has that called it back? */
static bool is_within(const struct dual_use *use, uint32_t call)
{
	const struct dual_run *run = run_of(use);
	uint32_t source;

	if (use->instance < call || execution_insn(run->e, call)->op != CODE_CALL)
		return false;
	source = execution_source(run->e, call);
	return source & EXECUTION_GROUP &&
	       use->instance < execution_call(run->e, execution_group(run->e, source)->call)->until;
}

static void follow_data(const struct dual_use *use, const struct execution_origin *o)
{
	struct dual_item item = {.instance = o->source,
	                         .limit = UINT32_MAX,
	                         .side = (uint8_t)use->side,
	                         .want = DUAL_VALUE};

	add_edge(use, o->source, o, false);
	if (o->source < EXECUTION_FIRST)
		return;
	if (o->itself) {
		item.want = DUAL_ITSELF;
	} else if (o->size && !o->value && is_within(use, o->source)) {
		item.want = DUAL_EARLY;
		item.limit = use->instance;
	} else if (o->size && !o->value) {
		item.want = DUAL_BYTES;
		item.from = o->written;
		item.to = o->written + o->size;
	}
	want(use->walk, item);
}

/* A branch or call that decided. */
static void follow_control(const struct dual_use *use, uint32_t by)
{
	struct dual_item item = {.instance = by,
	                         .limit = UINT32_MAX,
	                         .side = (uint8_t)use->side,
	                         .want = DUAL_VALUE};

	add_edge(use, by, NULL, true);
	if (execution_insn(run_of(use)->e, by)->op == CODE_CALL)
		item.want = DUAL_ITSELF;
	want(use->walk, item);
}

static bool decides(const struct dual_use *use, uint32_t by)
{
	uint32_t other = dual_pair_counterpart(use->walk->pair, use->side, by);

	return !other || dual_pair_parts(use->walk->pair, use->side, by, other);
}

/* Why only one of the runs has the instance. It need not be what it hangs on: the other run may have left
   by another way, longjmp() for instance. */
static void explain_execution(const struct dual_use *use)
{
	const struct dual_run *run = run_of(use);
	uint32_t parent = execution_segment(run->e, use->instance)->parent;
	const struct align_fork *fork;

	if (parent >= EXECUTION_FIRST && decides(use, parent)) {
		follow_control(use, parent);
		return;
	}
	fork = alignment_decided(use->walk->pair->alignment, use->side == 0,
	                         dual_run_time(run, use->instance));
	parent = fork ? dual_run_of_time(run, use->side ? fork->b : fork->a) : 0;
	if (parent)
		follow_control(use, parent);
}

static void follow(const struct dual_use *use, const struct execution_origin *o)
{
	if (o->source >= use->limit)
		return;
	if (o->chosen && (o->source < EXECUTION_FIRST || !decides(use, o->source)))
		return;
	if (o->chosen)
		follow_control(use, o->source);
	else if (differs(use, o))
		follow_data(use, o);
}

/* --- one instance --- */

static void use_init(struct dual_use *use, struct dual_walk *w, unsigned side, uint32_t instance)
{
	*use = (struct dual_use){.walk = w,
	                         .side = side,
	                         .instance = instance,
	                         .other = dual_pair_counterpart(w->pair, side, instance),
	                         .limit = UINT32_MAX,
	                         .origins = w->lists[0],
	                         .others = w->lists[1]};
	use->origins.at.size = use->others.at.size = 0;
}

/* One at a time is looked at: the next one takes over its lists. */
static void use_deinit(struct dual_use *use)
{
	use->walk->lists[0] = use->origins;
	use->walk->lists[1] = use->others;
}

/* Of bytes that a copy wrote the other run's may lie elsewhere. */
static void use_find(struct dual_use *use, uint64_t from, uint64_t to)
{
	const struct dual_pair *pair = use->walk->pair;
	uint32_t both[2];
	uint64_t there;

	execution_origins(run_of(use)->e, use->instance, from, to, add_origin, &use->origins);
	if (!use->other)
		return;
	both_of(use, use->instance, use->other, both);
	if (to && dual_pair_written(pair, use->side, both, from, &there))
		execution_origins(pair->runs[!use->side].e, use->other, there, there + (to - from),
		                  add_origin, &use->others);
	else
		execution_origins(pair->runs[!use->side].e, use->other, 0, 0, add_origin,
		                  &use->others);
}

/* The call by which its function was called: what that passes is no value of its own. */
static uint32_t caller_of(const struct dual_use *use)
{
	const struct dual_run *run = run_of(use);
	const struct execution_frame *f =
		&run->frames[execution_segment(run->e, use->instance)->frame];

	return f->call ? f->call : f->within;
}

static void follow_operand(struct dual_use *use, uint32_t operand)
{
	const struct dual_pair *pair = use->walk->pair;
	struct execution_origin o = {0}, other = {0};
	uint64_t value;

	if (operand == CODE_NO_OPERAND ||
	    !execution_operand(run_of(use)->e, use->instance, operand, &value, &o.source) ||
	    !o.source)
		return;
	if (use->other &&
	    execution_operand(pair->runs[!use->side].e, use->other, operand, &value, &other.source))
		add_origin(&use->others, &other);
	o.itself = o.source == caller_of(use);
	follow(use, &o);
}

static const struct code_call *call_of(const struct dual_use *use)
{
	const struct code_insn *insn = execution_insn(run_of(use)->e, use->instance);

	return insn->op == CODE_CALL ? insn->more : NULL;
}

static void process(struct dual_walk *w, const struct dual_item *item)
{
	struct dual_use use;

	use_init(&use, w, item->side, item->instance);
	use.limit = item->limit;
	if (item->fresh && !use.other)
		explain_execution(&use);
	/* Which function was called is why all in it was executed. */
	if (item->want == DUAL_ITSELF && call_of(&use))
		follow_operand(&use, call_of(&use)->callee);
	if (item->want != DUAL_ITSELF)
		use_find(&use, item->from, item->to);
	for (uint32_t i = 0; i < use.origins.at.size; i++)
		follow(&use, &use.origins.at.at[i]);
	use_deinit(&use);
}

void dual_walk_run(struct dual_walk *w, bool (*stop)(void *context), void *context)
{
	for (uint32_t steps = 1; w->work.size; steps++) {
		struct dual_item item = w->work.at[--w->work.size];

		process(w, &item);
		if (stop && steps % 16384 == 0 && stop(context)) {
			w->stopped = true;
			break;
		}
	}
	for (unsigned i = 0; i < 2; i++)
		dual_edges_sort(&w->found[i].edges);
}

/* --- where it begins --- */

static void want_itself(struct dual_walk *w, unsigned side, uint32_t instance, enum dual_want how)
{
	want(w, (struct dual_item){.instance = instance,
	                           .limit = UINT32_MAX,
	                           .side = (uint8_t)side,
	                           .want = (uint8_t)how});
}

/* What a function of the program is given; what it returns is not read by the call. */
static void seed_call(struct dual_walk *w, unsigned side, uint32_t instance)
{
	const struct code_call *call;
	struct dual_use use;

	use_init(&use, w, side, instance);
	call = call_of(&use);
	want_itself(w, side, instance, DUAL_ITSELF);
	for (uint32_t i = 0; i < call->count; i++)
		follow_operand(&use, call->arguments[i].operand);
	use_deinit(&use);
}

/* The part of what was read that lies between these addresses. */
static bool clip(struct execution_origin *o, uint64_t from, uint64_t to)
{
	uint64_t begin = o->from > from ? o->from : from;
	uint64_t end = o->from + o->size < to ? o->from + o->size : to;

	if (!o->size || o->value || o->chosen || begin >= end)
		return false;
	o->written += o->written ? begin - o->from : 0;
	o->from = begin;
	o->size = end - begin;
	return true;
}

static void seed_bytes(struct dual_walk *w, unsigned side, uint32_t instance, uint64_t from,
                       uint64_t to)
{
	struct dual_use use;

	use_init(&use, w, side, instance);
	use_find(&use, 0, 0);
	for (uint32_t i = 0; i < use.origins.at.size; i++) {
		struct execution_origin o = use.origins.at.at[i];

		if (!clip(&o, from, to))
			continue;
		want_itself(w, side, instance, DUAL_ITSELF);
		follow(&use, &o);
	}
	use_deinit(&use);
}

void dual_walk_seed(struct dual_walk *w, const struct dual_seed *seed)
{
	for (unsigned side = 0; side < 2; side++) {
		const struct dual_run *run = &w->pair->runs[side];
		uint32_t end = dual_run_of_time(run, seed->times[side]), instance = end;
		uint64_t from = seed->from[side], to = seed->to[side];

		if (!end)
			continue;
		if (to) {
			while (instance >= run->first &&
			       dual_run_time(run, instance) == seed->times[side])
				seed_bytes(w, side, instance--, from, to);
		} else if (execution_insn(run->e, end)->op == CODE_CALL &&
		           !(execution_source(run->e, end) & EXECUTION_GROUP)) {
			seed_call(w, side, end);
		} else {
			want_itself(w, side, end, DUAL_VALUE);
		}
	}
}

/* --- beginning and end --- */

void dual_walk_init(struct dual_walk *w, struct dual_pair *pair)
{
	*w = (struct dual_walk){.pair = pair};
	for (unsigned i = 0; i < 2; i++) {
		size_t words = pair->runs[i].end / 64 + 1;

		w->found[i].in = mem_alloc(words * sizeof(uint64_t));
		w->found[i].whole = mem_alloc(words * sizeof(uint64_t));
	}
}

void dual_walk_deinit(struct dual_walk *w)
{
	for (unsigned i = 0; i < 2; i++) {
		struct dual_found *f = &w->found[i];

		free(f->in);
		free(f->whole);
		map_each(&f->ranges, k) vec_deinit(&f->ranges.at[k].value.at);
		dual_range_map_deinit(&f->ranges);
		dual_limit_map_deinit(&f->limits);
		vec_deinit(&f->edges.at);
		vec_deinit(&f->passed.at);
	}
	vec_deinit(&w->work);
	vec_deinit(&w->lists[0].at);
	vec_deinit(&w->lists[1].at);
}
