/* What operations compute from numbers. */
#include <math.h>

#include "solve/term_work.h"

/* --- integers --- */

static uint64_t divide(uint32_t op, uint32_t bits, uint64_t a, uint64_t b)
{
	int64_t x = term_signed(a, bits), y = term_signed(b, bits);

	switch (op) {
	case TERM_UDIV: return b ? a / b : UINT64_MAX;
	case TERM_UREM: return b ? a % b : a;
	case TERM_SDIV:
		if (!b)
			return x < 0 ? 1 : UINT64_MAX;
		return y == -1 ? -a : (uint64_t)(x / y);
	default:
		if (!b)
			return a;
		return y == -1 ? 0 : (uint64_t)(x % y);
	}
}

static uint64_t shift(uint32_t op, uint32_t bits, uint64_t a, uint64_t by)
{
	int64_t x = term_signed(a, bits);

	if (op == TERM_ASHR)
		return (uint64_t)(x >> (by >= bits ? bits - 1 : by));
	if (by >= bits)
		return 0;
	return op == TERM_SHL ? a << by : a >> by;
}

static uint64_t compute_integer(uint32_t op, uint32_t bits, uint64_t a, uint64_t b)
{
	switch (op) {
	case TERM_ADD: return a + b;
	case TERM_SUB: return a - b;
	case TERM_MUL: return a * b;
	case TERM_AND: return a & b;
	case TERM_OR: return a | b;
	case TERM_XOR: return a ^ b;
	case TERM_EQ: return a == b;
	case TERM_ULT: return a < b;
	case TERM_ULE: return a <= b;
	case TERM_SLT: return term_signed(a, bits) < term_signed(b, bits);
	case TERM_SLE: return term_signed(a, bits) <= term_signed(b, bits);
	case TERM_SHL:
	case TERM_LSHR:
	case TERM_ASHR: return shift(op, bits, a, b);
	default: return divide(op, bits, a, b);
	}
}

/* --- floats --- */

union number {
	uint64_t bits;
	double d;
	float f;
};

static double get_double(uint64_t bits, uint32_t width)
{
	union number n = {.bits = bits};

	return width == 32 ? (double)n.f : n.d;
}

#define QUIET(width) ((width) == 32 ? UINT64_C(1) << 22 : UINT64_C(1) << 51)

/* Of two NaNs the machine gives the first; the compiler may swap operands, so this is said here. */
static bool is_nan(uint64_t bits, uint32_t width)
{
	return isnan(get_double(bits, width));
}

#define DEFINE_ARITHMETIC(type, root)                                                              \
	static type compute_##type(uint32_t op, type a, type b)                                    \
	{                                                                                          \
		switch (op) {                                                                      \
		case TERM_FADD: return a + b;                                                      \
		case TERM_FSUB: return a - b;                                                      \
		case TERM_FMUL: return a * b;                                                      \
		case TERM_FDIV: return a / b;                                                      \
		default: return root(a);                                                           \
		}                                                                                  \
	}

DEFINE_ARITHMETIC(float, sqrtf)
DEFINE_ARITHMETIC(double, sqrt)

static uint64_t arithmetic(uint32_t op, uint32_t width, uint64_t a, uint64_t b)
{
	union number x = {.bits = a}, y = {.bits = b}, result = {0};

	if (is_nan(a, width))
		return a | QUIET(width);
	if (op != TERM_FSQRT && is_nan(b, width))
		return b | QUIET(width);
	if (width == 32)
		result.f = compute_float(op, x.f, y.f);
	else
		result.d = compute_double(op, x.d, y.d);
	if (is_nan(result.bits, width)) /* the machine's own, whatever the compiler's would be */
		return width == 32 ? 0xffc00000u : UINT64_C(0xfff8000000000000);
	return result.bits;
}

static uint64_t compare_float(uint32_t op, uint32_t width, uint64_t a, uint64_t b)
{
	double x = get_double(a, width), y = get_double(b, width);

	switch (op) {
	case TERM_FEQ: return x == y;
	case TERM_FLT: return x < y;
	case TERM_FLE: return x <= y;
	default: return isnan(x);
	}
}

static uint64_t resize(uint32_t bits, uint32_t width, uint64_t a)
{
	union number from = {.bits = a}, to = {0};

	if (bits == width)
		return a;
	if (is_nan(a, width))
		return bits == 64 ? (a & 0x80000000u) << 32 | (a & 0x7fffffu) << 29 |
		                            UINT64_C(0x7ff8000000000000)
		                  : (a >> 63) << 31 | ((a >> 29) & 0x7fffffu) | 0x7fc00000u;
	if (bits == 64)
		to.d = from.f;
	else
		to.f = (float)from.d;
	return to.bits;
}

static uint64_t from_integer(const struct term_node *n, uint32_t width, uint64_t a)
{
	union number to = {0};
	int64_t x = term_signed(a, width);

	if (n->bits == 64)
		to.d = n->op == TERM_FROM_SIGNED ? (double)x : (double)a;
	else
		to.f = n->op == TERM_FROM_SIGNED ? (float)x : (float)a;
	return to.bits;
}

/* The conversion instruction: what does not fit is the smallest integer. */
static uint64_t convert(double x, uint32_t bits)
{
	double limit = ldexp(1, (int)bits - 1), whole = trunc(x);

	if (!(whole >= -limit && whole < limit))
		return UINT64_C(1) << (bits - 1);
	return (uint64_t)(int64_t)whole;
}

/* The code generator knows only signed conversions, of 32 and 64 bits. */
static bool to_integer(const struct term_node *n, uint32_t width, uint64_t a, uint64_t *out)
{
	double x = get_double(a, width), whole = trunc(x);
	bool is_signed = n->op == TERM_TO_SIGNED;
	double limit = ldexp(1, (int)n->bits - is_signed);

	if (is_signed || n->bits < 64) {
		*out = convert(x, n->bits <= (is_signed ? 32 : 16) ? 32 : 64);
	} else {
		uint64_t low = convert(x, 64);

		*out = low | ((uint64_t)((int64_t)low >> 63) & convert(x - 0x1p63, 64));
	}
	return whole >= (is_signed ? -limit : 0) && whole < limit;
}

bool term_compute(const struct term_node *n, uint32_t width, const uint64_t o[3], uint64_t *out)
{
	uint64_t value;
	bool known = true;

	switch (n->op) {
	case TERM_CONCAT: value = o[0] << (n->bits - width) | o[1]; break;
	case TERM_CHOICE: value = o[0] ? o[1] : o[2]; break;
	case TERM_ZEXT: value = o[0]; break;
	case TERM_SEXT: value = (uint64_t)term_signed(o[0], width); break;
	case TERM_EXTRACT: value = o[0] >> n->low; break;
	case TERM_FADD:
	case TERM_FSUB:
	case TERM_FMUL:
	case TERM_FDIV:
	case TERM_FSQRT: value = arithmetic(n->op, width, o[0], o[1]); break;
	case TERM_FEQ:
	case TERM_FLT:
	case TERM_FLE:
	case TERM_FNAN: value = compare_float(n->op, width, o[0], o[1]); break;
	case TERM_FROM_SIGNED:
	case TERM_FROM_UNSIGNED: value = from_integer(n, width, o[0]); break;
	case TERM_TO_SIGNED:
	case TERM_TO_UNSIGNED: known = to_integer(n, width, o[0], &value); break;
	case TERM_RESIZE: value = resize(n->bits, width, o[0]); break;
	default: value = compute_integer(n->op, width, o[0], o[1]);
	}
	*out = value & term_mask(n->bits);
	return known;
}
