/* What an instance in a dual slice came from, and whether that differs: see dual_walk.h. */
#include "slice/dual_walk.h"

static void add_origin(void *context, const struct execution_origin *origin)
{
	struct dual_origins *list = context;

	*vec_push(&list->at) = *origin;
}

static const struct dual_run *run_of(const struct dual_use *use)
{
	return &use->walk->pair->runs[use->side];
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

/* Where the other run's instance reads what this one reads at an address; 0: it does not. */
static uint64_t read_there(const struct dual_use *use, uint64_t address)
{
	uint64_t here = read_at(run_of(use), use->instance);
	uint64_t there = read_at(&use->walk->pair->runs[!use->side], use->other);

	if (here && there)
		return address - here + there;
	return dual_pair_place(use->walk->pair, use->side, use->instance, address);
}

/* Does the other run's instance have it from that source, byte for byte? */
static bool has_source(const struct dual_use *use, uint32_t source,
                       const struct execution_origin *like)
{
	uint64_t at = like->size && !like->value ? read_there(use, like->from) : 0;

	for (uint32_t i = 0; i < use->others.at.size; i++) {
		const struct execution_origin *o = &use->others.at.at[i];

		if (o->source != source || o->chosen || !o->size != !like->size)
			continue;
		if (!like->size || like->value ||
		    (at >= o->from && at + like->size <= o->from + o->size))
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
	dual_walk_want(use->walk, item);
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
	dual_walk_want(use->walk, item);
}

static bool decides(const struct dual_use *use, uint32_t by)
{
	uint32_t other = dual_pair_counterpart(use->walk->pair, use->side, by);

	return !other || dual_pair_parts(use->walk->pair, use->side, by, other);
}

/* Why only one of the runs has the instance. It need not be what it hangs on: the other run may have left
   by another way, longjmp() for instance. */
void dual_use_explain(const struct dual_use *use)
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

void dual_use_follow(const struct dual_use *use, const struct execution_origin *o)
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

void dual_use_init(struct dual_use *use, struct dual_walk *w, unsigned side, uint32_t instance)
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
void dual_use_deinit(struct dual_use *use)
{
	use->walk->lists[0] = use->origins;
	use->walk->lists[1] = use->others;
}

/* Of bytes that a copy wrote the other run's may lie elsewhere. */
void dual_use_find(struct dual_use *use, uint64_t from, uint64_t to)
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

void dual_use_follow_operand(struct dual_use *use, uint32_t operand)
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
	dual_use_follow(use, &o);
}

const struct code_call *dual_use_call(const struct dual_use *use)
{
	const struct code_insn *insn = execution_insn(run_of(use)->e, use->instance);

	return insn->op == CODE_CALL ? insn->more : NULL;
}
