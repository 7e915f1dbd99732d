/* Intrinsics on integers: bits moved and counted, the smaller and the larger of two, arithmetic
   that saturates or tells of overflow. */
#include "eval/prepared.h"

#include <string.h>

/* --- moved --- */

static uint64_t reverse_word(uint64_t x, bool each_bit)
{
	x = __builtin_bswap64(x);
	if (!each_bit)
		return x;
	x = (x & 0x0f0f0f0f0f0f0f0full) << 4 | (x >> 4 & 0x0f0f0f0f0f0f0f0full);
	x = (x & 0x3333333333333333ull) << 2 | (x >> 2 & 0x3333333333333333ull);
	return (x & 0x5555555555555555ull) << 1 | (x >> 1 & 0x5555555555555555ull);
}

static u128 reverse(const struct eval *e, u128 value)
{
	bool each_bit = e->code == EVAL_BITREVERSE;
	uint64_t low = reverse_word((uint64_t)(value >> 64), each_bit);
	uint64_t high = reverse_word((uint64_t)value, each_bit);

	return ((u128)high << 64 | low) >> (128 - e->bits);
}

static bool run_reverse(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	eval_put(result->bits, e->bits, reverse(e, eval_get(o->bits, e->bits)));
	eval_put(result->undef, e->bits, reverse(e, eval_get(o->undef, e->bits)));
	return true;
}

/* The upper (fshl) or lower (fshr) word of two that were shifted. */
static u128 funnel(const struct eval *e, u128 high, u128 low, uint32_t count)
{
	u128 mask = eval_mask(e->bits);

	if (!count)
		return e->code == EVAL_FSHL ? high : low;
	if (e->code == EVAL_FSHR)
		count = e->bits - count;
	return (high << count | low >> (e->bits - count)) & mask;
}

static bool run_funnel(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	uint32_t count = (uint32_t)(eval_get(o[2].bits, e->bits) % e->bits);

	eval_put(result->bits, e->bits,
	         funnel(e, eval_get(o[0].bits, e->bits), eval_get(o[1].bits, e->bits), count));
	eval_put(result->undef, e->bits,
	         eval_is_undefined(&o[2], e->bits) ? eval_mask(e->bits)
	                                           : funnel(e, eval_get(o[0].undef, e->bits),
	                                                    eval_get(o[1].undef, e->bits), count));
	return true;
}

/* --- counted --- */

static uint32_t trailing_zeros(u128 value)
{
	return (uint64_t)value ? (uint32_t)__builtin_ctzll((uint64_t)value)
	                       : 64 + (uint32_t)__builtin_ctzll((uint64_t)(value >> 64));
}

static uint32_t leading_zeros(u128 value)
{
	return value >> 64 ? (uint32_t)__builtin_clzll((uint64_t)(value >> 64))
	                   : 64 + (uint32_t)__builtin_clzll((uint64_t)value);
}

static u128 count(const struct eval *e, u128 value)
{
	switch (e->code) {
	case EVAL_CTPOP:
		return (u128)(__builtin_popcountll((uint64_t)value) +
		              __builtin_popcountll((uint64_t)(value >> 64)));
	case EVAL_CTLZ: return value ? leading_zeros(value) - (128 - e->bits) : e->bits;
	default: return value ? trailing_zeros(value) : e->bits;
	}
}

/* The flag: the zeros of 0 are not asked for, and bsr leaves its target as it was. */
static bool run_count(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	u128 value = eval_get(o->bits, e->bits);

	if (e->flag && !value)
		return false;
	eval_put_any(e, result, count(e, value) & eval_mask(e->bits),
	             eval_is_undefined(o, e->bits));
	return true;
}

/* --- compared --- */

static bool run_abs(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	s128 value = eval_extend(eval_get(o->bits, e->bits), e->bits);
	u128 positive = value < 0 ? -(u128)value : (u128)value;

	eval_put_any(e, result, positive & eval_mask(e->bits), eval_is_undefined(o, e->bits));
	return true;
}

static bool run_extreme(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	u128 a = eval_get(o[0].bits, e->bits), b = eval_get(o[1].bits, e->bits);
	u128 sign = e->is_signed ? (u128)1 << (e->bits - 1) : 0;
	bool wants_larger = e->code == EVAL_SMAX || e->code == EVAL_UMAX;
	bool is_larger = (a ^ sign) > (b ^ sign);

	eval_put_any(e, result, is_larger == wants_larger ? a : b,
	             eval_is_undefined(&o[0], e->bits) || eval_is_undefined(&o[1], e->bits));
	return true;
}

static eval_function *function_of(uint8_t code)
{
	switch (code) {
	case EVAL_BITREVERSE:
	case EVAL_BSWAP: return run_reverse;
	case EVAL_FSHL:
	case EVAL_FSHR: return run_funnel;
	case EVAL_CTLZ:
	case EVAL_CTPOP:
	case EVAL_CTTZ: return run_count;
	case EVAL_ABS: return run_abs;
	default: return run_extreme;
	}
}

bool eval_prepare_bits(const struct eval_request *r, struct eval *e)
{
	bool has_flag = e->code == EVAL_CTLZ || e->code == EVAL_CTTZ;

	e->flag = has_flag && LLVMConstIntGetZExtValue(LLVMGetOperand(r->value, 1)) != 0;
	e->run = function_of(e->code);
	return r->to.format == EVAL_INTEGER;
}

/* --- overflow --- */

static bool compute_signed(uint8_t code, s128 a, s128 b, s128 *result)
{
	switch (code) {
	case EVAL_ADD: return __builtin_add_overflow(a, b, result);
	case EVAL_SUB: return __builtin_sub_overflow(a, b, result);
	default: return __builtin_mul_overflow(a, b, result);
	}
}

static bool compute_unsigned(uint8_t code, u128 a, u128 b, u128 *result)
{
	switch (code) {
	case EVAL_ADD: return __builtin_add_overflow(a, b, result);
	case EVAL_SUB: return __builtin_sub_overflow(a, b, result);
	default: return __builtin_mul_overflow(a, b, result);
	}
}

/* Computes with `bits` bits and gives the wrapped result; true: it overflowed. */
static bool compute(const struct eval *e, const struct eval_value *o, uint32_t bits, u128 *wrapped)
{
	u128 a = eval_get(o[0].bits, bits), b = eval_get(o[1].bits, bits), u;
	bool overflow;
	s128 s;

	if (e->is_signed) {
		overflow = compute_signed(e->code, eval_extend(a, bits), eval_extend(b, bits), &s);
		*wrapped = (u128)s & eval_mask(bits);
		return overflow || eval_extend(*wrapped, bits) != s;
	}
	overflow = compute_unsigned(e->code, a, b, &u);
	*wrapped = u & eval_mask(bits);
	return overflow || *wrapped != u;
}

/* Into { iN, i1 }: the flag is at the offset. */
static bool run_overflow(const struct eval *e, const struct eval_value *o,
                         struct eval_value *result)
{
	u128 u = eval_get(o[0].undef, e->from) | eval_get(o[1].undef, e->from), value;
	bool overflow = compute(e, o, e->from, &value);

	memset(result->bits, 0, e->words * sizeof(uint64_t));
	memset(result->undef, 0, e->words * sizeof(uint64_t));
	eval_put_at(result->bits, 0, e->from, value);
	eval_put_at(result->undef, 0, e->from, (u | -u) & eval_mask(e->from));
	eval_put_at(result->bits, e->offset * 8, 1, overflow);
	eval_put_at(result->undef, e->offset * 8, 1, u != 0);
	return true;
}

bool eval_prepare_overflow(const struct eval_request *r, struct eval *e)
{
	e->whole = true;
	e->offset = (uint32_t)LLVMOffsetOfElement(r->layout, LLVMTypeOf(r->value), 1);
	e->run = run_overflow;
	return r->from.format == EVAL_INTEGER && !r->from.lanes;
}

/* The limit on the side that the result would have been on. */
static u128 saturate(const struct eval *e, const struct eval_value *o)
{
	u128 a = eval_get(o[0].bits, e->bits), smallest = (u128)1 << (e->bits - 1);

	if (!e->is_signed)
		return e->code == EVAL_ADD ? eval_mask(e->bits) : 0;
	return a & smallest ? smallest : smallest - 1;
}

static bool run_saturated(const struct eval *e, const struct eval_value *o,
                          struct eval_value *result)
{
	u128 value;

	if (compute(e, o, e->bits, &value))
		value = saturate(e, o);
	eval_put_any(e, result, value,
	             eval_is_undefined(&o[0], e->bits) || eval_is_undefined(&o[1], e->bits));
	return true;
}

bool eval_prepare_saturated(const struct eval_request *r, struct eval *e)
{
	e->run = run_saturated;
	return r->to.format == EVAL_INTEGER;
}
