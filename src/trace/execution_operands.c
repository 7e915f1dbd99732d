/* What the operands of an instance were, found from what is kept: see execution.h. */
#include "trace/executor.h"

uint32_t executor_segment_end(const struct execution *e, const struct execution_segment *s)
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
		end = executor_segment_end(e, s);
	}
}

/* Parameters are stored at once: the first block has their values, also when the call that passed
   them is not kept. */
static bool stored_value(const struct execution *e, const struct execution_segment *s,
                         const struct code_function *f, uint32_t operand, uint64_t *value)
{
	uint32_t end;

	while (s->previous)
		s = &e->segments.at[s->previous - 1];
	end = executor_segment_end(e, s);
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
	if (executor_is_kept(e, frame->call)) {
		call = execution_insn(e, frame->call)->more;
		if (index < call->count &&
		    execution_operand(e, frame->call, call->arguments[index].operand, value,
		                      made)) {
			*made = *made ? *made : frame->call;
			return true;
		}
	}
	*made = frame->call ? SOURCE_EARLIER : 0;
	return stored_value(e, s, f, operand, value);
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
