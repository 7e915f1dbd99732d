/* The statement that a program died of: see death.h. */
#include "align/death.h"

/* May a program die of it? */
static bool may_fault(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
	case LLVMStore:
	case LLVMCall:
	case LLVMSDiv:
	case LLVMUDiv:
	case LLVMSRem:
	case LLVMURem:
	case LLVMUnreachable: return true;
	default: return false;
	}
}

/* Does it just read or write a variable? That only fails when the stack is full. */
static bool is_plain(LLVMValueRef i)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
	LLVMValueRef pointer;

	if (opcode != LLVMLoad && opcode != LLVMStore)
		return false;
	pointer = LLVMGetOperand(i, opcode == LLVMStore);
	return LLVMIsAAllocaInst(pointer) || LLVMIsAGlobalVariable(pointer);
}

/* Its value is only known from the tape, which has ended: nothing behind it was executed. */
static bool is_limit(const struct plan_record *r)
{
	return r->kind != PLAN_HALF &&
	       (r->kind != PLAN_VALUE || LLVMGetInstructionOpcode(r->instruction) != LLVMLoad);
}

static bool is_there(LLVMValueRef i, const struct walk_place *death)
{
	const char *intrinsic = ir_intrinsic(i);

	return may_fault(i) && LLVMGetDebugLocLine(i) == death->line &&
	       LLVMGetDebugLocColumn(i) == death->column &&
	       !(intrinsic && !strncmp(intrinsic, "dbg.", 4));
}

bool death_statement(const struct plan_function *function, uint32_t block, uint32_t from,
                     const struct walk_place *death, uint32_t *statement)
{
	const struct plan_block *b = &function->blocks.at[block];
	const struct plan_record *next =
		&function->records.at[from == UINT32_MAX ? b->first : from];
	LLVMValueRef last = next == &function->records.at[b->first] ? NULL : next[-1].instruction;
	LLVMValueRef i = LLVMGetFirstInstruction(b->block);
	uint32_t ended = 0;
	bool begun = !last, found = false;

	if (!death->line || strcmp(function->name, death->function))
		return false;
	for (; i; i = LLVMGetNextInstruction(i)) {
		if (begun && is_there(i, death) && !(found && is_plain(i))) {
			*statement = ended;
			found = true;
			if (!is_plain(i))
				return true;
		}
		if (i == next->instruction && is_limit(next))
			return found;
		next += i == next->instruction;
		begun |= i == last;
		ended += plan_ends_statement(i);
	}
	return found;
}
