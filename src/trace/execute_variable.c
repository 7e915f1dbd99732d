/*
 * Variable arguments: what va_start() leads to. The tape has the va_list; the values are those that the
 * caller passed. See execution.h.
 *
 * Bytes of an argument come from the instance that made the value, as if it had stored them. A call
 * stores nothing, and has a value besides: for what it returned, va_start is a copy that tells
 * where each value went.
 */
#include <string.h>

#include "trace/executor.h"

struct va_list_bytes {
	uint32_t gp_offset, fp_offset;
	uint64_t overflow, saved;
};

/* Where the next variable argument lies: in the registers that were saved, or on the stack. */
static uint64_t next_place(struct va_list_bytes *list, const struct code_argument *argument)
{
	uint64_t at;

	if (strchr("bsilp", argument->letter) && !argument->byval && list->gp_offset < 48) {
		list->gp_offset += 8;
		return list->saved + list->gp_offset - 8;
	}
	if (argument->letter == 'q' && list->gp_offset < 40) {
		list->gp_offset += 16;
		return list->saved + list->gp_offset - 16;
	}
	if (strchr("fdS", argument->letter) && argument->bytes <= 16 && list->fp_offset < 176) {
		list->fp_offset += 16;
		return list->saved + list->fp_offset - 16;
	}
	if (strchr("qeS", argument->letter))
		list->overflow = (list->overflow + 15) & ~15ull;
	at = list->overflow;
	list->overflow += ((argument->byval ? argument->byval : argument->bytes) + 7) & ~7ull;
	return at;
}

/* Is the operand what a call returned? */
static bool is_returned(const struct activation *caller, uint32_t operand)
{
	const struct code_function *f = caller->function;
	uint32_t maker = operand & 1 ? CODE_PARAMETER : f->makers[operand >> 1];

	return !(maker & CODE_PARAMETER) && f->insns[maker].op == CODE_CALL;
}

static void note_returned(struct execution *e, uint32_t call, uint64_t to, uint64_t size)
{
	if (e->keeping)
		*vec_push(&e->flows) =
			(struct execution_flow){.to = to, .size = size, .source = call};
}

static void pass_variable(struct execution *e, const struct activation *caller,
                          const struct code_argument *argument, uint64_t to)
{
	const struct code_slot *from = executor_slot(e, caller, argument->operand);
	uint32_t bytes = argument->bytes < 8 ? 8 : argument->bytes;
	bool returned = from->made && is_returned(caller, argument->operand);

	if (argument->byval) {
		executor_pass_bytes(e, to, from->bits, argument->byval);
		return;
	}
	for (uint32_t w = 0; w < argument->words; w++) {
		struct memory_value v = {.bits = from[w].bits,
		                         .undefined = from[w].undefined,
		                         .source = from[w].made ? from[w].made : caller->call,
		                         .object = from[w].object};

		if (returned)
			v.source = e->next;
		memory_store(&e->memory, to + 8 * w, bytes - 8 * w < 8 ? bytes - 8 * w : 8, &v);
	}
	if (returned)
		note_returned(e, from->made, to, bytes);
}

static void pass_all(struct execution *e, const struct activation *a, struct va_list_bytes *list)
{
	const struct activation *caller = a - 1;
	const struct code_insn *insn = &caller->function->insns[caller->pc - 1];
	const struct code_call *call = insn->more;

	for (uint32_t k = a->function->parameter_count; insn->op == CODE_CALL && k < call->count;
	     k++)
		if (call->arguments[k].operand != CODE_NO_OPERAND)
			pass_variable(e, caller, &call->arguments[k],
			              next_place(list, &call->arguments[k]));
}

void executor_va_start(struct execution *e, struct activation *a, const struct code_insn *i,
                       const uint8_t *tape)
{
	uint64_t address = executor_slot(e, a, i->a)->bits;
	struct va_list_bytes list;
	uint32_t group;

	memory_write(&e->memory, address, tape, i->bytes, e->next);
	executor_tell_wrote(e, e->next, address, i->bytes);
	memcpy(&list, tape, sizeof(list));
	group = executor_open_group(e);
	if (!a->entered && a != e->stack.at)
		pass_all(e, a, &list);
	executor_close_group(e, group);
	executor_note_copy(e, e->next);
	executor_keep(e, 0, group);
}
