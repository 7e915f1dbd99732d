/* Values as C: what the code of a value was in the source, as far as the IR still tells. */
#include <string.h>

#include "describe/work.h"

#define DEEPEST 12
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

static bool is_cast(LLVMValueRef value)
{
	return LLVMIsACastInst(value) != NULL;
}

static LLVMValueRef without_casts(LLVMValueRef value)
{
	while (is_cast(value))
		value = LLVMGetOperand(value, 0);
	return value;
}

/* The C type of what is loaded; NULL: it is not a load, or not known. */
static const struct ctype *loaded_type(const struct describe_scope *scope, LLVMValueRef value)
{
	struct name name = {0};
	const struct ctype *type;

	value = without_casts(value);
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

/* A bit-field that the value is; false: it is none, and nothing is appended. */
static bool add_field(const struct describe_scope *scope, LLVMValueRef value, struct str *out)
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
	const struct ctype *type = loaded_type(scope, value);
	LLVMValueRef from = without_casts(value);

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
	const struct ctype *type = loaded_type(scope, LLVMGetOperand(switch_, 0));
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

/* --- operators --- */

static const char *comparison(LLVMValueRef value)
{
	switch (LLVMGetICmpPredicate(value)) {
	case LLVMIntEQ: return "==";
	case LLVMIntNE: return "!=";
	case LLVMIntUGT:
	case LLVMIntSGT: return ">";
	case LLVMIntUGE:
	case LLVMIntSGE: return ">=";
	case LLVMIntULT:
	case LLVMIntSLT: return "<";
	default: return "<=";
	}
}

static const char *float_comparison(LLVMValueRef value)
{
	switch (LLVMGetFCmpPredicate(value)) {
	case LLVMRealOEQ:
	case LLVMRealUEQ: return "==";
	case LLVMRealONE:
	case LLVMRealUNE: return "!=";
	case LLVMRealOGT:
	case LLVMRealUGT: return ">";
	case LLVMRealOGE:
	case LLVMRealUGE: return ">=";
	case LLVMRealOLT:
	case LLVMRealULT: return "<";
	case LLVMRealOLE:
	case LLVMRealULE: return "<=";
	default: return NULL;
	}
}

static const char *operator_of(LLVMValueRef value)
{
	switch (LLVMGetInstructionOpcode(value)) {
	case LLVMICmp: return comparison(value);
	case LLVMFCmp: return float_comparison(value);
	case LLVMAdd:
	case LLVMFAdd: return "+";
	case LLVMSub:
	case LLVMFSub: return "-";
	case LLVMMul:
	case LLVMFMul: return "*";
	case LLVMUDiv:
	case LLVMSDiv:
	case LLVMFDiv: return "/";
	case LLVMURem:
	case LLVMSRem: return "%";
	case LLVMAnd: return "&";
	case LLVMOr: return "|";
	case LLVMXor: return "^";
	case LLVMShl: return "<<";
	case LLVMLShr:
	case LLVMAShr: return ">>";
	default: return NULL;
	}
}

static bool is_zero(LLVMValueRef value)
{
	return LLVMIsConstant(value) && LLVMIsNull(value);
}

/* Is it a comparison that clang compares with 0 once more, as in `if ((a < b) != 0)`? */
static bool is_doubled(LLVMValueRef value)
{
	LLVMValueRef inner;

	if (!LLVMIsAICmpInst(value) || LLVMGetICmpPredicate(value) != LLVMIntNE ||
	    !is_zero(LLVMGetOperand(value, 1)))
		return false;
	inner = without_casts(LLVMGetOperand(value, 0));
	return LLVMIsAICmpInst(inner) || LLVMIsAFCmpInst(inner);
}

/* How tightly operators bind, as far as readers know it by heart: with shifts and bits everything is put in
   parentheses. */
enum binding {
	BINDS_NOT,
	BINDS_BITS,
	BINDS_COMPARISON,
	BINDS_SUM,
	BINDS_PRODUCT,
	BINDS_UNARY,
};

static enum binding binding_of(const char *sign)
{
	if (strchr("*/%", *sign))
		return BINDS_PRODUCT;
	if (strchr("+-", *sign))
		return BINDS_SUM;
	if (!strcmp(sign, "<<") || !strcmp(sign, ">>") || strchr("&|^", *sign))
		return BINDS_BITS;
	return BINDS_COMPARISON;
}

/* Where an expression stands: in how many others, and how tightly it must bind to need no parentheses. */
struct within {
	int depth;
	enum binding least;
};

static const struct within alone = {0, BINDS_NOT};

/* An operand of an operator. */
static struct within operand_of(struct within at, enum binding binding, bool right)
{
	at.depth++;
	switch (binding) {
	case BINDS_COMPARISON: at.least = BINDS_SUM; break;
	case BINDS_SUM: at.least = right ? BINDS_PRODUCT : BINDS_SUM; break;
	case BINDS_PRODUCT: at.least = right ? BINDS_UNARY : BINDS_PRODUCT; break;
	default: at.least = BINDS_UNARY;
	}
	return at;
}

static void express(const struct describe_scope *scope, LLVMValueRef value, struct within at,
                    struct str *out);

/* A character as C; false: it has no such form, and nothing is appended. */
static bool add_character(const struct ctype *type, long long number, struct str *out)
{
	bool is = type && type->kind == CTYPE_CHAR && number >= ' ' && number < 127;

	if (is)
		str_printf(out, number == '\'' || number == '\\' ? "'\\%c'" : "'%c'", (char)number);
	return is;
}

/* What was loaded, in place of its name. */
static void express_loaded(const struct describe_scope *scope, LLVMValueRef load, struct str *out)
{
	const struct code_slot *slot = names_slot(scope->names, scope->a, load);

	if (!slot || slot->undefined ||
	    !add_character(loaded_type(scope, load), (long long)slot->bits, out))
		describe_operand(scope, load, out);
}

/* A constant that a char or an enum is compared with is one, too. */
static void express_side(const struct describe_scope *scope, LLVMValueRef value, LLVMValueRef other,
                         struct within at, struct str *out)
{
	const struct ctype *type = NULL;
	long long number = 0;

	if (LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64) {
		number = LLVMConstIntGetSExtValue(value);
		type = loaded_type(scope, other);
	}
	if (add_character(type, number, out))
		return;
	if (type && type->kind == CTYPE_ENUM && type->size <= sizeof(number))
		ctype_print(type, (uint8_t *)&number, NULL, type->size, 0, out);
	else
		express(scope, value, at, out);
}

static void express_binary(const struct describe_scope *scope, LLVMValueRef value, const char *sign,
                           struct within at, struct str *out)
{
	LLVMValueRef left = LLVMGetOperand(value, 0), right = LLVMGetOperand(value, 1);
	enum binding binding = binding_of(sign);

	if (binding < at.least)
		str_add_char(out, '(');
	express_side(scope, left, right, operand_of(at, binding, false), out);
	str_printf(out, " %s ", sign);
	express_side(scope, right, left, operand_of(at, binding, true), out);
	if (binding < at.least)
		str_add_char(out, ')');
}

static void express_load(const struct describe_scope *scope, LLVMValueRef load, struct str *out)
{
	struct name name = {0};

	describe_load(scope, load, &name);
	if (scope->values)
		express_loaded(scope, load, out);
	else if (name.known)
		str_add(out, str_text(&name.text));
	else
		describe_operand(scope, load, out);
	name_deinit(&name);
}

/* Is it an array that became a pointer to its first element? */
static bool is_decay(LLVMValueRef value)
{
	return LLVMIsAGetElementPtrInst(value) && LLVMGetNumOperands(value) == 3 &&
	       LLVMGetTypeKind(LLVMGetGEPSourceElementType(value)) == LLVMArrayTypeKind &&
	       is_zero(LLVMGetOperand(value, 1)) && is_zero(LLVMGetOperand(value, 2));
}

/* The address of something that has a name. */
static bool express_address(const struct describe_scope *scope, LLVMValueRef value,
                            const struct ctype *pointer_type, struct str *out)
{
	const struct ctype *type = names_pointee(scope->names, scope->a, value);
	const struct ctype *target = ctype_strip(pointer_type);
	struct names_use use = {.whole = true};
	struct name name = {0};
	bool known;

	if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind || !type)
		return false;
	type = ctype_strip(type);
	target = target && target->kind == CTYPE_POINTER ? ctype_strip(target->target) : NULL;
	/* `&s` and `&s.first` are the same address: the type of the pointer tells. */
	use.size = target && target->size && target->size < type->size ? target->size : type->size;
	names_of_pointer(scope->names, scope->a, value, &use, &name);
	known = name.known;
	if (name.part.type)
		type = ctype_strip(name.part.type);
	if (known && type->kind != CTYPE_ARRAY && is_decay(value) && name.text.length > 3)
		str_printf(out, "%.*s", (int)name.text.length - 3, str_text(&name.text));
	else if (known)
		str_printf(out, type->kind == CTYPE_ARRAY ? "%s" : "&%s", str_text(&name.text));
	name_deinit(&name);
	return known;
}

bool describe_address(const struct describe_scope *scope, LLVMValueRef value,
                      const struct ctype *type, struct str *out)
{
	return !LLVMIsALoadInst(value) && express_address(scope, value, type, out);
}

static void express_call(const struct describe_scope *scope, LLVMValueRef call, struct str *out)
{
	LLVMValueRef callee = ir_callee(call);
	size_t length;

	if (scope->values) {
		describe_operand(scope, call, out);
		return;
	}
	str_printf(out, "%s()",
	           callee ? describe_plain_name(LLVMGetValueName2(callee, &length)) : "?");
}

static bool is_not(LLVMValueRef value)
{
	return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMXor &&
	       LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
	       LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 1 &&
	       LLVMIsAConstantInt(LLVMGetOperand(value, 1));
}

/* What has a form of its own; false: it has none, and nothing is appended. */
static bool express_special(const struct describe_scope *scope, LLVMValueRef value,
                            struct within at, struct str *out)
{
	LLVMValueRef character;
	const char *class = describe_class(value, &character);

	if (class) {
		str_printf(out, "%s(", class);
		express(scope, character, alone, out);
		str_add_char(out, ')');
		return true;
	}
	if (is_not(value)) {
		str_add_char(out, '!');
		express(scope, LLVMGetOperand(value, 0), operand_of(at, BINDS_UNARY, true), out);
		return true;
	}
	if (LLVMIsAPHINode(value) && !at.depth)
		return describe_choice(scope, value, out);
	return add_field(scope, value, out);
}

static void express_number(LLVMValueRef value, struct str *out)
{
	if (LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 1)
		str_add(out, LLVMConstIntGetZExtValue(value) ? "1" : "0");
	else
		str_printf(out, "%lld", LLVMConstIntGetSExtValue(value));
}

static void express(const struct describe_scope *scope, LLVMValueRef value, struct within at,
                    struct str *out)
{
	const char *sign = LLVMIsAInstruction(value) ? operator_of(value) : NULL;

	if (express_special(scope, value, at, out))
		return;
	if (LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64)
		express_number(value, out);
	else if (is_doubled(value))
		express(scope, without_casts(LLVMGetOperand(value, 0)), at, out);
	else if (is_cast(value))
		express(scope, LLVMGetOperand(value, 0), at, out);
	else if (LLVMIsALoadInst(value))
		express_load(scope, value, out);
	else if (LLVMIsACallInst(value) && !ir_intrinsic(value) && !ir_is_asm(value))
		express_call(scope, value, out);
	else if (sign && at.depth < DEEPEST)
		express_binary(scope, value, sign, at, out);
	else if (!LLVMIsAGetElementPtrInst(value) || !express_address(scope, value, NULL, out))
		describe_operand(scope, value, out);
}

void describe_expression(const struct describe_scope *scope, LLVMValueRef value, struct str *out)
{
	express(scope, value, alone, out);
}

/* --- conditions --- */

/* The opposite of a comparison; NULL: there is none that is true just when the other is not (NaN). */
static const char *opposite(LLVMValueRef value, const char *sign)
{
	static const char *const pairs[][2] = {{"==", "!="}, {"<", ">="}, {">", "<="}};
	bool integer = LLVMIsAICmpInst(value) != NULL;

	for (unsigned i = 0; i < (integer ? 3 : 1); i++)
		for (unsigned k = 0; k < 2; k++)
			if (!strcmp(sign, pairs[i][k]))
				return pairs[i][1 - k];
	return NULL;
}

void describe_truth(const struct describe_scope *scope, LLVMValueRef value, bool truth,
                    struct str *out)
{
	const char *sign;

	for (;; value = without_casts(LLVMGetOperand(value, 0)))
		if (is_not(value))
			truth = !truth;
		else if (!is_doubled(value))
			break;
	sign = LLVMIsAICmpInst(value) || LLVMIsAFCmpInst(value) ? operator_of(value) : NULL;
	if (sign && !truth)
		sign = opposite(value, sign);
	if (sign) {
		express_binary(scope, value, sign, alone, out);
		return;
	}
	str_add(out, truth ? "" : "!(");
	express(scope, value, alone, out);
	str_add(out, truth ? "" : ")");
}

/* --- arguments --- */

/* Has the call that is described just written what the pointer points to? */
static bool is_written(const struct describe_scope *scope, struct memory *memory, uint64_t address)
{
	uint32_t source;

	memory_source_run(memory, address, 1, &source);
	return source == scope->a->call;
}

static bool is_literal(LLVMValueRef value)
{
	return LLVMIsAGlobalVariable(value) && LLVMGetLinkage(value) == LLVMPrivateLinkage;
}

static bool print_text(const struct describe_scope *scope, struct memory *memory,
                       LLVMValueRef value, struct str *out)
{
	const struct code_slot *slot = names_slot(scope->names, scope->a, value);
	uint64_t address = slot ? slot->bits : 0;
	const struct ctype *type;

	if (!address || slot->undefined || is_written(scope, memory, address))
		return false;
	type = is_literal(value) ? NULL : ctype_strip(names_pointee(scope->names, scope->a, value));
	if (type && type->kind == CTYPE_ARRAY)
		type = ctype_strip(type->target);
	if (!is_literal(value) && (!type || type->kind != CTYPE_CHAR))
		return false;
	return names_print_text(scope->names, address, 48, out);
}

void describe_argument(const struct describe_scope *scope, LLVMValueRef value, struct str *out)
{
	struct memory *memory = execution_memory(names_execution(scope->names));

	if (LLVMIsAFunction(value)) {
		size_t length;

		str_add(out, LLVMGetValueName2(value, &length));
		return;
	}
	if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind || is_zero(value)) {
		describe_operand(scope, value, out);
		return;
	}
	if (print_text(scope, memory, value, out))
		return;
	if (!describe_address(scope, value, NULL, out))
		describe_expression(scope, value, out);
}
