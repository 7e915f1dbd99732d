/*
 * Floating-point numbers as C has them: reading and writing words, and half and bfloat by way of
 * float, as the code generator computes with them.
 */
#ifndef HENCE_EVAL_NATIVE_H
#define HENCE_EVAL_NATIVE_H

#include <string.h>

#include "eval/prepared.h"

static inline float eval_get_float(const uint64_t *words)
{
	float value;

	memcpy(&value, words, sizeof(value));
	return value;
}

static inline double eval_get_double(const uint64_t *words)
{
	double value;

	memcpy(&value, words, sizeof(value));
	return value;
}

static inline long double eval_get_fp80(const uint64_t *words)
{
	long double value = 0;

	memcpy(&value, words, 10);
	return value;
}

static inline __float128 eval_get_fp128(const uint64_t *words)
{
	__float128 value;

	memcpy(&value, words, sizeof(value));
	return value;
}

static inline float eval_get_half(const uint64_t *words)
{
	_Float16 value;

	memcpy(&value, words, sizeof(value));
	return value;
}

static inline float eval_get_bfloat(const uint64_t *words)
{
	uint32_t bits = (uint32_t)words[0] << 16;
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static inline void eval_put_float(uint64_t *words, float value)
{
	words[0] = 0;
	memcpy(words, &value, sizeof(value));
}

static inline void eval_put_double(uint64_t *words, double value)
{
	memcpy(words, &value, sizeof(value));
}

static inline void eval_put_fp80(uint64_t *words, long double value)
{
	words[1] = 0;
	memcpy(words, &value, 10);
}

static inline void eval_put_fp128(uint64_t *words, __float128 value)
{
	memcpy(words, &value, sizeof(value));
}

static inline void eval_put_half(uint64_t *words, _Float16 value)
{
	words[0] = 0;
	memcpy(words, &value, sizeof(value));
}

/* An instruction of SSE, so that gcc can neither swap the operands nor compute at compile time. */
#define EVAL_SSE(instruction, a, b) __asm__(instruction " %1, %0" : "+x"(a) : "x"(b))

/* A NaN as any instruction gives it on: quiet. */
static inline float eval_quiet_float(float x)
{
	EVAL_SSE("addss", x, x);
	return x;
}

static inline double eval_quiet_double(double x)
{
	EVAL_SSE("addsd", x, x);
	return x;
}

/* All of the result is undefined when a bit of one of `count` operands is. */
static inline void eval_put_undef(const struct eval *e, const struct eval_value *o,
                                  struct eval_value *result, uint32_t count)
{
	u128 any = 0;

	for (uint32_t i = 0; i < count; i++)
		any |= eval_get(o[i].undef, e->from);
	eval_put(result->undef, e->bits, any ? eval_mask(e->bits) : 0);
}

/* To nearest, ties to even; a NaN stays one. */
static inline void eval_put_bfloat(uint64_t *words, float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	if (value != value)
		bits |= 0x400000;
	else
		bits += 0x7fff + (bits >> 16 & 1);
	words[0] = bits >> 16;
}

#endif
