/*
 * Declarations of local variables: see declares.h.
 *
 * LLVM 22 has functions to read the debug records that lie between instructions. LLVM 19 has the
 * same records but no functions; there the module is turned to the old form, calls of
 * llvm.dbg.declare, and back. No instruction but those calls is made or freed by that, so plans and
 * all else that points to instructions stay right.
 */
#include "model/declares.h"

#include "base/vec.h"

#if HENCE_LLVM >= 22

static void find_at(LLVMValueRef function, LLVMValueRef instruction, struct declare_list *out)
{
	LLVMDbgRecordRef record = LLVMGetFirstDbgRecord(instruction);

	for (; record; record = LLVMGetNextDbgRecord(record)) {
		LLVMValueRef storage;

		if (LLVMDbgRecordGetKind(record) != LLVMDbgRecordDeclare)
			continue;
		storage = LLVMDbgVariableRecordGetValue(record, 0);
		if (!storage)
			continue;
		*vec_push(out) = (struct declare){
			.function = function,
			.storage = storage,
			.variable = LLVMDbgVariableRecordGetVariable(record),
			.expression = LLVMDbgVariableRecordGetExpression(record),
			.location = LLVMDbgRecordGetDebugLoc(record),
		};
	}
}

#else

static const char declare_name[] = "llvm.dbg.declare";

/* The value inside a metadata operand; NULL: it was deleted. */
static LLVMValueRef value_in(LLVMValueRef metadata)
{
	LLVMMetadataKind kind = LLVMGetMetadataKind(LLVMValueAsMetadata(metadata));
	LLVMValueRef value;

	if (kind != LLVMLocalAsMetadataMetadataKind && kind != LLVMConstantAsMetadataMetadataKind)
		return NULL;
	LLVMGetMDNodeOperands(metadata, &value);
	return value;
}

static void find_at(LLVMValueRef function, LLVMValueRef instruction, struct declare_list *out)
{
	LLVMValueRef storage;

	if (!LLVMIsADbgDeclareInst(instruction))
		return;
	storage = value_in(LLVMGetOperand(instruction, 0));
	if (!storage)
		return;
	*vec_push(out) = (struct declare){
		.function = function,
		.storage = storage,
		.variable = LLVMValueAsMetadata(LLVMGetOperand(instruction, 1)),
		.expression = LLVMValueAsMetadata(LLVMGetOperand(instruction, 2)),
		.location = LLVMInstructionGetDebugLoc(instruction),
	};
}

#endif

static void find_in(LLVMValueRef function, struct declare_list *out)
{
	LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);

	for (; block; block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
		     i = LLVMGetNextInstruction(i))
			find_at(function, i, out);
}

static void find_all(LLVMModuleRef module, struct declare_list *out)
{
	LLVMValueRef function = LLVMGetFirstFunction(module);

	for (; function; function = LLVMGetNextFunction(function))
		find_in(function, out);
}

#if HENCE_LLVM >= 22

void declares_find(LLVMModuleRef module, struct declare_list *out)
{
	find_all(module, out);
}

#else

void declares_find(LLVMModuleRef module, struct declare_list *out)
{
	LLVMBool records = LLVMIsNewDbgInfoFormat(module);
	LLVMValueRef had = LLVMGetNamedFunction(module, declare_name), has;

	LLVMSetIsNewDbgInfoFormat(module, 0);
	find_all(module, out);
	LLVMSetIsNewDbgInfoFormat(module, records);
	/* The old form declares the function, and the new one leaves it. */
	has = LLVMGetNamedFunction(module, declare_name);
	if (has && !had && !LLVMGetFirstUse(has))
		LLVMDeleteFunction(has);
}

#endif
