/* Where values came from, found from what is kept: see execution.h. */
#include "trace/executor.h"

struct teller {
	const struct execution *e;
	uint32_t instance;
	uint64_t from, to;
	void (*tell)(void *context, const struct execution_origin *origin);
	void *context;
};

static bool is_parameter(const struct execution *e, uint32_t instance, uint32_t operand)
{
	const struct code_function *f = code_of(&e->code, execution_segment(e, instance)->code);

	return !(operand & 1) && f->makers[operand >> 1] & CODE_PARAMETER;
}

/* Is `call` the one that this instance's function, or a caller of it, was called by? */
static bool is_under_way(const struct execution *e, uint32_t instance, uint32_t call)
{
	const struct execution_frame *frame = &e->frames.at[execution_segment(e, instance)->frame];

	while (frame->call != call && frame->call > call && frame->caller)
		frame = &e->frames.at[frame->caller - 1];
	return frame->call == call;
}

static void tell_operand(const struct teller *t, uint32_t operand)
{
	struct execution_origin origin = {0};
	uint64_t value;

	if (operand == CODE_NO_OPERAND)
		return;
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

/* Did a copy or a call write these bytes? */
static bool wrote(const struct execution *e, uint32_t source, uint64_t at, uint64_t size)
{
	const struct code_insn *insn = execution_insn(e, source);
	uint32_t group = e->sources[source - e->kept_from];
	const struct execution_flow *flows;
	bool somewhere = false;

	if ((insn->op != CODE_COPY && insn->op != CODE_VA_COPY && insn->op != CODE_CALL) ||
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

/* Finds the original of the structure that these bytes are in, if it was passed to this function or
   to one below it after `source`. Goes on to the caller. */
static bool to_original(const struct execution *e, uint32_t *frame, uint32_t source, uint64_t *at)
{
	for (uint32_t f = *frame + 1; f && e->frames.at[f - 1].first > source; f = *frame + 1) {
		const struct execution_frame *callee = &e->frames.at[f - 1];
		const struct code_call *call;
		uint64_t original;
		uint32_t made;

		*frame = callee->caller - 1;
		if (!executor_is_kept(e, callee->call))
			continue;
		call = execution_insn(e, callee->call)->more;
		for (uint32_t n = callee->object; n-- > 1;) {
			const struct object *o = objects_at(&e->objects, n);

			if (o->kind != OBJECT_BYVAL || o->owner != f - 1)
				break;
			if (*at < o->address || *at - o->address >= o->size ||
			    o->index >= call->count ||
			    !execution_operand(e, callee->call, call->arguments[o->index].operand,
			                       &original, &made))
				continue;
			*at += original - o->address;
			return true;
		}
	}
	return false;
}

/* Where the source wrote bytes that were read at `from`. */
static uint64_t written_at(const struct teller *t, const struct execution_origin *origin)
{
	uint32_t frame = execution_segment(t->e, t->instance)->frame;
	uint64_t at = origin->from;

	if (!executor_is_kept(t->e, origin->source))
		return at;
	while (!wrote(t->e, origin->source, at, origin->size))
		if (!to_original(t->e, &frame, origin->source, &at))
			return 0;
	return at;
}

static void tell_bytes(const struct teller *t, struct execution_origin *origin)
{
	origin->written = written_at(t, origin);
	t->tell(t->context, origin);
}

/* --- what instances tell --- */

/* Flows of a group that touch the bytes asked for; those without a place touch all. */
static void tell_flows(const struct teller *t, const struct execution_group *group)
{
	const struct execution_flow *flows = t->e->flows.at + group->first;

	for (uint32_t i = 0; i < group->count; i++) {
		struct execution_origin origin = {
			.source = flows[i].source, .from = flows[i].from, .size = flows[i].size};
		uint64_t skip = 0;

		if (t->to && (flows[i].to || !group->call)) {
			if (flows[i].to >= t->to || flows[i].to + flows[i].size <= t->from)
				continue;
			if (flows[i].to < t->from)
				skip = t->from - flows[i].to;
			origin.from += skip;
			origin.size -= skip;
			if (flows[i].to + skip + origin.size > t->to)
				origin.size = t->to - flows[i].to - skip;
		}
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
	if (t->to && t->to < origin.size)
		origin.size = t->to;
	if (t->to && t->from >= origin.size)
		return;
	if (t->to) {
		origin.from += t->from;
		origin.size -= t->from;
	}
	tell_bytes(t, &origin);
}

/* Which value a phi took, the branch before it decided. */
static void tell_phi(const struct teller *t)
{
	const struct execution_segment *s = execution_segment(t->e, t->instance);
	struct execution_origin origin = {.source = t->e->sources[t->instance - t->e->kept_from]};
	uint32_t last;

	if (origin.source)
		t->tell(t->context, &origin);
	if (!s->previous)
		return;
	s = &t->e->segments.at[s->previous - 1];
	last = executor_segment_end(t->e, s) - 1;
	origin.chosen = true;
	origin.source = execution_insn(t->e, last)->op == CODE_GOTO ? s->parent : last;
	if (origin.source)
		t->tell(t->context, &origin);
}

static void tell_call(const struct teller *t, const struct code_insn *insn)
{
	const struct code_call *call = insn->more;
	uint32_t source = t->e->sources[t->instance - t->e->kept_from];
	struct execution_origin origin = {.source = source};

	tell_operand(t, call->callee);
	if (source && !(source & EXECUTION_GROUP)) {
		t->tell(t->context, &origin);
		return;
	}
	for (uint32_t i = 0; i < call->count; i++)
		tell_operand(t, call->arguments[i].operand);
	if (source)
		tell_flows(t, execution_group(t->e, source));
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

static void tell_asm(const struct teller *t, const struct code_asm *given)
{
	for (uint32_t i = 0; i < given->operand_count; i++)
		tell_operand(t, given->operands[i]);
}

void execution_origins(const struct execution *e, uint32_t instance, uint64_t from, uint64_t to,
                       void (*tell)(void *context, const struct execution_origin *origin),
                       void *context)
{
	const struct teller t = {e, instance, from, to, tell, context};
	const struct code_insn *insn = execution_insn(e, instance);

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
	case CODE_VA_START:
	case CODE_BRANCH:
	case CODE_SWITCH:
	case CODE_JUMP:
	case CODE_RETURN: tell_operand(&t, insn->a); break;
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
