/*
 * Conversions from, to and between floating-point formats.
 *
 * A number that does not fit the integer gives what the conversion instructions give: the smallest
 * integer of their width, which is often wider than the type. What it gives in a vector, or as an
 * integer of an odd width, is not known here.
 */
#include "eval/native.h"

/* --- to integers --- */

static int32_t float_to_32(float x)
{
	int32_t result;

	__asm__("cvttss2si %1, %0" : "=r"(result) : "x"(x));
	return result;
}

static int64_t float_to_64(float x)
{
	int64_t result;

	__asm__("cvttss2si %1, %0" : "=r"(result) : "x"(x));
	return result;
}

static int32_t double_to_32(double x)
{
	int32_t result;

	__asm__("cvttsd2si %1, %0" : "=r"(result) : "x"(x));
	return result;
}

static int64_t double_to_64(double x)
{
	int64_t result;

	__asm__("cvttsd2si %1, %0" : "=r"(result) : "x"(x));
	return result;
}

static int16_t fp80_to_16(long double x)
{
	int16_t result;

	__asm__("fisttps %0" : "=m"(result) : "t"(x) : "st");
	return result;
}

static int32_t fp80_to_32(long double x)
{
	int32_t result;

	__asm__("fisttpl %0" : "=m"(result) : "t"(x) : "st");
	return result;
}

static int64_t fp80_to_64(long double x)
{
	int64_t result;

	__asm__("fisttpll %0" : "=m"(result) : "t"(x) : "st");
	return result;
}

/* The code generator knows only signed conversions; this is what it makes of u64. */
static uint64_t join(int64_t low, int64_t high)
{
	return (uint64_t)(low | (high & low >> 63));
}

static u128 convert_float(const struct eval *e, float x)
{
	if (e->bits > 64)
		return e->is_signed ? (u128)(s128)x : (u128)x;
	if (e->bits < 32 || (e->is_signed && e->bits == 32))
		return (u128)float_to_32(x);
	if (e->bits < 64 || e->is_signed)
		return (u128)float_to_64(x);
	return join(float_to_64(x), float_to_64(x - 0x1p63f));
}

static u128 convert_double(const struct eval *e, double x)
{
	if (e->bits > 64)
		return e->is_signed ? (u128)(s128)x : (u128)x;
	if (e->bits < 32 || (e->is_signed && e->bits == 32))
		return (u128)double_to_32(x);
	if (e->bits < 64 || e->is_signed)
		return (u128)double_to_64(x);
	return join(double_to_64(x), double_to_64(x - 0x1p63));
}

static u128 convert_fp80(const struct eval *e, long double x)
{
	bool large = !(x < 0x1p63L);

	if (e->bits > 64)
		return e->is_signed ? (u128)(s128)x : (u128)x;
	if (e->bits < 16 || (e->is_signed && e->bits == 16))
		return (u128)fp80_to_16(x);
	if (e->bits < 32 || (e->is_signed && e->bits == 32))
		return (u128)fp80_to_32(x);
	if (e->bits < 64 || e->is_signed)
		return (u128)fp80_to_64(x);
	return (uint64_t)fp80_to_64(large ? x - 0x1p63L : x) ^ (uint64_t)large << 63;
}

static u128 convert_fp128(const struct eval *e, __float128 x)
{
	if (e->bits > 64)
		return e->is_signed ? (u128)(s128)x : (u128)x;
	if (e->bits < 32 || (e->is_signed && e->bits == 32))
		return (u128)(int32_t)x;
	if (e->bits == 32)
		return (uint32_t)x;
	return e->bits < 64 || e->is_signed ? (u128)(int64_t)x : (uint64_t)x;
}

static u128 convert_half(const struct eval *e, float x)
{
	_Float16 half = (_Float16)x;

	if (e->bits > 64)
		return e->is_signed ? (u128)(s128)half : (u128)half;
	return convert_float(e, x);
}

#define convert_bfloat convert_float

/* 2 to the power of `bits`: the first number that is too large. */
static __float128 limit_of(uint32_t bits)
{
	uint64_t words[2] = {0, (uint64_t)(16383 + bits) << 48};

	return eval_get_fp128(words);
}

static bool is_in_range(const struct eval *e, __float128 x)
{
	if (e->is_signed)
		return x > -limit_of(e->bits - 1) - 1 && x < limit_of(e->bits - 1);
	return x > -1 && x < limit_of(e->bits);
}

static bool put_too_large(const struct eval *e, const struct eval_value *o,
                          struct eval_value *result)
{
	if (e->gives_ones)
		eval_put_any(e, result, eval_mask(e->bits), eval_is_undefined(o, e->from));
	return e->gives_ones;
}

#define DEFINE_TO_INT(name, type)                                                                  \
	static bool to_int_##name(const struct eval *e, const struct eval_value *o,                \
	                          struct eval_value *result)                                       \
	{                                                                                          \
		type x = eval_get_##name(o->bits);                                                 \
                                                                                                   \
		if (e->flag && !is_in_range(e, x))                                                 \
			return put_too_large(e, o, result);                                        \
		eval_put_any(e, result, convert_##name(e, x) & eval_mask(e->bits),                 \
		             eval_is_undefined(o, e->from));                                       \
		return true;                                                                       \
	}

DEFINE_TO_INT(half, float)
DEFINE_TO_INT(bfloat, float)
DEFINE_TO_INT(float, float)
DEFINE_TO_INT(double, double)
DEFINE_TO_INT(fp80, long double)
DEFINE_TO_INT(fp128, __float128)

/* Is it converted by an instruction of AVX-512, which has unsigned ones? */
static bool has_unsigned(const struct eval_request *r)
{
	return r->opcode == LLVMFPToUI && (r->to.bits == 32 || r->to.bits == 64) &&
	       r->from.format <= EVAL_DOUBLE && eval_has_feature(r->value, "avx512f");
}

/* Of others the code generator takes for granted that the number fits. */
static bool is_known_width(uint32_t bits)
{
	return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
}

bool eval_prepare_to_int(const struct eval_request *r, struct eval *e)
{
	static eval_function *const functions[] = {
		[EVAL_HALF] = to_int_half,   [EVAL_BFLOAT] = to_int_bfloat,
		[EVAL_FLOAT] = to_int_float, [EVAL_DOUBLE] = to_int_double,
		[EVAL_FP80] = to_int_fp80,   [EVAL_FP128] = to_int_fp128,
	};

	e->is_signed = r->opcode == LLVMFPToSI;
	e->gives_ones = !e->is_lane && has_unsigned(r);
	e->flag = e->is_lane || e->gives_ones || !is_known_width(r->to.bits);
	e->run = functions[r->from.format];
	return e->run && r->to.format == EVAL_INTEGER;
}

/* --- from integers --- */

/* The narrowest C type, since a wide one would round in another way. */
#define FROM_INT(type, signed_, value, bits)                                                       \
	((bits) > 64 ? (signed_) ? (type)eval_extend(value, bits) : (type)(value)                  \
	 : (signed_) ? (type)(int64_t)eval_extend(value, bits)                                     \
	             : (type)(uint64_t)(value))

/* By way of float, except from 128 bits, which a function of libgcc converts. */
static _Float16 half_from_int(const struct eval *e, u128 value)
{
	if (e->from > 64)
		return FROM_INT(_Float16, e->is_signed, value, e->from);
	return (_Float16)FROM_INT(float, e->is_signed, value, e->from);
}

#define DEFINE_FROM_INT(name, expression)                                                          \
	static bool from_int_##name(const struct eval *e, const struct eval_value *o,              \
	                            struct eval_value *result)                                     \
	{                                                                                          \
		u128 value = eval_get(o->bits, e->from);                                           \
                                                                                                   \
		eval_put_##name(result->bits, expression);                                         \
		eval_put_undef(e, o, result, 1);                                                   \
		return true;                                                                       \
	}

DEFINE_FROM_INT(half, half_from_int(e, value))
DEFINE_FROM_INT(bfloat, FROM_INT(float, e->is_signed, value, e->from))
DEFINE_FROM_INT(float, FROM_INT(float, e->is_signed, value, e->from))
DEFINE_FROM_INT(double, FROM_INT(double, e->is_signed, value, e->from))
DEFINE_FROM_INT(fp80, FROM_INT(long double, e->is_signed, value, e->from))
DEFINE_FROM_INT(fp128, FROM_INT(__float128, e->is_signed, value, e->from))

bool eval_prepare_from_int(const struct eval_request *r, struct eval *e)
{
	static eval_function *const functions[] = {
		[EVAL_HALF] = from_int_half,   [EVAL_BFLOAT] = from_int_bfloat,
		[EVAL_FLOAT] = from_int_float, [EVAL_DOUBLE] = from_int_double,
		[EVAL_FP80] = from_int_fp80,   [EVAL_FP128] = from_int_fp128,
	};

	e->is_signed = r->opcode == LLVMSIToFP;
	e->run = functions[r->to.format];
	return e->run && r->from.format == EVAL_INTEGER;
}

/* --- between formats --- */

/* A float that rounds to the same bfloat as `x` does: cut off, with the last bit set when something
   was lost. */
static float float_to_odd(__float128 x)
{
	float nearest = (float)x;
	uint32_t bits;

	if (x != x || nearest == x)
		return nearest;
	memcpy(&bits, &nearest, sizeof(bits));
	if (x < 0 ? nearest < x : nearest > x)
		bits--;
	bits |= 1;
	memcpy(&nearest, &bits, sizeof(bits));
	return nearest;
}

#define TO_FORMAT(format, words, x)                                                                \
	switch (format) {                                                                          \
	case EVAL_HALF: eval_put_half(words, (_Float16)(x)); break;                                \
	case EVAL_BFLOAT: eval_put_bfloat(words, float_to_odd(x)); break;                          \
	case EVAL_FLOAT: eval_put_float(words, (float)(x)); break;                                 \
	case EVAL_DOUBLE: eval_put_double(words, (double)(x)); break;                              \
	case EVAL_FP80: eval_put_fp80(words, (long double)(x)); break;                             \
	default: eval_put_fp128(words, (__float128)(x)); break;                                    \
	}

#define DEFINE_TO_FORMAT(name, type)                                                               \
	static bool to_format_##name(const struct eval *e, const struct eval_value *o,             \
	                             struct eval_value *result)                                    \
	{                                                                                          \
		type x = eval_get_##name(o->bits);                                                 \
                                                                                                   \
		TO_FORMAT(e->format, result->bits, x)                                              \
		eval_put_undef(e, o, result, 1);                                                   \
		return true;                                                                       \
	}

DEFINE_TO_FORMAT(half, float)
DEFINE_TO_FORMAT(bfloat, float)
DEFINE_TO_FORMAT(float, float)
DEFINE_TO_FORMAT(double, double)
DEFINE_TO_FORMAT(fp80, long double)
DEFINE_TO_FORMAT(fp128, __float128)

bool eval_prepare_to_float(const struct eval_request *r, struct eval *e)
{
	static eval_function *const functions[] = {
		[EVAL_HALF] = to_format_half,   [EVAL_BFLOAT] = to_format_bfloat,
		[EVAL_FLOAT] = to_format_float, [EVAL_DOUBLE] = to_format_double,
		[EVAL_FP80] = to_format_fp80,   [EVAL_FP128] = to_format_fp128,
	};

	e->run = functions[r->from.format];
	return e->run && r->to.format > EVAL_INTEGER;
}
