/* From a module of IR to an object with hooks: see instrument.h. */
#include "cc/instrument.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "cc/emit.h"
#include "cc/hooks.h"
#include "cc/tables.h"
#include "cc/weave.h"
#include "model/di.h"
#include "model/plan.h"

static struct hence_error *read_module(LLVMContextRef context, const char *path,
                                       LLVMMemoryBufferRef *buffer, LLVMModuleRef *module)
{
	struct hence_error *error;
	char *message;

	if (LLVMCreateMemoryBufferWithContentsOfFile(path, buffer, &message)) {
		error = error_create(HENCE_ERROR_INPUT, "cannot read %s: %s", path, message);
		LLVMDisposeMessage(message);
		return error;
	}
	if (LLVMParseBitcodeInContext2(context, *buffer, module)) {
		LLVMDisposeMemoryBuffer(*buffer);
		return error_create(HENCE_ERROR_INPUT, "%s is not LLVM %d bitcode", path,
		                    HENCE_LLVM);
	}
	return NULL;
}

void cc_weave(const struct plan *plan, const uint8_t hash[16], const bool *functions, bool counts)
{
	struct tables *tables = tables_create(plan, hash);
	struct hooks *hooks = hooks_create(plan->module);
	struct points *points = points_create(plan, hash);

	for (uint32_t f = 0; f < plan->functions.size; f++)
		if (!functions || functions[f])
			weave_function(plan, f, hooks, tables, points, counts);
	points_destroy(points);
	hooks_destroy(hooks);
	tables_destroy(tables);
}

/* --- places of branches --- */

/* Is it a branch to the loop that begins at this place? */
static bool repeats(LLVMContextRef context, LLVMValueRef branch, LLVMMetadataRef place)
{
	LLVMValueRef loop =
		LLVMGetMetadata(branch, LLVMGetMDKindIDInContext(context, "llvm.loop", 9));
	struct di_list list = di_operands(context, loop ? LLVMValueAsMetadata(loop) : NULL);
	LLVMMetadataRef start = list.size > 1 ? list.at[1] : NULL;
	bool found = start && LLVMGetMetadataKind(start) == LLVMDILocationMetadataKind &&
	             LLVMDILocationGetLine(start) == LLVMDILocationGetLine(place) &&
	             LLVMDILocationGetColumn(start) == LLVMDILocationGetColumn(place);

	vec_deinit(&list);
	return found;
}

/*
 * Clang 19 has the last branch of an if where the condition begins. Returns where clang 22 has it: at
 * the operator of the condition, or of the && or || before it. NULL: it stays, since it is a negation
 * or not of an if. An if is a scope that has its condition inside and its branch outside; so is a for,
 * whose branch stays at the keyword. Brackets are not known: in a && (b || c) the place is ||, with
 * clang 22 it is &&.
 */
static LLVMMetadataRef operator_place(LLVMContextRef context, LLVMValueRef branch)
{
	LLVMBasicBlockRef block = LLVMGetInstructionParent(branch);
	LLVMValueRef condition = LLVMGetCondition(branch);
	LLVMMetadataRef place = LLVMInstructionGetDebugLoc(branch), inner, scope, found = NULL;

	/* Of a phi, as loops have it, no place is known. */
	inner = LLVMIsAInstruction(condition) && !LLVMIsAPHINode(condition)
	                ? LLVMInstructionGetDebugLoc(condition)
	                : NULL;
	scope = inner ? LLVMDILocationGetScope(inner) : NULL;
	if (!place || !scope || di_parent_scope(context, scope) != LLVMDILocationGetScope(place))
		return NULL;
	for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u;
	     u = LLVMGetNextUse(u)) {
		LLVMValueRef from = LLVMGetUser(u);
		LLVMMetadataRef other =
			LLVMIsABranchInst(from) ? LLVMInstructionGetDebugLoc(from) : NULL;

		if (LLVMIsABranchInst(from) && repeats(context, from, place))
			return NULL;
		/* In (a || b) && c both go to c: b is before it. */
		if (other && LLVMIsConditional(from) && LLVMDILocationGetScope(other) == scope &&
		    (!found || LLVMGetPreviousBasicBlock(block) == LLVMGetInstructionParent(from)))
			found = other;
	}
	if (found)
		return found;
	return LLVMGetNextBasicBlock(block) == LLVMGetSuccessor(branch, 0) ? inner : NULL;
}

/* Puts branches where clang 22 has them. Reports show these places; and where the condition begins,
   other code may be, so that the place would not say which is meant. True: some were moved. */
static bool move_branches(LLVMModuleRef module)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	bool moved = false;

	for (LLVMValueRef f = LLVMGetFirstFunction(module); f && HENCE_LLVM < 22;
	     f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
		     b = LLVMGetNextBasicBlock(b)) {
			LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
			LLVMMetadataRef place = NULL;

			if (end && LLVMIsABranchInst(end) && LLVMIsConditional(end))
				place = operator_place(context, end);
			if (place)
				LLVMInstructionSetDebugLoc(end, place);
			moved |= place != NULL;
		}
	return moved;
}

static struct hence_error *verify(LLVMModuleRef module)
{
	char *message = NULL;
	struct hence_error *error = NULL;

	if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message))
		error = error_create(HENCE_ERROR_INTERNAL, "hooks broke the module: %s", message);
	LLVMDisposeMessage(message);
	return error;
}

/* Keeps the IR as it will be executed. The code generator answers questions about the code itself
   (__builtin_object_size) as it is then, with hooks; so they are answered before. */
static struct hence_error *add_ir(LLVMModuleRef module, LLVMMemoryBufferRef bitcode,
                                  uint8_t hash[16])
{
	LLVMMemoryBufferRef own = NULL;
	struct hence_error *error;
	bool changed, moved = move_branches(module);

	error = emit_answer_questions(module, &changed);
	if (error)
		return error;
	if (changed || moved)
		bitcode = own = LLVMWriteBitcodeToMemoryBuffer(module);
	error = emit_add_ir(module, LLVMGetBufferStart(bitcode), LLVMGetBufferSize(bitcode), hash);
	if (own)
		LLVMDisposeMemoryBuffer(own);
	return error;
}

static struct hence_error *instrument(LLVMModuleRef module, LLVMMemoryBufferRef bitcode,
                                      const struct cc_emit *emit)
{
	struct hence_error *error;
	struct plan *plan;
	uint8_t hash[16];

	error = add_ir(module, bitcode, hash);
	if (error)
		return error;
	plan = plan_create(module, NULL);
	/* Functions that are left alone are named: what they do is seen only from outside. */
	for (uint32_t i = 0; i < plan->refusals.size && emit->note; i++) {
		const struct plan_refusal *refusal = &plan->refusals.at[i];
		size_t length;
		char *text =
			str_format("%s() is not recorded: it has %s",
		                   LLVMGetValueName2(refusal->function, &length), refusal->reason);

		emit->note(text);
		free(text);
	}
	cc_weave(plan, hash, NULL, false);
	plan_destroy(plan);
	error = verify(module);
	return error ? error : emit_module(module, emit);
}

struct hence_error *cc_instrument(const struct cc_emit *emit)
{
	LLVMContextRef context = LLVMContextCreate();
	LLVMMemoryBufferRef bitcode;
	LLVMModuleRef module;
	struct hence_error *error = read_module(context, emit->bitcode, &bitcode, &module);

	if (!error) {
		error = instrument(module, bitcode, emit);
		LLVMDisposeModule(module);
		LLVMDisposeMemoryBuffer(bitcode);
	}
	LLVMContextDispose(context);
	return error;
}
