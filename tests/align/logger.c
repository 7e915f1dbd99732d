/*
 * logger IN.bc OUT.bc OUT.map: makes a program log its way (log.c), and writes what paths.c must know of it
 * (map.h). Uses LLVM's C API, and nothing of hence.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "map.h"

static LLVMModuleRef module;
static LLVMValueRef log_function, frame_function;
static LLVMTypeRef log_type, frame_type, i32, i64, pointer;
static FILE *map;

static bool is_intrinsic(LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	size_t length;

	return LLVMIsAFunction(callee) && !strncmp(LLVMGetValueName2(callee, &length), "llvm.", 5);
}

static bool is_call(LLVMValueRef i)
{
	return LLVMIsACallInst(i) && !is_intrinsic(i) && !LLVMIsAInlineAsm(LLVMGetCalledValue(i));
}

/* The rule of hence: a side effect that has a place in the source. */
static bool is_statement(LLVMValueRef i)
{
	size_t length;

	if (!LLVMInstructionGetDebugLoc(i))
		return false;
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMStore:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
	case LLVMSwitch:
	case LLVMIndirectBr:
	case LLVMRet: return true;
	case LLVMBr: return LLVMIsConditional(i);
	case LLVMCall:
		if (is_intrinsic(i)) {
			const char *name = LLVMGetValueName2(LLVMGetCalledValue(i), &length) + 5;

			return !strncmp(name, "mem", 3) || !strncmp(name, "va_", 3);
		}
		return true;
	default: return false;
	}
}

static char end_of(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMRet: return 'r';
	case LLVMUnreachable: return 'u';
	case LLVMBr: return LLVMIsConditional(i) ? 'b' : 'g';
	default: return 'b';
	}
}

static unsigned number_of(LLVMValueRef function, LLVMBasicBlockRef block)
{
	unsigned number = 0;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != block;
	     b = LLVMGetNextBasicBlock(b))
		number++;
	return number;
}

static void describe(LLVMValueRef function, LLVMBasicBlockRef block)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block);

	fputc(':', map);
	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
		if (is_call(i))
			fputc(is_statement(i) ? 'c' : 'n', map);
		else if (is_statement(i))
			fputc('s', map);
	}
	fprintf(map, " %c", end_of(end));
	for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
		fprintf(map, " %u", number_of(function, LLVMGetSuccessor(end, s)));
	fputc('\n', map);
}

/* --- what is put in --- */

static void log_before(LLVMBuilderRef builder, LLVMValueRef before, enum event_kind kind,
                       unsigned function, unsigned block, LLVMValueRef value)
{
	LLVMValueRef zero = LLVMConstInt(i32, 0, false);

	LLVMPositionBuilderBefore(builder, before);
	LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(before));
	if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
		value = LLVMBuildPtrToInt(builder, value, i64, "");
	LLVMValueRef frame = LLVMBuildCall2(builder, frame_type, frame_function, &zero, 1, "");
	LLVMValueRef arguments[] = {LLVMConstInt(i32, kind, false),
	                            LLVMConstInt(i32, function, false),
	                            LLVMConstInt(i32, block, false), frame, value};

	LLVMBuildCall2(builder, log_type, log_function, arguments, 5, "");
}

static void change_block(LLVMBuilderRef builder, LLVMValueRef function, unsigned number,
                         LLVMBasicBlockRef b, unsigned block)
{
	LLVMValueRef i = LLVMGetFirstInstruction(b), next;
	unsigned calls = 0;

	while (LLVMIsAPHINode(i))
		i = LLVMGetNextInstruction(i);
	if (!block)
		log_before(builder, i, EVENT_ENTER, number, 0, function);
	log_before(builder, i, EVENT_BLOCK, number, block, LLVMConstInt(i64, 0, false));
	for (; i; i = next) {
		next = LLVMGetNextInstruction(i);
		if (LLVMIsAReturnInst(i))
			log_before(builder, i, EVENT_LEAVE, number, block,
			           LLVMConstInt(i64, 0, false));
		if (!is_call(i))
			continue;
		log_before(builder, i, EVENT_CALL, number, block, LLVMConstInt(i64, calls, false));
		log_before(builder, i, EVENT_TARGET, number, block, LLVMGetCalledValue(i));
		log_before(builder, next, EVENT_AFTER, number, block,
		           LLVMConstInt(i64, calls++, false));
	}
}

static void change_function(LLVMBuilderRef builder, LLVMValueRef function, unsigned number)
{
	size_t length;
	unsigned block = 0;

	fprintf(map, "function %s %u\n", LLVMGetValueName2(function, &length),
	        LLVMCountBasicBlocks(function));
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
	     b = LLVMGetNextBasicBlock(b))
		describe(function, b);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
	     b = LLVMGetNextBasicBlock(b))
		change_block(builder, function, number, b, block++);
}

static void declare(void)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	unsigned id = LLVMLookupIntrinsicID("llvm.frameaddress", strlen("llvm.frameaddress"));

	i32 = LLVMInt32TypeInContext(context);
	i64 = LLVMInt64TypeInContext(context);
	pointer = LLVMPointerTypeInContext(context, 0);
	LLVMTypeRef parameters[] = {i32, i32, i32, pointer, i64};

	log_type = LLVMFunctionType(LLVMVoidTypeInContext(context), parameters, 5, false);
	log_function = LLVMAddFunction(module, "align_log", log_type);
	frame_function = LLVMGetIntrinsicDeclaration(module, id, &pointer, 1);
	frame_type = LLVMIntrinsicGetType(context, id, &pointer, 1);
}

int main(int argc, char **argv)
{
	LLVMMemoryBufferRef buffer;
	char *message;
	unsigned number = 0;

	if (argc != 4)
		return 2;
	if (LLVMCreateMemoryBufferWithContentsOfFile(argv[1], &buffer, &message))
		return 1;
	if (LLVMParseBitcodeInContext2(LLVMContextCreate(), buffer, &module))
		return 1;
	map = fopen(argv[3], "w");
	if (!map)
		return 1;
	declare();
	LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f))
			change_function(builder, f, number++);
	return LLVMWriteBitcodeToFile(module, argv[2]) || fclose(map);
}
