/* The graph of terms: nodes in one vector, and a table that finds a node that is there already. */
#include "solve/term.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "base/map.h"

/* What a walk knows of a node: nothing, if the stamp is not its own. */
struct term_mark {
	uint32_t stamp;
	uint32_t done;  /* 0: it was met, and its operands come first */
	uint64_t value; /* what became of it: a term, or a number */
};

struct term_walk {
	VEC(struct term_mark) marks; /* by term */
	VEC(term) stack;
	uint32_t stamp; /* of this walk */
};

struct terms {
	VEC(struct term_node) nodes; /* number 0 is none */
	uint32_t *slots;             /* open addressing over nodes; 0 is free */
	uint32_t room;               /* a power of two */
	uint64_t anys;
	struct term_walk *walk; /* one at a time, but for the one of the last replacement */
	struct term_walk *replaced;
};

/* ------ comparisons: of a value with itself, with a bound, of what was widened before ------ */

static struct term_node node_of(const struct terms *terms, term t)
{
	return terms->nodes.at[t];
}

static term truth(struct terms *terms, bool value)
{
	return term_constant(terms, 1, value);
}

/* --- equality --- */

/* x + 1 and x + 2 are never equal. */
static bool is_apart(const struct terms *terms, term a, term b)
{
	struct term_node x = node_of(terms, a), y = node_of(terms, b);
	bool x_sum = x.op == TERM_ADD && node_of(terms, x.b).op == TERM_CONSTANT;
	bool y_sum = y.op == TERM_ADD && node_of(terms, y.b).op == TERM_CONSTANT;

	return (x_sum || y_sum) && (x_sum ? x.a : a) == (y_sum ? y.a : b) && a != b;
}

static bool is_constant_term(const struct terms *terms, term t)
{
	return node_of(terms, t).op == TERM_CONSTANT;
}

/* Both were widened in the same way from the same width. */
static bool is_alike(const struct terms *terms, term a, term b, uint32_t op)
{
	struct term_node x = node_of(terms, a), y = node_of(terms, b);

	return x.op == op && y.op == op && node_of(terms, x.a).bits == node_of(terms, y.a).bits;
}

static term simplify_equal(struct terms *terms, const struct term_node *n)
{
	if (n->a == n->b)
		return truth(terms, true);
	if (is_constant_term(terms, n->b)) {
		struct term_node of = node_of(terms, n->a), inner = node_of(terms, of.b);
		uint64_t value = node_of(terms, n->b).value;

		if (of.bits == 1)
			return value ? n->a : term_not(terms, n->a);
		switch (of.op) {
		case TERM_ADD: return inner.op ? 0 : term_equals(terms, of.a, value - inner.value);
		case TERM_XOR: return inner.op ? 0 : term_equals(terms, of.a, value ^ inner.value);
		case TERM_CONCAT: {
			/* A part of both sides, each a constant on the right. */
			struct term_node up = node_of(terms, of.a), down = node_of(terms, of.b);
			term above;

			if (up.op != TERM_CONSTANT && down.op != TERM_CONSTANT)
				return 0;
			above = term_equals(terms, of.a, value >> down.bits);
			return term_make(terms, TERM_AND, 1, above, term_equals(terms, of.b, value),
			                 0);
		}
		case TERM_ZEXT:
		case TERM_SEXT: {
			uint32_t width = node_of(terms, of.a).bits;
			uint64_t low = value & term_mask(width);
			uint64_t again =
				of.op == TERM_ZEXT ? low : (uint64_t)term_signed(low, width);

			if ((again & term_mask(of.bits)) != value)
				return truth(terms, false);
			return term_equals(terms, of.a, value);
		}
		default: return 0;
		}
	}
	if (is_apart(terms, n->a, n->b))
		return truth(terms, false);
	if (is_alike(terms, n->a, n->b, TERM_ZEXT) || is_alike(terms, n->a, n->b, TERM_SEXT))
		return term_make(terms, TERM_EQ, 1, node_of(terms, n->a).a, node_of(terms, n->b).a,
		                 0);
	return 0;
}

/* --- order --- */

static bool is_signed(uint32_t op)
{
	return op == TERM_SLT || op == TERM_SLE;
}

/* Against the end of the range. */
static term order_at_bound(struct terms *terms, const struct term_node *n)
{
	uint64_t half = UINT64_C(1) << (node_of(terms, n->a).bits - 1);
	uint64_t least = is_signed(n->op) ? half : 0;
	uint64_t most = is_signed(n->op) ? half - 1 : term_mask(node_of(terms, n->a).bits);
	bool strict = n->op == TERM_ULT || n->op == TERM_SLT;
	struct term_node a = node_of(terms, n->a), b = node_of(terms, n->b);

	if (a.op == TERM_CONSTANT && a.value == (strict ? most : least))
		return truth(terms, !strict);
	if (b.op == TERM_CONSTANT && b.value == (strict ? least : most))
		return truth(terms, !strict);
	return 0;
}

/* Does a constant come out of widening a value of that width? */
static bool is_reached(uint64_t value, uint32_t bits, uint32_t width, uint32_t op)
{
	uint64_t low = value & term_mask(width);

	if (op == TERM_SEXT)
		low = (uint64_t)term_signed(low, width) & term_mask(bits);
	return low == value;
}

/* Of what was widened: compared as it was before, or all of its range lies on one side. */
static term order_extended(struct terms *terms, const struct term_node *n, bool on_left)
{
	struct term_node of = node_of(terms, on_left ? n->a : n->b);
	uint64_t value = node_of(terms, on_left ? n->b : n->a).value;
	uint32_t width = node_of(terms, of.a).bits, op = n->op;
	term low;

	if (of.op != TERM_ZEXT && !(of.op == TERM_SEXT && is_signed(op)))
		return 0;
	if (!is_reached(value, of.bits, width, of.op)) {
		bool above = is_signed(op) ? term_signed(value, of.bits) > 0 : true;

		return truth(terms, above == on_left);
	}
	if (of.op == TERM_ZEXT && is_signed(op))
		op = op == TERM_SLT ? TERM_ULT : TERM_ULE;
	low = term_constant(terms, width, value);
	return term_make(terms, op, 1, on_left ? of.a : low, on_left ? low : of.a, 0);
}

static term simplify_order(struct terms *terms, const struct term_node *n)
{
	uint32_t op = n->op;
	term t;

	if (n->a == n->b)
		return truth(terms, op == TERM_ULE || op == TERM_SLE);
	if ((t = order_at_bound(terms, n)))
		return t;
	if (is_constant_term(terms, n->b))
		return order_extended(terms, n, true);
	if (is_constant_term(terms, n->a))
		return order_extended(terms, n, false);
	if (is_alike(terms, n->a, n->b, TERM_ZEXT) && is_signed(op) &&
	    node_of(terms, n->a).bits > node_of(terms, node_of(terms, n->a).a).bits)
		op = op == TERM_SLT ? TERM_ULT : TERM_ULE;
	else if (!is_alike(terms, n->a, n->b, is_signed(op) ? TERM_SEXT : TERM_ZEXT))
		return 0;
	return term_make(terms, op, 1, node_of(terms, n->a).a, node_of(terms, n->b).a, 0);
}

static term term_simplify_compare(struct terms *terms, struct term_node *n)
{
	return n->op == TERM_EQ ? simplify_equal(terms, n) : simplify_order(terms, n);
}

/* ------ what operations compute from numbers ------ */

/* --- integers --- */

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
	case TERM_ASHR: {
		int64_t x = term_signed(a, bits);

		if (op == TERM_ASHR)
			return (uint64_t)(x >> (b >= bits ? bits - 1 : b));
		if (b >= bits)
			return 0;
		return op == TERM_SHL ? a << b : a >> b;
	}
	default: {
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

/* The conversion instruction: what does not fit is the smallest integer. */
static uint64_t convert(double x, uint32_t bits)
{
	double limit = ldexp(1, (int)bits - 1), whole = trunc(x);

	if (!(whole >= -limit && whole < limit))
		return UINT64_C(1) << (bits - 1);
	return (uint64_t)(int64_t)whole;
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
	case TERM_FROM_UNSIGNED: {
		uint64_t a = o[0];

		union number to = {0};
		int64_t x = term_signed(a, width);

		if (n->bits == 64)
			to.d = n->op == TERM_FROM_SIGNED ? (double)x : (double)a;
		else
			to.f = n->op == TERM_FROM_SIGNED ? (float)x : (float)a;
		value = to.bits;
	} break;
	case TERM_TO_SIGNED:
	case TERM_TO_UNSIGNED: {
		/* The code generator knows only signed conversions, of 32 and 64 bits. */
		double x = get_double(o[0], width), whole = trunc(x);
		bool is_signed = n->op == TERM_TO_SIGNED;
		double limit = ldexp(1, (int)n->bits - is_signed);

		if (is_signed || n->bits < 64) {
			value = convert(x, n->bits <= (is_signed ? 32 : 16) ? 32 : 64);
		} else {
			uint64_t low = convert(x, 64);

			value = low | ((uint64_t)((int64_t)low >> 63) & convert(x - 0x1p63, 64));
		}
		known = whole >= (is_signed ? -limit : 0) && whole < limit;
	} break;
	case TERM_RESIZE: value = resize(n->bits, width, o[0]); break;
	default: value = compute_integer(n->op, width, o[0], o[1]);
	}
	*out = value & term_mask(n->bits);
	return known;
}

/* ------ parts of values ------ */

/* What is cut off and put together again. A value that is stored as bytes and loaded again must come out as itself. */

/* --- concatenation --- */

/* Both as one part of the value that `upper` or `lower` was cut from; 0: they do not meet there. */
static term join_parts(struct terms *terms, term upper, term lower)
{
	struct term_node up = node_of(terms, upper), down = node_of(terms, lower);
	uint32_t count = terms_count(terms), bits = up.bits + down.bits;

	if (up.op == TERM_EXTRACT && up.low >= down.bits) {
		if (term_extract(terms, up.a, up.low - down.bits, down.bits) == lower)
			return term_extract(terms, up.a, up.low - down.bits, bits);
		terms_release(terms, count);
	}
	if (down.op == TERM_EXTRACT && down.low + bits <= node_of(terms, down.a).bits) {
		if (term_extract(terms, down.a, down.low + down.bits, up.bits) == upper)
			return term_extract(terms, down.a, down.low, bits);
		terms_release(terms, count);
	}
	if (up.op == TERM_CONSTANT && down.op == TERM_CONSTANT)
		return term_make(terms, TERM_CONCAT, 0, upper, lower, 0);
	return 0;
}

/* --- cut --- */

static term term_simplify_parts(struct terms *terms, struct term_node *n)
{
	switch (n->op) {
	case TERM_CONCAT: {
		struct term_node up = node_of(terms, n->a), down = node_of(terms, n->b);
		term both;

		if (up.op == TERM_CONSTANT && !up.value)
			return term_make(terms, TERM_ZEXT, n->bits, n->b, 0, 0);
		if (up.op == TERM_ZEXT)
			return term_make(terms, TERM_ZEXT, n->bits,
			                 term_make(terms, TERM_CONCAT, 0, up.a, n->b, 0), 0, 0);
		if (up.op == TERM_CONCAT)
			return term_make(terms, TERM_CONCAT, 0, up.a,
			                 term_make(terms, TERM_CONCAT, 0, up.b, n->b, 0), 0);
		if ((both = join_parts(terms, n->a, n->b)))
			return both;
		if (down.op == TERM_CONCAT && (both = join_parts(terms, n->a, down.a)))
			return term_make(terms, TERM_CONCAT, 0, both, down.b, 0);
		return 0;
	}
	case TERM_EXTRACT: {
		struct term_node of = node_of(terms, n->a);

		if (n->bits == of.bits)
			return n->a;
		switch (of.op) {
		case TERM_EXTRACT: return term_extract(terms, of.a, of.low + n->low, n->bits);
		case TERM_CONCAT: {
			uint32_t border = node_of(terms, of.b).bits, above;

			if (n->low >= border)
				return term_extract(terms, of.a, n->low - border, n->bits);
			if (n->low + n->bits <= border)
				return term_extract(terms, of.b, n->low, n->bits);
			above = n->low + n->bits - border;
			return term_make(terms, TERM_CONCAT, 0, term_extract(terms, of.a, 0, above),
			                 term_extract(terms, of.b, n->low, border - n->low), 0);
		}
		case TERM_ZEXT:
		case TERM_SEXT: {
			uint32_t width = node_of(terms, of.a).bits;

			if (n->low + n->bits <= width)
				return term_extract(terms, of.a, n->low, n->bits);
			if (n->low >= width)
				return of.op == TERM_ZEXT ? term_constant(terms, n->bits, 0) : 0;
			if (of.op == TERM_SEXT && n->low)
				return 0; /* it would not be found to belong to the rest */
			return term_make(terms, of.op, n->bits,
			                 term_extract(terms, of.a, n->low, width - n->low), 0, 0);
		}
		default: return 0;
		}
	}
	default: {
		struct term_node of = node_of(terms, n->a);

		if (n->bits == of.bits)
			return n->a;
		if (of.op == n->op || (of.op == TERM_ZEXT && of.bits > node_of(terms, of.a).bits))
			return term_make(terms, of.op, n->bits, of.a, 0, 0);
		return 0;
	}
	}
}

/* ------ what operations with an operand that is not constant are the same as ------ */

/*
 * All rules take a few steps: they look at operands and their operands, and what they make is narrower or has
 * constants as operands.
 */

static const struct term_node *node_at(const struct terms *terms, term t)
{
	return &terms->nodes.at[t]; /* of 0: an empty node, a constant without width */
}

static bool is_value(const struct terms *terms, term t, uint64_t value)
{
	const struct term_node *n = node_at(terms, t);

	return n->bits && n->op == TERM_CONSTANT && n->value == (value & term_mask(n->bits));
}

static bool is_constant(const struct terms *terms, term t)
{
	return t && node_at(terms, t)->op == TERM_CONSTANT;
}

/* x with constant b of `op`, where operand a is such an operation. */
static bool is_with_constant(const struct terms *terms, term t, uint32_t op)
{
	return node_at(terms, t)->op == op && is_constant(terms, node_at(terms, t)->b);
}

static bool is_commutative(uint32_t op)
{
	return op == TERM_ADD || op == TERM_MUL || op == TERM_AND || op == TERM_OR ||
	       op == TERM_XOR || op == TERM_EQ;
}

/* (x op k) op l is x op (k op l). */
static term join_constants(struct terms *terms, const struct term_node *n)
{
	struct term_node inner = *node_at(terms, n->a);
	term both;

	if (!is_constant(terms, n->b) || !is_with_constant(terms, n->a, n->op))
		return 0;
	both = term_make(terms, n->op, n->bits, inner.b, n->b, 0);
	return term_make(terms, n->op, n->bits, inner.a, both, 0);
}

static term zero(struct terms *terms, const struct term_node *n)
{
	return term_constant(terms, n->bits, 0);
}

/* A sum as what it is without its constant, which is added to *offset. */
static term split_sum(const struct terms *terms, term t, uint64_t *offset)
{
	if (!is_with_constant(terms, t, TERM_ADD))
		return t;
	*offset += node_at(terms, node_at(terms, t)->b)->value;
	return node_at(terms, t)->a;
}

/* By a power of two it is a shift, which solvers find easier. */
static term simplify_multiple(struct terms *terms, const struct term_node *n)
{
	uint64_t by = node_at(terms, n->b)->value;
	term t = join_constants(terms, n);

	if (t || !is_constant(terms, n->b) || by & (by - 1))
		return t;
	return term_make(terms, TERM_SHL, n->bits, n->a,
	                 term_constant(terms, n->bits, (uint64_t)__builtin_ctzll(by)), 0);
}

static bool is_negation(const struct terms *terms, term a, term b)
{
	return is_with_constant(terms, a, TERM_XOR) && node_at(terms, a)->a == b &&
	       is_value(terms, node_at(terms, a)->b, UINT64_MAX);
}

/* Bits of a mask from the lowest on, none else: how many; 0 otherwise. */
static uint32_t low_ones(uint64_t mask)
{
	return mask & (mask + 1) ? 0 : (uint32_t)__builtin_popcountll(mask);
}

/* not(a < b) is b <= a. */
static term negate_compare(struct terms *terms, const struct term_node *n)
{
	struct term_node inner = *node_at(terms, n->a);
	static const uint8_t other[TERM_OPS] = {[TERM_ULT] = TERM_ULE,
	                                        [TERM_ULE] = TERM_ULT,
	                                        [TERM_SLT] = TERM_SLE,
	                                        [TERM_SLE] = TERM_SLT};

	if (!other[inner.op] || !is_value(terms, n->b, 1))
		return 0;
	return term_make(terms, other[inner.op], 1, inner.b, inner.a, 0);
}

static term simplify_xor(struct terms *terms, const struct term_node *n)
{
	term t;

	if (n->a == n->b)
		return zero(terms, n);
	if (is_value(terms, n->b, 0))
		return n->a;
	if ((t = negate_compare(terms, n)))
		return t;
	return join_constants(terms, n);
}

/* --- choices --- */

static term simplify_bit_choice(struct terms *terms, const struct term_node *n)
{
	if (is_value(terms, n->b, 1))
		return term_make(terms, TERM_OR, 1, n->a, n->c, 0);
	if (is_value(terms, n->b, 0))
		return term_make(terms, TERM_AND, 1, term_not(terms, n->a), n->c, 0);
	if (is_value(terms, n->c, 0))
		return term_make(terms, TERM_AND, 1, n->a, n->b, 0);
	if (is_value(terms, n->c, 1))
		return term_make(terms, TERM_OR, 1, term_not(terms, n->a), n->b, 0);
	return 0;
}

static term simplify_choice(struct terms *terms, const struct term_node *n)
{
	struct term_node condition = *node_at(terms, n->a), arm;

	if (condition.op == TERM_CONSTANT)
		return condition.value ? n->b : n->c;
	if (n->b == n->c)
		return n->b;
	if (condition.op == TERM_XOR && is_value(terms, condition.b, 1))
		return term_make(terms, TERM_CHOICE, n->bits, condition.a, n->c, n->b);
	arm = *node_at(terms, n->b);
	if (arm.op == TERM_CHOICE && arm.a == n->a)
		return term_make(terms, TERM_CHOICE, n->bits, n->a, arm.b, n->c);
	arm = *node_at(terms, n->c);
	if (arm.op == TERM_CHOICE && arm.a == n->a)
		return term_make(terms, TERM_CHOICE, n->bits, n->a, n->b, arm.c);
	return n->bits == 1 ? simplify_bit_choice(terms, n) : 0;
}

/* Is it one of two constants? */
static bool is_either(struct terms *terms, term t, struct term_node *choice)
{
	*choice = *node_at(terms, t);
	if (choice->op == TERM_CHOICE)
		return is_constant(terms, choice->b) && is_constant(terms, choice->c);
	if (choice->op != TERM_ZEXT || node_at(terms, choice->a)->bits != 1)
		return false;
	choice->b = term_constant(terms, choice->bits, 1);
	choice->c = term_constant(terms, choice->bits, 0);
	return true;
}

static term lift_arm(struct terms *terms, const struct term_node *n, term was, term arm)
{
	struct term_node on_arm = *n;
	uint64_t operands[3], value;

	on_arm.a = n->a == was ? arm : n->a;
	on_arm.b = n->b == was ? arm : n->b;
	operands[0] = node_at(terms, on_arm.a)->value;
	operands[1] = node_at(terms, on_arm.b)->value;
	if (!term_compute(&on_arm, node_at(terms, on_arm.a)->bits, operands, &value))
		return 0;
	return term_constant(terms, n->bits, value);
}

/* An operation on either of two constants is either of two others. */
static term lift_choice(struct terms *terms, const struct term_node *n)
{
	struct term_node choice;
	term from = is_constant(terms, n->a) ? n->b : n->a, yes, no;

	if (n->op == TERM_CHOICE || n->op == TERM_CONCAT || n->op == TERM_ZEXT || !from)
		return 0;
	if (n->b && !is_constant(terms, n->a) && !is_constant(terms, n->b))
		return 0;
	if (!is_either(terms, from, &choice))
		return 0;
	yes = lift_arm(terms, n, from, choice.b);
	no = lift_arm(terms, n, from, choice.c);
	return yes && no ? term_make(terms, TERM_CHOICE, n->bits, choice.a, yes, no) : 0;
}

/* The term that an operation is the same as, without a node of its own; 0: none. Operands of `node`
   may be put into another order. */
static term term_simplify(struct terms *terms, struct term_node *n)
{
	term t;

	/* Constants to the right, others by age, so that equal expressions are found to be. */
	bool a = is_constant(terms, n->a), b = is_constant(terms, n->b);
	term was = n->a;

	if (is_commutative(n->op) && !b && !(!a && n->a <= n->b)) {
		n->a = n->b;
		n->b = was;
	}
	t = lift_choice(terms, n);
	if (t)
		return t;
	switch (n->op) {
	case TERM_ADD:
	case TERM_SUB: {
		uint64_t up = 0, down = 0;

		if (is_value(terms, n->b, 0))
			return n->a;
		if (n->op == TERM_ADD)
			return join_constants(terms, n);
		if (is_constant(terms, n->b))
			return term_make(
				terms, TERM_ADD, n->bits, n->a,
				term_constant(terms, n->bits, -node_at(terms, n->b)->value), 0);
		if (split_sum(terms, n->a, &up) == split_sum(terms, n->b, &down))
			return term_constant(terms, n->bits, up - down);
		return 0;
	}
	case TERM_MUL:
	case TERM_UDIV:
	case TERM_SDIV:
	case TERM_UREM:
	case TERM_SREM: {
		if (n->op == TERM_MUL && is_value(terms, n->b, 0))
			return n->b;
		if (is_value(terms, n->b, 1))
			return n->op == TERM_UREM || n->op == TERM_SREM ? zero(terms, n) : n->a;
		return n->op == TERM_MUL ? simplify_multiple(terms, n) : 0;
	}
	case TERM_AND:
	case TERM_OR: {
		uint64_t absorbing = n->op == TERM_AND ? 0 : UINT64_MAX;
		uint32_t ones;

		if (n->a == n->b || is_value(terms, n->b, ~absorbing))
			return n->a;
		if (is_value(terms, n->b, absorbing))
			return n->b;
		if (is_negation(terms, n->a, n->b) || is_negation(terms, n->b, n->a))
			return term_constant(terms, n->bits, absorbing);
		if (n->op == TERM_AND && is_constant(terms, n->b) &&
		    (ones = low_ones(node_at(terms, n->b)->value)))
			return term_make(terms, TERM_ZEXT, n->bits,
			                 term_extract(terms, n->a, 0, ones), 0, 0);
		return join_constants(terms, n);
	}
	case TERM_XOR: return simplify_xor(terms, n);
	case TERM_SHL:
	case TERM_LSHR:
	case TERM_ASHR: {
		/* By a constant: parts that move. */
		uint64_t by = node_at(terms, n->b)->value;
		uint32_t rest;

		if (is_value(terms, n->a, 0))
			return n->a;
		if (!is_constant(terms, n->b))
			return 0;
		if (by >= n->bits) {
			if (n->op != TERM_ASHR)
				return zero(terms, n);
			by = n->bits - 1;
		}
		if (!by)
			return n->a;
		rest = n->bits - (uint32_t)by;
		if (n->op == TERM_SHL)
			return term_make(terms, TERM_CONCAT, 0, term_extract(terms, n->a, 0, rest),
			                 term_constant(terms, (uint32_t)by, 0), 0);
		return term_make(terms, n->op == TERM_LSHR ? TERM_ZEXT : TERM_SEXT, n->bits,
		                 term_extract(terms, n->a, (uint32_t)by, rest), 0, 0);
	}
	case TERM_CHOICE: return simplify_choice(terms, n);
	case TERM_EQ:
	case TERM_ULT:
	case TERM_ULE:
	case TERM_SLT:
	case TERM_SLE: return term_simplify_compare(terms, n);
	case TERM_CONCAT:
	case TERM_ZEXT:
	case TERM_SEXT:
	case TERM_EXTRACT: return term_simplify_parts(terms, n);
	default: return 0;
	}
}

/* ------ walks over terms ------ */

/*
 * Each node once, operands before what is made from them, with a stack of our own. What a walk knows of a node is
 * in a mark with the walk's stamp, so nothing is cleared between walks.
 */

/* A mark of the walk under way; a new one is zero. Valid until a term is made or the next call. */
static struct term_mark *term_walk_mark(struct term_walk *walk, term t)
{
	struct term_mark *mark;

	if (t >= walk->marks.size) {
		uint32_t was = walk->marks.size;

		vec_reserve(&walk->marks, t + 1);
		memset(&walk->marks.at[was], 0, (t + 1 - was) * sizeof(*mark));
		walk->marks.size = t + 1;
	}
	mark = &walk->marks.at[t];
	if (mark->stamp != walk->stamp)
		*mark = (struct term_mark){.stamp = walk->stamp};
	return mark;
}

static void term_walk_begin(struct term_walk *walk)
{
	walk->stack.size = 0;
	if (++walk->stamp)
		return;
	walk->marks.size = 0; /* once in four billion walks: marks of old walks would count */
	walk->stamp = 1;
}

/* What was computed of a node; false: nothing yet. */
static bool is_done(struct term_walk *walk, term t, uint64_t *value)
{
	struct term_mark *mark = term_walk_mark(walk, t);

	*value = mark->value;
	return mark->done;
}

static void finish(struct term_walk *walk, term t, uint64_t value)
{
	struct term_mark *mark = term_walk_mark(walk, t);

	mark->done = 1;
	mark->value = value;
	walk->stack.size--;
}

static void descend(struct term_walk *walk, term t)
{
	*vec_push(&walk->stack) = t;
}

/* The constant that decides an operation whatever the other operand is. */
static bool is_absorbing(const struct term_node *n, uint64_t value)
{
	if (n->op == TERM_AND || n->op == TERM_MUL)
		return !value;
	return n->op == TERM_OR && value == term_mask(n->bits);
}

/* --- replacing --- */

struct replacing {
	struct terms *terms;
	struct term_walk *walk;
	term (*replace)(void *context, uint64_t number);
	void *context;
};

/* A variable becomes what its definition does. */
static void replace_variable(struct replacing *r, term t)
{
	struct term_mark *mark = term_walk_mark(r->walk, t);
	uint64_t result;
	term by;

	if (mark->value) { /* asked before: its definition is done now */
		bool done = is_done(r->walk, (term)mark->value, &result);

		assert(done);
		finish(r->walk, t, result);
		return;
	}
	by = r->replace(r->context, term_at(r->terms, t)->value);
	if (!by || by == t) {
		finish(r->walk, t, t);
		return;
	}
	assert(term_at(r->terms, by)->bits == term_at(r->terms, t)->bits);
	if (is_done(r->walk, by, &result)) {
		finish(r->walk, t, result);
		return;
	}
	term_walk_mark(r->walk, t)->value = by;
	descend(r->walk, by);
}

/* The next operand that is not done; 0: all that is needed is there, in `operands`. *same: none has changed. */
static term next_operand(struct replacing *r, const struct term_node *n, term operands[3],
                         bool *same, term *instead)
{
	const term all[3] = {n->a, n->b, n->c};
	uint64_t value, constant;

	*same = true;
	*instead = 0;
	for (int i = 0; i < 3 && all[i]; i++) {
		if (!is_done(r->walk, all[i], &value))
			return all[i];
		operands[i] = (term)value;
		*same &= operands[i] == all[i];
		if (i || !term_is_constant(r->terms, operands[0], &constant))
			continue;
		if (n->op == TERM_CHOICE) {
			term arm = constant ? n->b : n->c;

			if (!is_done(r->walk, arm, &value))
				return arm;
			*instead = (term)value;
			return 0;
		}
		if (is_absorbing(n, constant)) {
			*instead = operands[0];
			return 0;
		}
	}
	return 0;
}

static void replace_operation(struct replacing *r, term t, struct term_node n)
{
	term operands[3] = {0}, result, next, instead;
	bool same;

	next = next_operand(r, &n, operands, &same, &instead);
	if (next) {
		descend(r->walk, next);
		return;
	}
	if (instead)
		result = instead;
	else if (same)
		result = t;
	else if (n.op == TERM_EXTRACT)
		result = term_extract(r->terms, operands[0], n.low, n.bits);
	else
		result = term_make(r->terms, n.op, n.bits, operands[0], operands[1], operands[2]);
	finish(r->walk, t, result);
}

void term_replace_all(struct terms *terms, term *all, uint32_t count,
                      term (*replace)(void *context, uint64_t number), void *context)
{
	struct replacing r = {terms, terms->replaced, replace, context};

	term_walk_begin(r.walk);
	for (uint32_t i = 0; i < count; i++) {
		term root = all[i];
		uint64_t result;

		descend(r.walk, root);
		while (r.walk->stack.size) {
			term t = r.walk->stack.at[r.walk->stack.size - 1];
			struct term_node n = *term_at(r.terms, t);

			if (is_done(r.walk, t, &result))
				r.walk->stack.size--;
			else if (n.op == TERM_CONSTANT)
				finish(r.walk, t, t);
			else if (n.op == TERM_VARIABLE)
				replace_variable(&r, t);
			else
				replace_operation(&r, t, n);
		}
		is_done(r.walk, root, &result);
		all[i] = (term)result;
	}
}

term term_replace(struct terms *terms, term t, term (*replace)(void *context, uint64_t number),
                  void *context)
{
	term_replace_all(terms, &t, 1, replace, context);
	return t;
}

term term_replaced(const struct terms *terms, term t)
{
	const struct term_walk *walk = terms->replaced;

	if (t >= walk->marks.size || walk->marks.at[t].stamp != walk->stamp ||
	    !walk->marks.at[t].done)
		return 0;
	return (term)walk->marks.at[t].value;
}

/* --- evaluating --- */

struct evaluating {
	const struct terms *terms;
	struct term_walk *walk;
	uint64_t (*value)(void *context, uint64_t number);
	void *context;
};

/* As next_operand() above. */
static term next_value(struct evaluating *e, const struct term_node *n, uint64_t operands[3])
{
	const term all[3] = {n->a, n->b, n->c};

	for (int i = 0; i < 3 && all[i]; i++) {
		if (n->op == TERM_CHOICE && i && (i == 1) != (operands[0] != 0))
			continue;
		if (i && is_absorbing(n, operands[0]))
			break;
		if (!is_done(e->walk, all[i], &operands[i]))
			return all[i];
	}
	return 0;
}

static void evaluate_top(struct evaluating *e, term t)
{
	const struct term_node *n = term_at(e->terms, t);
	uint64_t operands[3] = {0}, result;
	term next;

	if (n->op == TERM_CONSTANT) {
		finish(e->walk, t, n->value);
	} else if (n->op == TERM_VARIABLE) {
		finish(e->walk, t, e->value(e->context, n->value) & term_mask(n->bits));
	} else if ((next = next_value(e, n, operands))) {
		descend(e->walk, next);
	} else {
		term_compute(n, term_at(e->terms, n->a)->bits, operands, &result);
		finish(e->walk, t, result);
	}
}

static uint64_t evaluate_one(struct evaluating *e, term root)
{
	uint64_t result;

	descend(e->walk, root);
	while (e->walk->stack.size) {
		term t = e->walk->stack.at[e->walk->stack.size - 1];

		if (is_done(e->walk, t, &result))
			e->walk->stack.size--;
		else
			evaluate_top(e, t);
	}
	is_done(e->walk, root, &result);
	return result;
}

uint64_t term_evaluate(const struct terms *terms, term t,
                       uint64_t (*value)(void *context, uint64_t number), void *context)
{
	struct evaluating e = {terms, terms->walk, value, context};

	term_walk_begin(e.walk);
	return evaluate_one(&e, t);
}

/* --- variables --- */

void term_variables(const struct terms *terms, term t, void (*tell)(void *context, uint64_t number),
                    void *context)
{
	struct term_walk *walk = terms->walk;

	term_walk_begin(walk);
	term_walk_mark(walk, t)->done = 1;
	descend(walk, t);
	while (walk->stack.size) {
		struct term_node n = *term_at(terms, walk->stack.at[--walk->stack.size]);
		const term operands[3] = {n.c, n.b, n.a};

		if (n.op == TERM_VARIABLE)
			tell(context, n.value);
		for (int i = 0; i < 3; i++)
			if (operands[i] && !term_walk_mark(walk, operands[i])->done) {
				term_walk_mark(walk, operands[i])->done = 1;
				descend(walk, operands[i]);
			}
	}
}

/* ------ the whole ------ */

#define FIRST_ROOM 1024

struct terms *terms_create(void)
{
	struct terms *terms = mem_alloc(sizeof(*terms));

	terms->walk = mem_alloc(sizeof(*terms->walk));
	terms->replaced = mem_alloc(sizeof(*terms->replaced));
	terms->room = FIRST_ROOM;
	terms->slots = mem_alloc(terms->room * sizeof(*terms->slots));
	vec_push(&terms->nodes);
	return terms;
}

static void free_walk(struct term_walk *walk)
{
	vec_deinit(&walk->marks);
	vec_deinit(&walk->stack);
	free(walk);
}

void terms_destroy(struct terms *terms)
{
	if (!terms)
		return;
	free_walk(terms->walk);
	free_walk(terms->replaced);
	vec_deinit(&terms->nodes);
	free(terms->slots);
	free(terms);
}

const struct term_node *term_at(const struct terms *terms, term t)
{
	assert(t && t < terms->nodes.size);
	return &terms->nodes.at[t];
}

static uint64_t hash_of(const struct term_node *n)
{
	uint64_t hash =
		n->op | (uint64_t)n->bits << 8 | (uint64_t)n->low << 16 | (uint64_t)n->c << 32;

	return map_hash_u64(map_hash_u64(hash ^ n->value * 0x9e3779b97f4a7c15u) ^
	                    ((uint64_t)n->a << 32 | n->b));
}

static bool is_same(const struct term_node *x, const struct term_node *y)
{
	return x->op == y->op && x->bits == y->bits && x->low == y->low && x->value == y->value &&
	       x->a == y->a && x->b == y->b && x->c == y->c;
}

/* The slot of a node like it, or the free one where it belongs. */
static uint32_t slot_of(const struct terms *terms, const struct term_node *node)
{
	uint32_t i = (uint32_t)hash_of(node) & (terms->room - 1);

	while (terms->slots[i] && !is_same(&terms->nodes.at[terms->slots[i]], node))
		i = (i + 1) & (terms->room - 1);
	return i;
}

/* The node as it is, without folding, if there was none like it. */
static term term_intern(struct terms *terms, const struct term_node *node)
{
	uint32_t slot;

	if (terms->nodes.size >= terms->room / 2) {
		/* Nodes are put in by age, so terms_release() can take them out in the other order. */
		terms->room *= 2;
		free(terms->slots);
		terms->slots = mem_alloc((size_t)terms->room * sizeof(*terms->slots));
		for (uint32_t t = 1; t < terms->nodes.size; t++)
			terms->slots[slot_of(terms, &terms->nodes.at[t])] = t;
	}
	slot = slot_of(terms, node);
	if (!terms->slots[slot]) {
		terms->slots[slot] = terms->nodes.size;
		*vec_push(&terms->nodes) = *node;
		uint64_t size = 1;

		size += terms->nodes.at[node->a].size;
		size += terms->nodes.at[node->b].size;
		size += terms->nodes.at[node->c].size;
		terms->nodes.at[terms->slots[slot]].size =
			size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
	}
	return terms->slots[slot];
}

uint32_t terms_count(const struct terms *terms)
{
	return terms->nodes.size - 1;
}

void terms_release(struct terms *terms, uint32_t count)
{
	assert(count < terms->nodes.size);
	for (; terms->nodes.size > count + 1; terms->nodes.size--)
		terms->slots[slot_of(terms, &terms->nodes.at[terms->nodes.size - 1])] = 0;
	if (terms->replaced->marks.size > terms->nodes.size)
		terms->replaced->marks.size = terms->nodes.size;
	if (terms->walk->marks.size > terms->nodes.size)
		terms->walk->marks.size = terms->nodes.size;
}

term term_constant(struct terms *terms, uint32_t bits, uint64_t value)
{
	struct term_node node = {
		.op = TERM_CONSTANT, .bits = (uint8_t)bits, .value = value & term_mask(bits)};

	assert(bits >= 1 && bits <= 64);
	return term_intern(terms, &node);
}

term term_variable(struct terms *terms, uint32_t bits, uint64_t number)
{
	struct term_node node = {.op = TERM_VARIABLE, .bits = (uint8_t)bits, .value = number};

	assert(bits >= 1 && bits <= 64);
	return term_intern(terms, &node);
}

term term_any(struct terms *terms, uint32_t bits)
{
	return term_variable(terms, bits, TERM_ANY + terms->anys++);
}

bool term_is_constant(const struct terms *terms, term t, uint64_t *value)
{
	const struct term_node *node = term_at(terms, t);

	if (node->op != TERM_CONSTANT)
		return false;
	if (value)
		*value = node->value;
	return true;
}

/* --- operations --- */

/* With constants as operands; 0: it stays. */
static term fold(struct terms *terms, const struct term_node *n)
{
	const struct term_node *nodes = terms->nodes.at;
	uint64_t operands[3] = {nodes[n->a].value, nodes[n->b].value, nodes[n->c].value}, value;

	if (nodes[n->a].op != TERM_CONSTANT || (n->b && nodes[n->b].op != TERM_CONSTANT) ||
	    (n->c && nodes[n->c].op != TERM_CONSTANT))
		return 0;
	if (!term_compute(n, nodes[n->a].bits, operands, &value))
		return 0;
	return term_constant(terms, n->bits, value);
}

static term make(struct terms *terms, struct term_node *node)
{
	term t;

	uint32_t a = terms->nodes.at[node->a].bits, b = terms->nodes.at[node->b].bits;

	assert(node->a && node->bits >= 1 && node->bits <= 64);
	if (node->op == TERM_CONCAT)
		assert(node->bits == a + b);
	else if (node->op == TERM_CHOICE)
		assert(a == 1 && b == node->bits && b == terms->nodes.at[node->c].bits);
	else if (node->op >= TERM_EQ && node->op <= TERM_SLE)
		assert(a == b && node->bits == 1);
	else if (node->op >= TERM_ADD && node->op <= TERM_ASHR)
		assert(a == b && node->bits == a);
	else if (node->op == TERM_EXTRACT)
		assert(node->low + node->bits <= a);
	else if (node->op == TERM_ZEXT || node->op == TERM_SEXT)
		assert(node->bits >= a);
	t = fold(terms, node);
	if (!t)
		t = term_simplify(terms, node);
	return t ? t : term_intern(terms, node);
}

/* The width of a result that follows from the operands. */
static uint32_t own_width(const struct terms *terms, enum term_op op, uint32_t bits, term a, term b)
{
	if (op == TERM_CONCAT)
		return term_at(terms, a)->bits + term_at(terms, b)->bits;
	if ((op >= TERM_EQ && op <= TERM_SLE) || (op >= TERM_FEQ && op <= TERM_FNAN))
		return 1;
	if (op == TERM_CHOICE)
		return term_at(terms, b)->bits;
	if ((op >= TERM_ADD && op <= TERM_ASHR) || (op >= TERM_FADD && op <= TERM_FSQRT))
		return term_at(terms, a)->bits;
	return bits;
}

term term_make(struct terms *terms, enum term_op op, uint32_t bits, term a, term b, term c)
{
	struct term_node node = {.op = (uint8_t)op, .a = a, .b = b, .c = c};

	assert(op > TERM_VARIABLE && op < TERM_OPS && op != TERM_EXTRACT);
	node.bits = (uint8_t)own_width(terms, op, bits, a, b);
	return make(terms, &node);
}

term term_extract(struct terms *terms, term a, uint32_t low, uint32_t bits)
{
	struct term_node node = {
		.op = TERM_EXTRACT, .bits = (uint8_t)bits, .low = (uint8_t)low, .a = a};

	return make(terms, &node);
}

term term_not(struct terms *terms, term a)
{
	uint32_t bits = term_at(terms, a)->bits;

	return term_make(terms, TERM_XOR, bits, a, term_constant(terms, bits, UINT64_MAX), 0);
}

term term_equals(struct terms *terms, term a, uint64_t value)
{
	uint32_t bits = term_at(terms, a)->bits;

	return term_make(terms, TERM_EQ, 1, a, term_constant(terms, bits, value), 0);
}

/* ------ as text of SMT-LIB ------ */

/* Truth is a vector of one bit there, too, so comparisons are made one. */

static const char *const names[TERM_OPS] = {
	[TERM_ADD] = "bvadd",       [TERM_SUB] = "bvsub",       [TERM_MUL] = "bvmul",
	[TERM_UDIV] = "bvudiv",     [TERM_SDIV] = "bvsdiv",     [TERM_UREM] = "bvurem",
	[TERM_SREM] = "bvsrem",     [TERM_AND] = "bvand",       [TERM_OR] = "bvor",
	[TERM_XOR] = "bvxor",       [TERM_SHL] = "bvshl",       [TERM_LSHR] = "bvlshr",
	[TERM_ASHR] = "bvashr",     [TERM_CONCAT] = "concat",   [TERM_EQ] = "=",
	[TERM_ULT] = "bvult",       [TERM_ULE] = "bvule",       [TERM_SLT] = "bvslt",
	[TERM_SLE] = "bvsle",       [TERM_FADD] = "fp.add RNE", [TERM_FSUB] = "fp.sub RNE",
	[TERM_FMUL] = "fp.mul RNE", [TERM_FDIV] = "fp.div RNE", [TERM_FSQRT] = "fp.sqrt RNE",
	[TERM_FEQ] = "fp.eq",       [TERM_FLT] = "fp.lt",       [TERM_FLE] = "fp.leq",
	[TERM_FNAN] = "fp.isNaN",
};

/* --- order --- */

static void push(struct term_walk *walk, term t)
{
	if (t && !term_walk_mark(walk, t)->done)
		*vec_push(&walk->stack) = t;
}

void term_order_make(const struct terms *terms, const term *all, uint32_t count,
                     struct term_order *out)
{
	*out = (struct term_order){0};
	term_walk_begin(terms->walk);
	for (uint32_t i = 0; i < count; i++) {
		push(terms->walk, all[i]);
		while (terms->walk->stack.size) {
			/* A node is met twice: operands are put before it, then it is taken. */
			struct term_walk *walk = terms->walk;
			term t = walk->stack.at[walk->stack.size - 1];
			struct term_mark *mark = term_walk_mark(walk, t);

			if (mark->done || mark->value) {
				walk->stack.size--;
				if (!mark->done)
					*vec_push(&out->nodes) = t;
				mark->done = 1;
				continue;
			}
			mark->value = 1;
			push(walk, terms->nodes.at[t].c);
			push(walk, terms->nodes.at[t].b);
			push(walk, terms->nodes.at[t].a);
		}
	}
}

void term_order_deinit(struct term_order *order)
{
	vec_deinit(&order->nodes);
}

/* --- operations --- */

static void print_constant(const struct term_node *n, struct str *out)
{
	if (n->bits % 4 == 0) {
		str_printf(out, "#x%0*" PRIx64, n->bits / 4, n->value);
		return;
	}
	str_add(out, "#b");
	for (int bit = n->bits - 1; bit >= 0; bit--)
		str_add_char(out, n->value >> bit & 1 ? '1' : '0');
}

void term_print_name(const struct terms *terms, term t, struct str *out)
{
	const struct term_node *n = term_at(terms, t);

	if (n->op == TERM_CONSTANT)
		print_constant(n, out);
	else if (n->op != TERM_VARIABLE)
		str_printf(out, "t%u", t);
	else if (n->value >= TERM_ANY)
		str_printf(out, "any%" PRIu64, n->value - TERM_ANY);
	else
		str_printf(out, "v%" PRIu64, n->value);
}

static const char *format_of(uint32_t bits)
{
	return bits == 32 ? "8 24" : "11 53";
}

void term_print_float(const struct terms *terms, term t, struct str *out)
{
	str_printf(out, "((_ to_fp %s) ", format_of(term_at(terms, t)->bits));
	term_print_name(terms, t, out);
	str_add_char(out, ')');
}

static bool gives_truth(uint32_t op)
{
	return (op >= TERM_EQ && op <= TERM_SLE) || (op >= TERM_FEQ && op <= TERM_FNAN);
}

void term_print_operation(const struct terms *terms, term t, bool bits, struct str *out)
{
	const struct term_node *n = term_at(terms, t);
	bool convert = bits && term_gives_float(n->op);

	if (n->op == TERM_CHOICE) {
		str_add(out, "(ite (= #b1 ");
		term_print_name(terms, n->a, out);
		str_add(out, ") ");
		term_print_name(terms, n->b, out);
		str_add_char(out, ' ');
		term_print_name(terms, n->c, out);
		str_add_char(out, ')');
		return;
	}
	str_add(out, gives_truth(n->op) ? "(ite (" : convert ? "(fp.to_ieee_bv (" : "(");
	/* The operator, with what it needs besides operands. */
	uint32_t width = term_at(terms, n->a)->bits;

	switch (n->op) {
	case TERM_ZEXT: str_printf(out, "(_ zero_extend %u)", n->bits - width); break;
	case TERM_SEXT: str_printf(out, "(_ sign_extend %u)", n->bits - width); break;
	case TERM_EXTRACT:
		str_printf(out, "(_ extract %u %u)", n->low + n->bits - 1, n->low);
		break;
	case TERM_FROM_SIGNED:
	case TERM_RESIZE: str_printf(out, "(_ to_fp %s) RNE", format_of(n->bits)); break;
	case TERM_FROM_UNSIGNED:
		str_printf(out, "(_ to_fp_unsigned %s) RNE", format_of(n->bits));
		break;
	case TERM_TO_SIGNED: str_printf(out, "(_ fp.to_sbv %u) RTZ", n->bits); break;
	case TERM_TO_UNSIGNED: str_printf(out, "(_ fp.to_ubv %u) RTZ", n->bits); break;
	default: str_add(out, names[n->op]);
	}
	const term operands[3] = {n->a, n->b, n->c};

	for (int i = 0; i < 3 && operands[i]; i++) {
		str_add_char(out, ' ');
		if (term_is_float_op(n->op) && n->op != TERM_FROM_SIGNED &&
		    n->op != TERM_FROM_UNSIGNED)
			term_print_float(terms, operands[i], out);
		else
			term_print_name(terms, operands[i], out);
	}
	str_add(out, gives_truth(n->op) ? ") #b1 #b0)" : convert ? "))" : ")");
}

void term_print(const struct terms *terms, term t, struct str *out)
{
	struct term_order order;
	uint32_t open = 0;

	term_order_make(terms, &t, 1, &order);
	for (uint32_t i = 0; i < order.nodes.size; i++) {
		term node = order.nodes.at[i];

		if (term_at(terms, node)->op <= TERM_VARIABLE)
			continue;
		str_printf(out, "(let ((t%u ", node);
		term_print_operation(terms, node, true, out);
		str_add(out, ")) ");
		open++;
	}
	term_print_name(terms, t, out);
	while (open--)
		str_add_char(out, ')');
	term_order_deinit(&order);
}
