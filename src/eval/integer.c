/*
 * Arithmetic and comparison of integers of 1 to 128 bits, as x86-64 does it.
 *
 * Undefined bits follow memcheck (Seward and Nethercote, "Using Valgrind to detect undefined value
 * errors with bit-precision", 2005, section 2.5): exact for and, or, xor, shifts by a defined count
 * and equality; carries only go upwards in add, sub and mul; the rest is all or nothing.
 */
#include "eval/prepared.h"

/* --- add, sub, mul: a carry goes upwards --- */

static inline void put_carried(const struct eval *e, const struct eval_value *o,
                               struct eval_value *result, u128 value)
{
	u128 u = eval_get(o[0].undef, e->bits) | eval_get(o[1].undef, e->bits);

	eval_put(result->bits, e->bits, value & eval_mask(e->bits));
	eval_put(result->undef, e->bits, (u | -u) & eval_mask(e->bits));
}

static bool run_add(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	put_carried(e, o, result, eval_get(o[0].bits, e->bits) + eval_get(o[1].bits, e->bits));
	return true;
}

static bool run_sub(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	put_carried(e, o, result, eval_get(o[0].bits, e->bits) - eval_get(o[1].bits, e->bits));
	return true;
}

static bool run_mul(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	put_carried(e, o, result, eval_get(o[0].bits, e->bits) * eval_get(o[1].bits, e->bits));
	return true;
}

/* --- and, or, xor --- */

static bool run_bitwise(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	uint32_t words = e->bits > 64 ? 2 : 1;

	for (uint32_t i = 0; i < words; i++) {
		uint64_t a = o[0].bits[i], ua = o[0].undef[i];
		uint64_t b = o[1].bits[i], ub = o[1].undef[i];

		switch (e->code) {
		case LLVMAnd:
			result->bits[i] = a & b;
			result->undef[i] = (ua | ub) & (ua | a) & (ub | b);
			break;
		case LLVMOr:
			result->bits[i] = a | b;
			result->undef[i] = (ua | ub) & (ua | ~a) & (ub | ~b);
			break;
		default:
			result->bits[i] = a ^ b;
			result->undef[i] = ua | ub;
			break;
		}
	}
	return true;
}

/* --- shifts --- */

/* `count` may be anything up to 127. */
static u128 shift(const struct eval *e, u128 value, uint32_t count)
{
	switch (e->code) {
	case LLVMShl: return value << count & eval_mask(e->bits);
	case LLVMLShr: return value >> count;
	default: return (u128)(eval_extend(value, e->bits) >> count) & eval_mask(e->bits);
	}
}

/* x86 shifts by the count modulo 32, or 64 for wide registers. What the code generator makes of a
   constant that is too large is not known, nor what vector instructions do. */
static bool run_shift(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	u128 count = eval_get(o[1].bits, e->bits);
	uint32_t modulus = e->bits <= 32 ? 32 : e->bits <= 64 ? 64 : 128;
	uint32_t n = (uint32_t)count & (modulus - 1);

	if (e->bits == 1)
		n = 0; /* all that an i1 can be shifted by */
	else if (count >= e->bits && (e->fixed || e->is_lane))
		return false;
	eval_put(result->bits, e->bits, shift(e, eval_get(o[0].bits, e->bits), n));
	eval_put(result->undef, e->bits,
	         eval_is_undefined(&o[1], e->bits) ? eval_mask(e->bits)
	                                           : shift(e, eval_get(o[0].undef, e->bits), n));
	return true;
}

/* --- division --- */

static u128 magnitude(s128 value)
{
	return value < 0 ? -(u128)value : (u128)value;
}

static u128 divide_signed(const struct eval *e, u128 a, u128 b)
{
	s128 x = eval_extend(a, e->bits), y = eval_extend(b, e->bits);
	bool negative;
	u128 value;

	if (e->code == LLVMSDiv) {
		value = magnitude(x) / magnitude(y);
		negative = (x < 0) != (y < 0);
	} else {
		value = magnitude(x) % magnitude(y);
		negative = x < 0;
	}
	return (negative ? -value : value) & eval_mask(e->bits);
}

/* idiv traps when the quotient does not fit; wider and odd types are divided in other ways, and
   nothing is divided by a constant -1. */
static bool is_overflow(const struct eval *e, u128 a, u128 b)
{
	bool is_register = e->bits == 8 || e->bits == 16 || e->bits == 32 || e->bits == 64;

	return b == eval_mask(e->bits) && a == (u128)1 << (e->bits - 1) && !e->fixed && is_register;
}

static bool run_divide(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	u128 a = eval_get(o[0].bits, e->bits), b = eval_get(o[1].bits, e->bits), value;
	bool undefined = eval_is_undefined(&o[0], e->bits) || eval_is_undefined(&o[1], e->bits);

	/* The code generator knows that 0 / x is 0, and that an i1 can only be divided by 1. */
	if (e->flag || e->bits == 1)
		b = 1;
	if (!b || (e->is_signed && is_overflow(e, a, b)))
		return false;
	if (e->is_signed)
		value = divide_signed(e, a, b);
	else if (e->bits <= 64)
		value = e->code == LLVMUDiv ? (uint64_t)a / (uint64_t)b : (uint64_t)a % (uint64_t)b;
	else
		value = e->code == LLVMUDiv ? a / b : a % b;
	eval_put_any(e, result, value, undefined);
	return true;
}

static eval_function *function_of(LLVMOpcode opcode)
{
	switch (opcode) {
	case LLVMAdd: return run_add;
	case LLVMSub: return run_sub;
	case LLVMMul: return run_mul;
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr: return run_shift;
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor: return run_bitwise;
	default: return run_divide;
	}
}

static bool is_zero(LLVMValueRef value)
{
	return LLVMIsAConstantInt(value) && LLVMIsNull(value);
}

bool eval_prepare_integer(const struct eval_request *r, struct eval *e)
{
	e->flag = is_zero(LLVMGetOperand(r->value, 0));
	e->is_signed = r->opcode == LLVMSDiv || r->opcode == LLVMSRem;
	e->run = function_of(r->opcode);
	return r->to.format == EVAL_INTEGER;
}

/* --- icmp --- */

static bool compare(uint8_t predicate, u128 a, u128 b)
{
	switch (predicate) {
	case LLVMIntEQ: return a == b;
	case LLVMIntNE: return a != b;
	case LLVMIntUGT:
	case LLVMIntSGT: return a > b;
	case LLVMIntUGE:
	case LLVMIntSGE: return a >= b;
	case LLVMIntULT:
	case LLVMIntSLT: return a < b;
	default: return a <= b;
	}
}

/* The bits that are known may be enough to decide. */
static bool is_decided(const struct eval *e, u128 a, u128 ua, u128 b, u128 ub)
{
	u128 low_a = a & ~ua, high_a = a | ua, low_b = b & ~ub, high_b = b | ub;

	if (e->code == LLVMIntEQ || e->code == LLVMIntNE)
		return ((a ^ b) & ~(ua | ub)) != 0;
	return compare(e->code, low_a, high_b) == compare(e->code, high_a, low_b);
}

static bool run_compare(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	/* With the sign bit inverted, signed numbers compare as unsigned ones. */
	u128 sign = e->is_signed ? (u128)1 << (e->from - 1) : 0;
	u128 a = eval_get(o[0].bits, e->from) ^ sign, b = eval_get(o[1].bits, e->from) ^ sign;
	u128 ua = eval_get(o[0].undef, e->from), ub = eval_get(o[1].undef, e->from);

	result->bits[0] = compare(e->code, a, b);
	result->undef[0] = (ua | ub) && !is_decided(e, a, ua, b, ub);
	return true;
}

bool eval_prepare_compare(const struct eval_request *r, struct eval *e)
{
	LLVMIntPredicate predicate = LLVMGetICmpPredicate(r->value);

	e->code = (uint8_t)predicate;
	e->is_signed = predicate >= LLVMIntSGT;
	e->run = run_compare;
	return r->from.format == EVAL_INTEGER;
}
