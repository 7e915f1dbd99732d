/* Functions of one floating-point number: its sign, rounding to an integer, the square root. The C
   library's functions and the instructions that replace them agree, since all are exact. */
#include "eval/native.h"

#include <math.h>

/* --- fneg, fabs, copysign: the sign is a bit --- */

/* LLVM 19 computes with scalar half and bfloat in float even here, where a NaN becomes quiet. */
static u128 quieten(const struct eval *e, u128 value)
{
	u128 infinity = e->format == EVAL_HALF ? 0x7c00 : 0x7f80;
	u128 quiet = e->format == EVAL_HALF ? 0x200 : 0x40;
	bool is_quietened = HENCE_LLVM < 22 && e->bits == 16 && !e->is_lane;

	return is_quietened && (value & 0x7fff) > infinity ? value | quiet : value;
}

static bool run_sign(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	u128 value = eval_get(o[0].bits, e->bits), sign = (u128)1 << (e->bits - 1);

	if (e->code == EVAL_FNEG)
		value = quieten(e, value) ^ sign;
	else if (e->code == EVAL_FABS)
		value = quieten(e, value) & ~sign;
	else
		value = (value & ~sign) | (eval_get(o[1].bits, e->bits) & sign);
	eval_put(result->bits, e->bits, value);
	eval_put_undef(e, o, result, e->code == EVAL_COPYSIGN ? 2 : 1);
	return true;
}

bool eval_prepare_sign(const struct eval_request *r, struct eval *e)
{
	if (r->opcode == LLVMFNeg)
		e->code = EVAL_FNEG;
	e->run = run_sign;
	return r->to.format > EVAL_INTEGER;
}

/* --- ceil floor rint round trunc sqrt --- */

#define ROUNDING(code, x, suffix)                                                                  \
	((code) == EVAL_CEIL    ? ceil##suffix(x)                                                  \
	 : (code) == EVAL_FLOOR ? floor##suffix(x)                                                 \
	 : (code) == EVAL_RINT  ? rint##suffix(x)                                                  \
	 : (code) == EVAL_ROUND ? round##suffix(x)                                                 \
	                        : trunc##suffix(x))

static float round_float(uint8_t code, float x)
{
	if (x != x)
		return eval_quiet_float(x);
	if (code != EVAL_SQRT)
		return ROUNDING(code, x, f);
	__asm__("sqrtss %0, %0" : "+x"(x));
	return x;
}

static double round_double(uint8_t code, double x)
{
	if (x != x)
		return eval_quiet_double(x);
	if (code != EVAL_SQRT)
		return ROUNDING(code, x, );
	__asm__("sqrtsd %0, %0" : "+x"(x));
	return x;
}

static long double round_fp80(uint8_t code, long double x)
{
	if (code != EVAL_SQRT)
		return ROUNDING(code, x, l);
	__asm__("fsqrt" : "+t"(x));
	return x;
}

static __float128 round_fp128(uint8_t code, __float128 x)
{
	return code == EVAL_SQRT ? sqrtf128(x) : ROUNDING(code, x, f128);
}

#define round_half(code, x)   ((_Float16)round_float(code, x))
#define round_bfloat(code, x) round_float(code, x)

#define DEFINE_ROUND(name)                                                                         \
	static bool run_round_##name(const struct eval *e, const struct eval_value *o,             \
	                             struct eval_value *result)                                    \
	{                                                                                          \
		eval_put_##name(result->bits, round_##name(e->code, eval_get_##name(o[0].bits)));  \
		eval_put_undef(e, o, result, 1);                                                   \
		return true;                                                                       \
	}

DEFINE_ROUND(half)
DEFINE_ROUND(bfloat)
DEFINE_ROUND(float)
DEFINE_ROUND(double)
DEFINE_ROUND(fp80)
DEFINE_ROUND(fp128)

bool eval_prepare_rounding(const struct eval_request *r, struct eval *e)
{
	static eval_function *const functions[] = {
		[EVAL_HALF] = run_round_half,   [EVAL_BFLOAT] = run_round_bfloat,
		[EVAL_FLOAT] = run_round_float, [EVAL_DOUBLE] = run_round_double,
		[EVAL_FP80] = run_round_fp80,   [EVAL_FP128] = run_round_fp128,
	};

	e->run = functions[r->to.format];
	return e->run != NULL;
}
