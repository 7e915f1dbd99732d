/* Values as C: by the type of where they were loaded from, or as LLVM's type suggests. */
#include "describe/work.h"

#define LONGEST 80 /* characters of a value */

/* --- by type --- */

static const struct ctype floats[] = {
	{.kind = CTYPE_FLOAT, .size = 4, .name = "float"},
	{.kind = CTYPE_FLOAT, .size = 8, .name = "double"},
	{.kind = CTYPE_FLOAT, .size = 16, .name = "long double"},
};
static const struct ctype pointer = {.kind = CTYPE_POINTER, .size = 8};

/* The type that LLVM's suggests; NULL: a number. */
static const struct ctype *plain_type(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMFloatTypeKind: return &floats[0];
	case LLVMDoubleTypeKind: return &floats[1];
	case LLVMX86_FP80TypeKind: return &floats[2];
	case LLVMPointerTypeKind: return &pointer;
	default: return NULL;
	}
}

/* Bytes that a value of LLVM's type has; 0: it is not a scalar. */
static uint64_t plain_size(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind: return (LLVMGetIntTypeWidth(type) + 7) / 8;
	case LLVMFloatTypeKind: return 4;
	case LLVMDoubleTypeKind:
	case LLVMPointerTypeKind: return 8;
	case LLVMX86_FP80TypeKind: return 16;
	default: return 0;
	}
}

void describe_typed(const struct describe_scope *scope, const struct ctype *type,
                    LLVMValueRef value, struct str *out)
{
	const struct code_slot *slot = names_slot(scope->names, scope->a, value);
	uint64_t size = plain_size(LLVMTypeOf(value)), bits[2] = {0}, undefined[2] = {0};
	struct ctype_part part = {.type = type};

	if (LLVMIsAConstantFP(value)) {
		LLVMBool lost;

		str_printf(out, "%g", LLVMConstRealGetDouble(value, &lost));
		return;
	}
	if (!slot || !size || size > 16) {
		str_add(out, "...");
		return;
	}
	for (uint64_t w = 0; w < (size + 7) / 8; w++) {
		bits[w] = slot[w].bits;
		undefined[w] = slot[w].undefined;
	}
	if (!type || (ctype_strip(type) && ctype_strip(type)->size != size))
		part.type = plain_type(LLVMTypeOf(value));
	names_print(scope->names, &part, (const uint8_t *)bits, (const uint8_t *)undefined, size,
	            slot->object, LONGEST, out);
}

/* --- loads --- */

void describe_load(const struct describe_scope *scope, LLVMValueRef load, struct name *out)
{
	struct names_use use = {.instruction = load};

	use.size = plain_size(LLVMTypeOf(load));
	if (LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMX86_FP80TypeKind)
		use.size = 0;
	names_of_pointer(scope->names, scope->a, LLVMGetOperand(load, 0), &use, out);
}

LLVMValueRef describe_without_casts(LLVMValueRef value)
{
	while (LLVMIsACastInst(value))
		value = LLVMGetOperand(value, 0);
	return value;
}

const struct ctype *describe_loaded_type(const struct describe_scope *scope, LLVMValueRef value)
{
	struct name name = {0};
	const struct ctype *type;

	value = describe_without_casts(value);
	if (!LLVMIsALoadInst(value))
		return NULL;
	describe_load(scope, value, &name);
	type = name.known ? ctype_strip(name.part.type) : NULL;
	name_deinit(&name);
	return type;
}

/* Clang takes a bit-field out of its unit by shifts and masks: the load that they are of. */
static LLVMValueRef field_load(LLVMValueRef value)
{
	uint32_t offset, size;

	for (int i = 0; i < 3 && LLVMIsABinaryOperator(value); i++) {
		if (!LLVMIsAConstantInt(LLVMGetOperand(value, 1)))
			return NULL;
		value = LLVMGetOperand(value, 0);
	}
	return LLVMIsALoadInst(value) && names_bits(value, &offset, &size) ? value : NULL;
}

bool describe_field(const struct describe_scope *scope, LLVMValueRef value, struct str *out)
{
	LLVMValueRef load = LLVMIsABinaryOperator(value) ? field_load(value) : NULL;
	struct name name = {0};
	bool is;

	if (!load)
		return false;
	describe_load(scope, load, &name);
	is = name.known && name.part.bit_size;
	if (is && scope->values)
		describe_typed(scope, NULL, value, out);
	else if (is)
		str_add(out, str_text(&name.text));
	name_deinit(&name);
	return is;
}

void describe_operand(const struct describe_scope *scope, LLVMValueRef value, struct str *out)
{
	const struct ctype *type = describe_loaded_type(scope, value);
	LLVMValueRef from = describe_without_casts(value);

	/* A char that was made an int is still one to the reader. */
	if (type && type->kind == CTYPE_CHAR && from != value)
		describe_typed(scope, type, from, out);
	else
		describe_typed(scope, from == value ? type : NULL, value, out);
}

void describe_case(const struct describe_scope *scope, LLVMValueRef switch_, uint32_t index,
                   struct str *out)
{
	LLVMValueRef value = ir_case_value(switch_, index);
	const struct ctype *type = describe_loaded_type(scope, LLVMGetOperand(switch_, 0));
	uint64_t bits = LLVMConstIntGetZExtValue(value), undefined = 0;
	uint64_t size = plain_size(LLVMTypeOf(value));
	struct ctype_part part = {.type = type};

	if (type && type->kind == CTYPE_CHAR)
		size = 1;
	else if (!type || type->size != size)
		part.type = plain_type(LLVMTypeOf(value));
	names_print(scope->names, &part, (const uint8_t *)&bits, (const uint8_t *)&undefined, size,
	            0, LONGEST, out);
}
