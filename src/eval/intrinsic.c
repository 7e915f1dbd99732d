/* Intrinsics whose result follows from their arguments, and which family computes each: the list is
   that of src/model/plan.c. */
#include "eval/prepared.h"

#include <string.h>

/* --- results that are known when preparing --- */

static bool run_constant(const struct eval *e, const struct eval_value *o,
                         struct eval_value *result)
{
	memset(result->bits, 0, e->words * sizeof(uint64_t));
	memset(result->undef, 0, e->words * sizeof(uint64_t));
	if (e->flag)
		eval_put(result->bits, e->bits, eval_mask(e->bits));
	return true;
}

/* All bits of it. */
static bool prepare_constant(struct eval *e, bool ones)
{
	e->flag = ones;
	e->whole = true;
	e->run = run_constant;
	return true;
}

/* Nobody but llvm.stackrestore uses the result. */
static bool prepare_stacksave(const struct eval_request *r, struct eval *e)
{
	return prepare_constant(e, false);
}

/* As LLVM's pass lower-constant-intrinsics: numbers are constants, addresses are not. */
static bool is_manifest(LLVMValueRef value)
{
	if (!LLVMIsConstant(value) || LLVMIsAGlobalValue(value) || LLVMIsABlockAddress(value))
		return false;
	for (int i = 0; i < LLVMGetNumOperands(value); i++)
		if (!is_manifest(LLVMGetOperand(value, (unsigned)i)))
			return false;
	return true;
}

static bool prepare_is_constant(const struct eval_request *r, struct eval *e)
{
	return prepare_constant(e, is_manifest(LLVMGetOperand(r->value, 0)));
}

/* Only of what the same pass knows nothing about; the size of a known object depends on where our
   hooks put it. */
static bool prepare_objectsize(const struct eval_request *r, struct eval *e)
{
	LLVMValueRef pointer = LLVMGetOperand(r->value, 0);
	bool is_least = LLVMConstIntGetZExtValue(LLVMGetOperand(r->value, 1)) != 0;

	if (!LLVMIsALoadInst(pointer) && !LLVMIsAIntToPtrInst(pointer))
		return false;
	return prepare_constant(e, !is_least);
}

/* --- the table --- */

static const struct known {
	const char *prefix;
	eval_preparer *prepare;
	uint8_t code;
	uint8_t arity; /* arguments that are not flags */
} table[] = {
	{"abs.", eval_prepare_bits, EVAL_ABS, 1},
	{"bitreverse.", eval_prepare_bits, EVAL_BITREVERSE, 1},
	{"bswap.", eval_prepare_bits, EVAL_BSWAP, 1},
	{"ceil.", eval_prepare_rounding, EVAL_CEIL, 1},
	{"copysign.", eval_prepare_sign, EVAL_COPYSIGN, 2},
	{"ctlz.", eval_prepare_bits, EVAL_CTLZ, 1},
	{"ctpop.", eval_prepare_bits, EVAL_CTPOP, 1},
	{"cttz.", eval_prepare_bits, EVAL_CTTZ, 1},
	{"expect.", eval_prepare_copy, EVAL_OTHERS, 1}, /* the first argument */
	{"fabs.", eval_prepare_sign, EVAL_FABS, 1},
	{"floor.", eval_prepare_rounding, EVAL_FLOOR, 1},
	{"fmuladd.", eval_prepare_fmuladd, EVAL_FMULADD, 3},
	{"fshl.", eval_prepare_bits, EVAL_FSHL, 3},
	{"fshr.", eval_prepare_bits, EVAL_FSHR, 3},
	{"is.constant.", prepare_is_constant, EVAL_OTHERS, 1},
	{"launder.", eval_prepare_copy, EVAL_OTHERS, 1},
	{"objectsize.", prepare_objectsize, EVAL_OTHERS, 1},
	{"rint.", eval_prepare_rounding, EVAL_RINT, 1},
	{"round.", eval_prepare_rounding, EVAL_ROUND, 1},
	{"sadd.sat.", eval_prepare_saturated, EVAL_ADD, 2},
	{"sadd.with.overflow.", eval_prepare_overflow, EVAL_ADD, 2},
	{"smax.", eval_prepare_bits, EVAL_SMAX, 2},
	{"smin.", eval_prepare_bits, EVAL_SMIN, 2},
	{"smul.with.overflow.", eval_prepare_overflow, EVAL_MUL, 2},
	{"sqrt.", eval_prepare_rounding, EVAL_SQRT, 1},
	{"ssub.sat.", eval_prepare_saturated, EVAL_SUB, 2},
	{"ssub.with.overflow.", eval_prepare_overflow, EVAL_SUB, 2},
	{"stacksave", prepare_stacksave, EVAL_OTHERS, 0},
	{"trunc.", eval_prepare_rounding, EVAL_TRUNC, 1},
	{"uadd.sat.", eval_prepare_saturated, EVAL_ADD, 2},
	{"uadd.with.overflow.", eval_prepare_overflow, EVAL_ADD, 2},
	{"umax.", eval_prepare_bits, EVAL_UMAX, 2},
	{"umin.", eval_prepare_bits, EVAL_UMIN, 2},
	{"umul.with.overflow.", eval_prepare_overflow, EVAL_MUL, 2},
	{"usub.sat.", eval_prepare_saturated, EVAL_SUB, 2},
	{"usub.with.overflow.", eval_prepare_overflow, EVAL_SUB, 2},
};

bool eval_prepare_intrinsic(const struct eval_request *r, struct eval *e)
{
	const char *name = ir_intrinsic(r->value);

	for (size_t i = 0; name && i < sizeof(table) / sizeof(*table); i++) {
		const struct known *known = &table[i];

		if (strncmp(name, known->prefix, strlen(known->prefix)))
			continue;
		e->code = known->code;
		e->arity = known->arity;
		e->is_signed = name[0] == 's'; /* sadd, smax and the like */
		return known->prepare(r, e);
	}
	return false;
}
