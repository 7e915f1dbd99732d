/* Expressions as C: what the code of a value was in the source, as far as the IR still tells. */
#include <string.h>

#include "describe/work.h"

#define DEEPEST 12

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

/* Is it a comparison that clang compares with 0 once more, as in `if ((a < b) != 0)`? */
static bool is_doubled(LLVMValueRef value)
{
	LLVMValueRef inner;

	if (!LLVMIsAICmpInst(value) || LLVMGetICmpPredicate(value) != LLVMIntNE ||
	    !describe_is_zero(LLVMGetOperand(value, 1)))
		return false;
	inner = describe_without_casts(LLVMGetOperand(value, 0));
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
	    !add_character(describe_loaded_type(scope, load), (long long)slot->bits, out))
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
		type = describe_loaded_type(scope, other);
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
	return describe_field(scope, value, out);
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
		express(scope, describe_without_casts(LLVMGetOperand(value, 0)), at, out);
	else if (LLVMIsACastInst(value))
		express(scope, LLVMGetOperand(value, 0), at, out);
	else if (LLVMIsALoadInst(value))
		express_load(scope, value, out);
	else if (LLVMIsACallInst(value) && !ir_intrinsic(value) && !ir_is_asm(value))
		express_call(scope, value, out);
	else if (sign && at.depth < DEEPEST)
		express_binary(scope, value, sign, at, out);
	else if (!LLVMIsAGetElementPtrInst(value) || !describe_place(scope, value, NULL, out))
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

	for (;; value = describe_without_casts(LLVMGetOperand(value, 0)))
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
