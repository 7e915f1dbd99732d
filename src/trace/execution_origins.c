/* Where values came from, found from what is kept: see execution.h. */
#include <assert.h>

#include "trace/executor.h"

/* --- operands --- */

static bool is_kept(const struct execution *e, uint32_t instance)
{
	return instance >= e->kept_from && instance < e->kept_end && instance < e->next;
}

static uint32_t segment_end(const struct execution *e, const struct execution_segment *s)
{
	uint32_t index = (uint32_t)(s - e->segments.at);

	if (index + 1 < e->segments.size)
		return e->segments.at[index + 1].first;
	return e->kept_end < e->next ? e->kept_end : e->next;
}

/* The last instance before `instance`, in its frame, of instruction `code`. 0: not kept. */
static uint32_t last_of(const struct execution *e, uint32_t instance, uint32_t code)
{
	const struct execution_segment *s = execution_segment(e, instance);
	uint32_t end = instance;

	for (;;) {
		if (code >= s->code && code - s->code < end - s->first)
			return s->first + (code - s->code);
		if (!s->previous)
			return 0;
		s = &e->segments.at[s->previous - 1];
		end = segment_end(e, s);
	}
}

/* Parameters are stored at once: the first block has their values. */
static bool stored_value(const struct execution *e, const struct execution_segment *s,
                         const struct code_function *f, uint32_t operand, uint64_t *value)
{
	uint32_t end;

	while (s->previous)
		s = &e->segments.at[s->previous - 1];
	end = segment_end(e, s);
	for (uint32_t i = s->first; i < end; i++) {
		const struct code_insn *insn = &f->insns[s->code + (i - s->first) - f->first];

		if (insn->op == CODE_STORE && insn->a == operand) {
			*value = e->values[i - e->kept_from];
			return true;
		}
	}
	return false;
}

/* The callee's own copy of a structure. */
static bool copy_address(const struct execution *e, uint32_t frame, uint32_t index, uint64_t *value)
{
	for (uint32_t n = e->frames.at[frame].object; n-- > 1;) {
		const struct object *o = objects_at(&e->objects, n);

		if (o->kind != OBJECT_BYVAL || o->owner != frame)
			return false;
		if (o->index == index) {
			*value = o->address;
			return true;
		}
	}
	return false;
}

static bool parameter(const struct execution *e, const struct execution_segment *s,
                      const struct code_function *f, uint32_t operand, uint64_t *value,
                      uint32_t *made)
{
	const struct execution_frame *frame = &e->frames.at[s->frame];
	uint32_t index = f->makers[operand >> 1] & ~CODE_PARAMETER;
	const struct code_call *call;

	if (f->parameters[index].byval) {
		*made = frame->call;
		return copy_address(e, s->frame, index, value);
	}
	if (!frame->call || !is_kept(e, frame->call))
		return stored_value(e, s, f, operand, value);
	call = execution_insn(e, frame->call)->more;
	if (index >= call->count ||
	    !execution_operand(e, frame->call, call->arguments[index].operand, value, made))
		return stored_value(e, s, f, operand, value);
	*made = *made ? *made : frame->call;
	return true;
}

bool execution_operand(const struct execution *e, uint32_t instance, uint32_t operand,
                       uint64_t *value, uint32_t *made)
{
	const struct execution_segment *s = execution_segment(e, instance);
	const struct code_function *f = code_of(&e->code, s->code);
	uint32_t maker, found;

	*made = 0;
	*value = 0;
	if (operand == CODE_NO_OPERAND)
		return false;
	if (operand & 1) {
		*value = f->constants[operand >> 1].bits;
		return true;
	}
	maker = f->makers[operand >> 1];
	if (maker & CODE_PARAMETER)
		return parameter(e, s, f, operand, value, made);
	if (f->insns[maker].op == CODE_LOCAL) {
		*value = e->frames.at[s->frame].address + (uint64_t)f->insns[maker].imm;
		return true;
	}
	found = last_of(e, instance, f->first + maker);
	if (!found)
		return false;
	*value = e->values[found - e->kept_from];
	*made = found;
	return true;
}

/* --- origins --- */

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

static void tell_operand(const struct teller *t, uint32_t operand)
{
	struct execution_origin origin = {0};
	uint64_t value;

	if (operand == CODE_NO_OPERAND ||
	    !execution_operand(t->e, t->instance, operand, &value, &origin.source) ||
	    !origin.source)
		return;
	origin.itself =
		is_parameter(t->e, t->instance, operand) &&
		origin.source == t->e->frames.at[execution_segment(t->e, t->instance)->frame].call;
	t->tell(t->context, &origin);
}

/* Flows of a group that touch the bytes asked for; those without a place touch all. */
static void tell_flows(const struct teller *t, const struct execution_group *group)
{
	const struct execution_flow *flows = t->e->flows.at + group->first;

	for (uint32_t i = 0; i < group->count; i++) {
		struct execution_origin origin = {flows[i].source, flows[i].from, flows[i].size,
		                                  false, false};
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
		t->tell(t->context, &origin);
	}
}

static void tell_loaded(const struct teller *t, const struct code_insn *insn)
{
	uint32_t source = t->e->sources[t->instance - t->e->kept_from], made;
	struct execution_origin origin = {.source = source, .size = insn->bytes};

	if (source & EXECUTION_GROUP) {
		tell_flows(t, execution_group(t->e, source));
		return;
	}
	execution_operand(t->e, t->instance, insn->a, &origin.from, &made);
	if (t->to) {
		origin.from += t->from;
		origin.size = t->to - t->from;
	}
	t->tell(t->context, &origin);
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
	last = segment_end(t->e, s) - 1;
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
	default:
		if (insn->op >= CODE_ADD && insn->op <= CODE_SLE) {
			tell_operand(&t, insn->a);
			tell_operand(&t, insn->b);
		}
	}
}
