/*
 * Floating-point arithmetic and comparison. Float and double use the very instructions that
 * compiled code uses, with the operands in the same order, since that decides which NaN comes out.
 */
#include "eval/native.h"

#include <math.h>

/* --- fadd fsub fmul fdiv frem --- */

static float compute_float(uint8_t code, float a, float b)
{
	switch (code) {
	case LLVMFAdd: EVAL_SSE("addss", a, b); return a;
	case LLVMFSub: EVAL_SSE("subss", a, b); return a;
	case LLVMFMul: EVAL_SSE("mulss", a, b); return a;
	case LLVMFDiv: EVAL_SSE("divss", a, b); return a;
	default: return fmodf(a, b);
	}
}

static double compute_double(uint8_t code, double a, double b)
{
	switch (code) {
	case LLVMFAdd: EVAL_SSE("addsd", a, b); return a;
	case LLVMFSub: EVAL_SSE("subsd", a, b); return a;
	case LLVMFMul: EVAL_SSE("mulsd", a, b); return a;
	case LLVMFDiv: EVAL_SSE("divsd", a, b); return a;
	default: return fmod(a, b);
	}
}

static long double compute_fp80(uint8_t code, long double a, long double b)
{
	switch (code) {
	case LLVMFAdd: return a + b;
	case LLVMFSub: return a - b;
	case LLVMFMul: return a * b;
	case LLVMFDiv: return a / b;
	default: return fmodl(a, b);
	}
}

static __float128 compute_fp128(uint8_t code, __float128 a, __float128 b)
{
	switch (code) {
	case LLVMFAdd: return a + b;
	case LLVMFSub: return a - b;
	case LLVMFMul: return a * b;
	case LLVMFDiv: return a / b;
	default: return fmodf128(a, b);
	}
}

/* In float; a float is wide enough that rounding twice gives the same. */
#define compute_half(code, a, b)   ((_Float16)compute_float(code, a, b))
#define compute_bfloat(code, a, b) compute_float(code, a, b)

#define DEFINE_COMPUTE(name)                                                                       \
	static bool run_##name(const struct eval *e, const struct eval_value *o,                   \
	                       struct eval_value *result)                                          \
	{                                                                                          \
		eval_put_##name(result->bits, compute_##name(e->code, eval_get_##name(o[0].bits),  \
		                                             eval_get_##name(o[1].bits)));         \
		eval_put_undef(e, o, result, 2);                                                   \
		return true;                                                                       \
	}

DEFINE_COMPUTE(half)
DEFINE_COMPUTE(bfloat)
DEFINE_COMPUTE(float)
DEFINE_COMPUTE(double)
DEFINE_COMPUTE(fp80)
DEFINE_COMPUTE(fp128)

/* --- fcmp --- */

/* A predicate of LLVM is a set of these. */
enum { EQUAL = 1, GREATER = 2, LESS = 4, UNORDERED = 8 };

#define RELATION(a, b) ((a) < (b) ? LESS : (a) > (b) ? GREATER : (a) == (b) ? EQUAL : UNORDERED)

#define DEFINE_COMPARE(name, type)                                                                 \
	static bool compare_##name(const struct eval *e, const struct eval_value *o,               \
	                           struct eval_value *result)                                      \
	{                                                                                          \
		type a = eval_get_##name(o[0].bits), b = eval_get_##name(o[1].bits);               \
                                                                                                   \
		result->bits[0] = (e->code & RELATION(a, b)) != 0;                                 \
		eval_put_undef(e, o, result, 2);                                                   \
		return true;                                                                       \
	}

DEFINE_COMPARE(half, float)
DEFINE_COMPARE(bfloat, float)
DEFINE_COMPARE(float, float)
DEFINE_COMPARE(double, double)
DEFINE_COMPARE(fp80, long double)
DEFINE_COMPARE(fp128, __float128)

bool eval_prepare_float(const struct eval_request *r, struct eval *e)
{
	static eval_function *const computes[] = {
		[EVAL_HALF] = run_half,     [EVAL_BFLOAT] = run_bfloat, [EVAL_FLOAT] = run_float,
		[EVAL_DOUBLE] = run_double, [EVAL_FP80] = run_fp80,     [EVAL_FP128] = run_fp128,
	};
	static eval_function *const compares[] = {
		[EVAL_HALF] = compare_half,   [EVAL_BFLOAT] = compare_bfloat,
		[EVAL_FLOAT] = compare_float, [EVAL_DOUBLE] = compare_double,
		[EVAL_FP80] = compare_fp80,   [EVAL_FP128] = compare_fp128,
	};

	if (r->opcode == LLVMFCmp) {
		e->code = (uint8_t)LLVMGetFCmpPredicate(r->value);
		e->run = compares[r->from.format];
	} else {
		e->run = computes[r->to.format];
	}
	return e->run != NULL;
}

/* --- fmuladd --- */

/* A product and a sum, each rounded. */
#define DEFINE_MULTIPLY_ADD(name)                                                                  \
	static bool multiply_add_##name(const struct eval *e, const struct eval_value *o,          \
	                                struct eval_value *result)                                 \
	{                                                                                          \
		uint64_t product[2];                                                               \
                                                                                                   \
		eval_put_##name(product, compute_##name(LLVMFMul, eval_get_##name(o[0].bits),      \
		                                        eval_get_##name(o[1].bits)));              \
		eval_put_##name(result->bits, compute_##name(LLVMFAdd, eval_get_##name(product),   \
		                                             eval_get_##name(o[2].bits)));         \
		eval_put_undef(e, o, result, 3);                                                   \
		return true;                                                                       \
	}

DEFINE_MULTIPLY_ADD(half)
DEFINE_MULTIPLY_ADD(bfloat)
DEFINE_MULTIPLY_ADD(float)
DEFINE_MULTIPLY_ADD(double)
DEFINE_MULTIPLY_ADD(fp80)
DEFINE_MULTIPLY_ADD(fp128)

/* Rounded once, where the function may use the instruction for that. The first NaN comes out. */
#define DEFINE_FUSED(type, fma)                                                                    \
	static bool fused_##type(const struct eval *e, const struct eval_value *o,                 \
	                         struct eval_value *result)                                        \
	{                                                                                          \
		type a = eval_get_##type(o[0].bits), b = eval_get_##type(o[1].bits);               \
		type c = eval_get_##type(o[2].bits);                                               \
		type value = a != a   ? eval_quiet_##type(a)                                       \
		             : b != b ? eval_quiet_##type(b)                                       \
		                      : fma(a, b, c);                                              \
                                                                                                   \
		eval_put_##type(result->bits, value);                                              \
		eval_put_undef(e, o, result, 3);                                                   \
		return true;                                                                       \
	}

DEFINE_FUSED(float, fmaf)
DEFINE_FUSED(double, fma)

bool eval_prepare_fmuladd(const struct eval_request *r, struct eval *e)
{
	static eval_function *const functions[] = {
		[EVAL_HALF] = multiply_add_half,   [EVAL_BFLOAT] = multiply_add_bfloat,
		[EVAL_FLOAT] = multiply_add_float, [EVAL_DOUBLE] = multiply_add_double,
		[EVAL_FP80] = multiply_add_fp80,   [EVAL_FP128] = multiply_add_fp128,
	};
	bool fuses = eval_has_feature(r->value, "fma") || eval_has_feature(r->value, "fma4") ||
	             eval_has_feature(r->value, "avx512f");

	e->run = functions[r->to.format];
	if (fuses && r->to.format == EVAL_FLOAT)
		e->run = fused_float;
	if (fuses && r->to.format == EVAL_DOUBLE)
		e->run = fused_double;
	return e->run != NULL;
}
