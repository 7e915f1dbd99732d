/* Where values came from, found from what is kept: see execution.h. */
#include "trace/executor.h"

struct teller {
	const struct execution *e;
	uint32_t instance;
	uint32_t frame;                       /* that it is of */
	const struct execution_range *ranges; /* bytes that count */
	uint32_t count;                       /* 0: all of them do */
	void (*tell)(void *context, const struct execution_origin *origin);
	void *context;
};

static bool is_parameter(const struct execution *e, uint32_t instance, uint32_t operand)
{
	const struct code_function *f = code_of(&e->code, execution_segment(e, instance)->code);

	return !(operand & 1) && f->makers[operand >> 1] & CODE_PARAMETER;
}

static uint32_t root(const struct execution_frame *frame)
{
	return frame->call ? frame->call : frame->within;
}

/* Is `call` the one that this instance's function, or a caller of it, was called by? */
static bool is_under_way(const struct execution *e, uint32_t instance, uint32_t call)
{
	const struct execution_frame *frame = &e->frames.at[execution_segment(e, instance)->frame];

	while (root(frame) > call && frame->caller)
		frame = &e->frames.at[frame->caller - 1];
	return root(frame) == call;
}

/* A parameter that outside code gave: it may be made from anything that this code was given. */
static void tell_received(const struct teller *t, uint32_t operand)
{
	const struct execution_segment *s = execution_segment(t->e, t->instance);
	const struct code_function *f = code_of(&t->e->code, s->code);
	const struct code_call *call = executor_caller(t->e, s->frame);
	struct execution_origin origin = {.source = SOURCE_GIVEN,
	                                  .from = f->makers[operand >> 1] & ~CODE_PARAMETER};

	if (t->e->frames.at[s->frame].within)
		origin = (struct execution_origin){.source = t->e->frames.at[s->frame].within,
		                                   .itself = true};
	t->tell(t->context, &origin);
	origin.itself = false;
	for (uint32_t i = 0; call && i < call->count; i++) {
		uint64_t value;

		if (executor_passed(t->e, s->frame, call->arguments[i].operand, &value,
		                    &origin.source) &&
		    origin.source)
			t->tell(t->context, &origin);
	}
}

static void tell_operand(const struct teller *t, uint32_t operand)
{
	struct execution_origin origin = {0};
	uint64_t value;

	if (operand == CODE_NO_OPERAND)
		return;
	if (is_parameter(t->e, t->instance, operand) &&
	    !t->e->frames.at[execution_segment(t->e, t->instance)->frame].call) {
		tell_received(t, operand);
		return;
	}
	if (!execution_operand(t->e, t->instance, operand, &value, &origin.source))
		origin.source = t->e->kept_from + t->e->forgotten > EXECUTION_FIRST ? SOURCE_EARLIER
		                                                                    : SOURCE_NONE;
	if (!origin.source)
		return;
	/* A call that has not returned has no value of its own: it only passed something on. */
	origin.itself = is_parameter(t->e, t->instance, operand) &&
	                is_under_way(t->e, t->instance, origin.source);
	t->tell(t->context, &origin);
}

/* --- bytes of structures that were passed by value --- */

/* Is it a call of a function that we see? Such a call writes nothing but what it passes. */
static bool only_passes(const struct execution *e, uint32_t source)
{
	return executor_is_kept(e, source) && execution_insn(e, source)->op == CODE_CALL &&
	       !(e->sources[source - e->kept_from] & EXECUTION_GROUP);
}

bool execution_wrote(const struct execution *e, uint32_t source, uint64_t at, uint64_t size)
{
	bool kept = executor_is_kept(e, source);
	uint32_t group = kept ? e->sources[source - e->kept_from] : execution_late(e, source);
	uint8_t op = kept ? execution_insn(e, source)->op : CODE_CALL;
	const struct execution_flow *flows;
	bool somewhere = false;

	if ((op != CODE_COPY && op != CODE_VA_COPY && op != CODE_CALL) ||
	    !(group & EXECUTION_GROUP))
		return true;
	flows = execution_flows(e, execution_group(e, group));
	for (uint32_t i = 0; i < execution_group(e, group)->count; i++) {
		somewhere |= flows[i].to != 0;
		if (flows[i].to && at < flows[i].to + flows[i].size && flows[i].to < at + size)
			return true;
	}
	return !somewhere;
}

/* The place from which a structure was passed to this function, if the address is in that. */
static uint64_t to_original(const struct execution *e, uint32_t frame, uint64_t at)
{
	const struct code_call *call = executor_caller(e, frame);
	uint64_t original;
	uint32_t made;

	for (uint32_t n = e->frames.at[frame].object; call && n-- > 1;) {
		const struct object *o = objects_at(&e->objects, n);

		if (o->kind != OBJECT_BYVAL || o->owner != frame)
			break;
		if (at >= o->address && at - o->address < o->size && o->index < call->count &&
		    executor_passed(e, frame, call->arguments[o->index].operand, &original, &made))
			return at + original - o->address;
	}
	return at;
}

/* Where the source wrote bytes that were read at `from`. They went through all structures passed by
   value since then that they are in, for those were written whole when they were passed. */
static uint64_t written_at(const struct teller *t, const struct execution_origin *origin)
{
	const struct execution *e = t->e;
	uint64_t at = origin->from;

	if (origin->source < EXECUTION_FIRST)
		return at;
	for (uint32_t f = t->frame + 1; f && e->frames.at[f - 1].first > origin->source;
	     f = e->frames.at[f - 1].caller)
		if (e->frames.at[f - 1].call)
			at = to_original(e, f - 1, at);
	if (executor_is_kept(e, origin->source) &&
	    !execution_wrote(e, origin->source, at, origin->size))
		return 0;
	return at;
}

static void tell_bytes(const struct teller *t, struct execution_origin *origin)
{
	origin->written = written_at(t, origin);
	origin->itself = only_passes(t->e, origin->source);
	t->tell(t->context, origin);
}

/* --- what instances tell --- */

/* The first range that ends behind the address. */
static uint32_t first_range(const struct teller *t, uint64_t at)
{
	uint32_t low = 0, high = t->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (t->ranges[middle].to > at)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* The parts of a flow that are in the ranges. */
static void tell_parts(const struct teller *t, const struct execution_flow *flow,
                       const uint8_t *bytes)
{
	uint64_t end = flow->to + flow->size;

	for (uint32_t i = first_range(t, flow->to); i < t->count && t->ranges[i].from < end; i++) {
		uint64_t from = t->ranges[i].from > flow->to ? t->ranges[i].from : flow->to;
		uint64_t to = t->ranges[i].to < end ? t->ranges[i].to : end;
		struct execution_origin origin = {.source = flow->source,
		                                  .from = flow->from + (from - flow->to),
		                                  .size = to - from,
		                                  .to = from,
		                                  .bytes =
		                                          bytes ? bytes + (from - flow->to) : NULL};

		tell_bytes(t, &origin);
	}
}

static const uint8_t *kept_bytes(const struct execution *e, uint32_t flow)
{
	uint32_t *at = flow_bytes_map_find(&e->flow_bytes, flow);

	return at ? e->bytes.at + *at : NULL;
}

/* Flows of a group that touch the bytes asked for; those without a place touch all. */
static void tell_flows(const struct teller *t, const struct execution_group *group)
{
	const struct execution_flow *flows = t->e->flows.at + group->first;

	for (uint32_t i = 0; i < group->count; i++) {
		struct execution_origin origin = {.source = flows[i].source,
		                                  .from = flows[i].from,
		                                  .size = flows[i].size,
		                                  .to = flows[i].to,
		                                  .bytes = kept_bytes(t->e, group->first + i)};

		if (!origin.size) /* a callback returned */
			t->tell(t->context, &origin);
		else if (t->count && (flows[i].to || !group->call))
			tell_parts(t, &flows[i], origin.bytes);
		else
			tell_bytes(t, &origin);
	}
}

static void tell_loaded(const struct teller *t, const struct code_insn *insn)
{
	uint32_t source = t->e->sources[t->instance - t->e->kept_from], made;
	struct execution_origin origin = {.source = source, .size = insn->bytes};

	/* `bytes` is what the tape has of an atomic instruction. */
	if (insn->op == CODE_ATOMIC)
		origin.size = (uint64_t)insn->imm;
	if (source & EXECUTION_GROUP) {
		tell_flows(t, execution_group(t->e, source));
		return;
	}
	execution_operand(t->e, t->instance, insn->a, &origin.from, &made);
	if (t->count) {
		struct execution_flow flow = {
			.from = origin.from, .size = origin.size, .source = source};

		tell_parts(t, &flow, NULL);
		return;
	}
	tell_bytes(t, &origin);
}

/* Which value a phi took, the branch before it decided. */
static void tell_phi(const struct teller *t)
{
	const struct execution_segment *s = execution_segment(t->e, t->instance);
	struct execution_origin origin = {.source = t->e->sources[t->instance - t->e->kept_from]};
	const struct activation *a = executor_saved(t->e, s->frame);
	uint32_t last;

	if (origin.source)
		t->tell(t->context, &origin);
	origin.chosen = true;
	origin.source = 0;
	if (s->previous) {
		s = &t->e->segments.at[s->previous - 1];
		last = executor_segment_end(t->e, s) - 1;
		origin.source = execution_insn(t->e, last)->op == CODE_GOTO ? s->parent : last;
	} else if (a) {
		const struct code_function *f = a->function;

		last = f->blocks[a->block + 1] - 1;
		origin.source = f->insns[last].op == CODE_GOTO ? a->parent : a->chosen;
	}
	if (origin.source)
		t->tell(t->context, &origin);
}

static void tell_call(const struct teller *t, const struct code_insn *insn)
{
	const struct code_call *call = insn->more;
	uint32_t source = t->e->sources[t->instance - t->e->kept_from];
	struct execution_origin origin = {.source = source};

	tell_operand(t, call->callee);
	if (!(source & EXECUTION_GROUP)) {
		if (source)
			t->tell(t->context, &origin);
		return;
	}
	for (uint32_t i = 0; i < call->count; i++)
		tell_operand(t, call->arguments[i].operand);
	tell_flows(t, execution_group(t->e, source));
}

/* A call that began before the window. */
static void tell_late(const struct teller *t)
{
	struct execution_origin origin = {.source = execution_late(t->e, t->instance)};

	if (origin.source & EXECUTION_GROUP)
		tell_flows(t, execution_group(t->e, origin.source));
	else if (origin.source)
		t->tell(t->context, &origin);
}

static void tell_list(const struct teller *t, const struct code_insn *insn)
{
	const struct code_eval *eval = insn->more;
	const struct code_indices *indices = insn->more;

	if (insn->op == CODE_EVAL)
		for (uint32_t i = 0; i < eval->count; i++)
			tell_operand(t, eval->in[i].operand);
	else
		for (uint32_t i = 0; i < indices->count; i++)
			tell_operand(t, indices->at[i].operand);
}

static void tell_copied(const struct teller *t, const struct code_insn *insn)
{
	uint32_t source = t->e->sources[t->instance - t->e->kept_from];

	tell_operand(t, insn->a);
	tell_operand(t, insn->b);
	if (insn->op != CODE_VA_COPY)
		tell_operand(t, insn->c);
	if (source & EXECUTION_GROUP)
		tell_flows(t, execution_group(t->e, source));
}

/* The variable arguments that calls returned. */
static void tell_variable(const struct teller *t)
{
	uint32_t source = t->e->sources[t->instance - t->e->kept_from];
	const struct execution_group *group;

	if (!(source & EXECUTION_GROUP))
		return;
	group = execution_group(t->e, source);
	for (uint32_t i = 0; i < group->count; i++) {
		const struct execution_flow *flow = &t->e->flows.at[group->first + i];
		struct execution_origin origin = {
			.source = flow->source, .size = flow->size, .to = flow->to, .value = true};
		uint32_t k = first_range(t, flow->to);

		if (!t->count || (k < t->count && t->ranges[k].from < flow->to + flow->size))
			t->tell(t->context, &origin);
	}
}

static void tell_asm(const struct teller *t, const struct code_asm *given)
{
	for (uint32_t i = 0; i < given->operand_count; i++)
		tell_operand(t, given->operands[i]);
}

void execution_origins(const struct execution *e, uint32_t instance, uint64_t from, uint64_t to,
                       void (*tell)(void *context, const struct execution_origin *origin),
                       void *context)
{
	const struct execution_range range = {from, to};

	execution_origins_of(e, instance, &range, to ? 1 : 0, tell, context);
}

void execution_origins_of(const struct execution *e, uint32_t instance,
                          const struct execution_range *ranges, uint32_t count,
                          void (*tell)(void *context, const struct execution_origin *origin),
                          void *context)
{
	struct teller t = {e, instance, 0, ranges, count, tell, context};
	const struct code_insn *insn;

	if (!executor_is_kept(e, instance)) {
		t.frame = executor_saved_caller(e, instance);
		tell_late(&t);
		return;
	}
	t.frame = execution_segment(e, instance)->frame;
	insn = execution_insn(e, instance);
	switch ((enum code_op)insn->op) {
	case CODE_LOAD:
	case CODE_LOAD_WIDE:
		tell_operand(&t, insn->a);
		tell_loaded(&t, insn);
		break;
	case CODE_ATOMIC:
		tell_operand(&t, insn->a);
		tell_operand(&t, insn->b);
		tell_operand(&t, insn->c);
		tell_loaded(&t, insn);
		break;
	case CODE_STORE:
	case CODE_STORE_WIDE:
	case CODE_INDEX:
		tell_operand(&t, insn->a);
		tell_operand(&t, insn->b);
		break;
	case CODE_TRUNC:
	case CODE_SEXT:
	case CODE_MOVE:
	case CODE_STEP:
	case CODE_ALLOCA:
	case CODE_BRANCH:
	case CODE_SWITCH:
	case CODE_JUMP:
	case CODE_RETURN: tell_operand(&t, insn->a); break;
	case CODE_VA_START:
		tell_operand(&t, insn->a);
		tell_variable(&t);
		break;
	case CODE_INDICES:
		tell_operand(&t, insn->a);
		tell_list(&t, insn);
		break;
	case CODE_EVAL: tell_list(&t, insn); break;
	case CODE_PHI: tell_phi(&t); break;
	case CODE_COPY:
	case CODE_FILL:
	case CODE_VA_COPY: tell_copied(&t, insn); break;
	case CODE_CALL: tell_call(&t, insn); break;
	case CODE_ASM: tell_asm(&t, insn->more); break;
	default:
		if (insn->op >= CODE_ADD && insn->op <= CODE_SLE) {
			tell_operand(&t, insn->a);
			tell_operand(&t, insn->b);
		}
	}
}
