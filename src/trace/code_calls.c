/* Translates calls: of functions, intrinsics and inline assembly. See code.h. */
#include <string.h>

#include "trace/coder.h"

static bool begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

/* memcpy, memmove and memset name their operands in the same order. */
static void put_block(struct coder *c, LLVMValueRef call, enum code_op op, struct code_insn *out)
{
	out->op = (uint8_t)op;
	out->a = coder_operand(c, LLVMGetOperand(call, 0));
	out->b = coder_operand(c, LLVMGetOperand(call, 1));
	out->c = coder_operand(c, LLVMGetOperand(call, 2));
}

static void put_recorded(struct coder *c, LLVMValueRef call, struct code_insn *out)
{
	const struct plan_record *record = coder_record(c, call);

	if (record && begins(ir_intrinsic(call), "threadlocal.address"))
		out->more = LLVMGetOperand(call, 0);
	out->op = record ? CODE_RECORDED : CODE_NOTHING;
	out->bytes = record ? record->size : 0;
}

/* An intrinsic without a value that changes nothing we know of. */
static bool is_silent(const char *name)
{
	static const char *const names[] = {
		"lifetime.",
		"stackrestore",
		"va_end",
		"prefetch",
		"assume",
		"invariant.",
		"trap",
		"debugtrap",
		"ubsantrap",
		"donothing",
		"experimental.noalias",
		"clear_cache",
		"pseudoprobe",
		"eh.",
		"annotation",
		"var.annotation",
		"codeview",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (begins(name, names[i]))
			return true;
	return false;
}

static void put_intrinsic(struct coder *c, LLVMValueRef call, const char *name,
                          struct code_insn *out)
{
	bool is_void = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind;

	if (begins(name, "memcpy.") || begins(name, "memmove."))
		put_block(c, call, CODE_COPY, out);
	else if (begins(name, "memset."))
		put_block(c, call, CODE_FILL, out);
	else if (begins(name, "va_start")) {
		out->op = CODE_VA_START;
		out->a = coder_operand(c, LLVMGetOperand(call, 0));
		out->bytes = coder_record(c, call)->size;
	} else if (begins(name, "va_copy")) {
		out->op = CODE_VA_COPY;
		out->a = coder_operand(c, LLVMGetOperand(call, 0));
		out->b = coder_operand(c, LLVMGetOperand(call, 1));
	} else if (c->record != c->records_end && c->record->instruction == call)
		put_recorded(c, call, out);
	else if (!is_void)
		coder_eval(c, call, out);
	else if (is_silent(name))
		out->op = CODE_NOTHING;
	else
		coder_unsupported(c, out, name);
}

static void put_asm(struct coder *c, LLVMValueRef call, struct code_insn *out)
{
	unsigned arguments = LLVMGetNumArgOperands(call);
	struct code_asm *more =
		arena_alloc(&c->code->arena, sizeof(*more) + arguments * sizeof(more->memory[0]));
	uint32_t *operands = arena_new_array(&c->code->arena, uint32_t, arguments + 1);
	const struct plan_record *record;

	for (unsigned i = 0; i < arguments; i++)
		operands[i] = coder_operand(c, LLVMGetOperand(call, i));
	more->operand_count = arguments;
	more->operands = operands;
	out->op = CODE_ASM;
	out->more = more;
	while ((record = coder_record(c, call))) {
		if (record->kind == PLAN_VALUE) {
			out->bytes = record->size;
			continue;
		}
		more->memory[more->count].operand =
			coder_operand(c, LLVMGetOperand(call, record->target));
		more->memory[more->count++].bytes = record->size;
	}
}

static void put_argument(struct coder *c, LLVMValueRef call, unsigned index,
                         struct code_argument *out)
{
	LLVMTargetDataRef layout = c->module->plan->layout;
	LLVMValueRef value = LLVMGetOperand(call, index);
	LLVMTypeRef byval = ir_argument_type(call, index, "byval");

	out->operand = coder_operand(c, value);
	out->words = eval_type_words(layout, LLVMTypeOf(value));
	out->bytes = ir_store_size(layout, LLVMTypeOf(value));
	out->byval = byval ? ir_store_size(layout, byval) : 0;
	out->letter = ir_type_letter(LLVMTypeOf(value));
}

static void put_call(struct coder *c, LLVMValueRef call, struct code_insn *out)
{
	uint32_t count = LLVMGetNumArgOperands(call);
	struct code_call *more =
		arena_alloc(&c->code->arena, sizeof(*more) + count * sizeof(more->arguments[0]));
	LLVMValueRef callee = ir_callee(call);
	size_t length;

	out->op = CODE_CALL;
	out->more = more;
	if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
		out->bytes = ir_store_size(c->module->plan->layout, LLVMTypeOf(call));
	more->letter = ir_type_letter(LLVMTypeOf(call));
	more->record = coder_record(c, call);
	more->name = callee ? LLVMGetValueName2(callee, &length) : NULL;
	more->callee = callee ? CODE_NO_OPERAND : coder_operand(c, LLVMGetCalledValue(call));
	more->count = count;
	for (uint32_t i = 0; i < count; i++)
		put_argument(c, call, i, &more->arguments[i]);
}

void coder_call(struct coder *c, LLVMValueRef call, struct code_insn *out)
{
	const char *intrinsic = ir_intrinsic(call);

	if (intrinsic)
		put_intrinsic(c, call, intrinsic, out);
	else if (ir_is_asm(call))
		put_asm(c, call, out);
	else
		put_call(c, call, out);
}
