/* Keeping the code generator from optimising what the program does: see pin.h. */
#include "cc/pin.h"

/* What clang promises never to happen (a signed sum that overflows) the code generator believes
   when it optimises, but not at -O0, where sums just wrap: without the promises they do here. */
static void drop_promises(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
	case LLVMShl:
		LLVMSetNSW(i, false);
		LLVMSetNUW(i, false);
		break;
	case LLVMUDiv:
	case LLVMSDiv:
	case LLVMLShr:
	case LLVMAShr: LLVMSetExact(i, false); break;
	case LLVMZExt: LLVMSetNNeg(i, false); break;
	case LLVMGetElementPtr: LLVMGEPSetNoWrapFlags(i, 0); break;
	default:
		if (LLVMCanValueUseFastMathFlags(i))
			LLVMSetFastMathFlags(i, LLVMFastMathNone);
	}
}

/*
 * The code generator must do what -O0 does: each load and store in its place. Otherwise it hands
 * stored values on to loads and folds what follows, and a division by zero is gone. A load that is
 * neither recorded nor of a private local is dead: -O0 drops it, so it stays as it is.
 */
void pin_function(const struct plan *plan, const struct plan_function *function)
{
	for (uint32_t b = 0; b < function->blocks.size; b++) {
		LLVMValueRef i = LLVMGetFirstInstruction(function->blocks.at[b].block);

		for (; i; i = LLVMGetNextInstruction(i)) {
			int64_t offset;
			int local = LLVMIsALoadInst(i)
			                    ? plan_local_of(plan, function, LLVMGetOperand(i, 0),
			                                    &offset)
			                    : -1;

			if (LLVMIsAStoreInst(i) ||
			    (local >= 0 && function->locals.at[local].private_))
				LLVMSetVolatile(i, true);
			drop_promises(i);
		}
	}
	for (uint32_t r = 0; r < function->records.size; r++)
		if (LLVMIsALoadInst(function->records.at[r].instruction))
			LLVMSetVolatile(function->records.at[r].instruction, true);
}
