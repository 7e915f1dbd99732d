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
static uint32_t last_of(const struct execution *e, uint32_t instance, uint32_t code, uint8_t op)
{
	const struct execution_segment *s = execution_segment(e, instance);
	uint32_t end = instance;

	if (op == CODE_ALLOCA)
		return executor_last_alloca(e, s->frame, code, instance);
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

/* --- what was passed --- */

static uint32_t call_of(const struct execution *e, uint32_t frame)
{
	const struct execution_frame *f = &e->frames.at[frame];

	return f->call ? f->call : f->within;
}

const struct code_call *executor_caller(const struct execution *e, uint32_t frame)
{
	uint32_t call = call_of(e, frame), caller = e->frames.at[frame].caller;
	const struct activation *a;

	if (executor_is_kept(e, call))
		return execution_insn(e, call)->more;
	a = call && caller ? executor_saved(e, caller - 1) : NULL;
	return a ? a->function->insns[a->pc - 1].more : NULL;
}

uint32_t execution_caller_code(const struct execution *e, uint32_t frame)
{
	uint32_t call = call_of(e, frame), caller = e->frames.at[frame].caller;
	const struct activation *a;

	if (executor_is_kept(e, call))
		return execution_code(e, call);
	a = call && caller ? executor_saved(e, caller - 1) : NULL;
	return a ? a->function->first + a->pc - 1 : UINT32_MAX;
}

static bool saved_operand(const struct execution *e, uint32_t frame, uint32_t operand,
                          uint64_t *value, uint32_t *made);

bool executor_passed(const struct execution *e, uint32_t frame, uint32_t operand, uint64_t *value,
                     uint32_t *made)
{
	uint32_t call = call_of(e, frame);

	if (executor_is_kept(e, call))
		return execution_operand(e, call, operand, value, made);
	*made = 0;
	*value = 0;
	return saved_operand(e, e->frames.at[frame].caller - 1, operand, value, made);
}

static bool parameter(const struct execution *e, uint32_t frame, const struct code_function *f,
                      uint32_t operand, uint64_t *value, uint32_t *made)
{
	uint32_t index = f->makers[operand >> 1] & ~CODE_PARAMETER, by = e->frames.at[frame].call;
	const struct activation *a = executor_saved(e, frame);
	const struct code_call *call = by ? executor_caller(e, frame) : NULL;

	*made = call_of(e, frame);
	if (f->parameters[index].byval)
		return copy_address(e, frame, index, value);
	if (call && index < call->count &&
	    executor_passed(e, frame, call->arguments[index].operand, value, made)) {
		*made = *made ? *made : by;
		return true;
	}
	*made = by && !call ? SOURCE_EARLIER : call_of(e, frame);
	if (a)
		*value = executor_saved_slot(e, a, operand)->bits;
	return a != NULL;
}

/* An operand of a function under way, as it was when the window began. */
static bool saved_operand(const struct execution *e, uint32_t frame, uint32_t operand,
                          uint64_t *value, uint32_t *made)
{
	const struct activation *a = executor_saved(e, frame);
	const struct executor_late *late;
	const struct code_slot *slot;
	uint32_t maker;

	if (!a || operand == CODE_NO_OPERAND)
		return false;
	slot = executor_saved_slot(e, a, operand);
	*value = slot->bits;
	if (operand & 1)
		return true;
	maker = a->function->makers[operand >> 1];
	if (maker & CODE_PARAMETER)
		return parameter(e, frame, a->function, operand, value, made);
	if (a->function->insns[maker].op != CODE_LOCAL)
		*made = slot->made;
	/* The call that was under way has returned since. */
	late = maker + 1 == a->pc ? executor_late(e, a->call) : NULL;
	if (late) {
		*value = late->value;
		*made = late->instance;
	}
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
		return parameter(e, s->frame, f, operand, value, made) ||
		       stored_value(e, s, f, operand, value);
	if (f->insns[maker].op == CODE_LOCAL) {
		*value = e->frames.at[s->frame].address + (uint64_t)f->insns[maker].imm;
		return true;
	}
	found = last_of(e, instance, f->first + maker, f->insns[maker].op);
	if (!found)
		return saved_operand(e, s->frame, operand, value, made);
	*value = e->values[found - e->kept_from];
	*made = found;
	return true;
}
