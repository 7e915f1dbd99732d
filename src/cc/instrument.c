/* From a module of IR to an object with hooks: see instrument.h. */
#include "cc/instrument.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "cc/emit.h"
#include "cc/hooks.h"
#include "cc/tables.h"
#include "cc/weave.h"
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

/* Functions that are left alone are named: what they do is seen only from outside. */
static void report_refusals(const struct plan *plan, const struct cc_emit *emit)
{
	for (uint32_t i = 0; i < plan->refusals.size && emit->note; i++) {
		const struct plan_refusal *refusal = &plan->refusals.at[i];
		size_t length;
		char *text =
			str_format("%s() is not recorded: it has %s",
		                   LLVMGetValueName2(refusal->function, &length), refusal->reason);

		emit->note(text);
		free(text);
	}
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
	bool changed;

	error = emit_answer_questions(module, &changed);
	if (error)
		return error;
	if (changed)
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
	plan = plan_create(module);
	report_refusals(plan, emit);
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
