/*
 * Operations the other way round: what an operand must be for the result to be a certain value. Where there is no such
 * value, one that is near: the walk goes on from there, and what it ends with is evaluated.
 */
#include <math.h>

#include "solve/solver_walk.h"

/* Of an odd number; each round doubles the bits that are right. */
static uint64_t inverse_of(uint64_t odd)
{
	uint64_t inverse = odd;

	for (int i = 0; i < 6; i++)
		inverse *= 2 - odd * inverse;
	return inverse;
}

/* The quotient if there is one; else the nearest, or what wraps round to it. */
static uint64_t invert_product(uint32_t width, uint64_t wanted, uint64_t other, uint64_t random)
{
	int64_t w = term_signed(wanted, width), o = term_signed(other, width);
	int zeros = other ? __builtin_ctzll(other) : 0;

	if (!other)
		return random;
	if (o != -1 && (w % o == 0 || random % 4))
		return (uint64_t)(w / o);
	return (wanted >> zeros) * inverse_of(other >> zeros);
}

/* Of a dividend: the remainder stays if the quotient is wanted, and the other way round. */
static uint64_t invert_dividend(const struct walk_node *n, uint64_t a, uint64_t b, uint64_t wanted)
{
	int64_t x = term_signed(a, n->width), y = term_signed(b, n->width);
	bool is_signed = n->node.op == TERM_SDIV || n->node.op == TERM_SREM;
	uint64_t rest = 0;

	if (b && y != -1)
		rest = is_signed ? (uint64_t)(x % y) : a % b;
	if (n->node.op == TERM_UDIV || n->node.op == TERM_SDIV)
		return wanted * b + rest;
	return a - rest + wanted;
}

static uint64_t invert_division(const struct walk_node *n, bool first, uint64_t a, uint64_t b,
                                uint64_t wanted)
{
	int64_t x = term_signed(a, n->width), w = term_signed(wanted, n->width);

	if (first)
		return invert_dividend(n, a, b, wanted);
	switch (n->node.op) {
	case TERM_UDIV: return wanted ? a / wanted : a + 1;
	case TERM_SDIV: return !w ? a + 1 : w == -1 ? -a : (uint64_t)(x / w);
	default: return a - wanted;
	}
}

/* Of operand a (`first`) or b, with `own` as it is and `other` what stays. */
static uint64_t invert_two(const struct walk_node *n, bool first, uint64_t own, uint64_t other,
                           uint64_t wanted, uint64_t random)
{
	uint32_t by = first && other < 64 ? (uint32_t)other : 0;

	switch (n->node.op) {
	case TERM_ADD: return wanted - other;
	case TERM_SUB: return first ? wanted + other : other - wanted;
	case TERM_XOR: return wanted ^ other;
	case TERM_AND: return wanted | (own & ~other);
	case TERM_OR: return (wanted & ~other) | (own & wanted);
	case TERM_MUL: return invert_product(n->width, wanted, other, random);
	case TERM_SHL: return first ? wanted >> by : random % n->node.bits;
	case TERM_LSHR:
	case TERM_ASHR: return first ? wanted << by : random % n->node.bits;
	default: return invert_division(n, first, first ? own : other, first ? other : own, wanted);
	}
}

/* --- comparisons --- */

/* A number from low to high. */
static uint64_t between(uint64_t low, uint64_t high, uint64_t random)
{
	if (high <= low)
		return high;
	if (random & 1)
		return random & 2 ? low : high;
	return high - low == UINT64_MAX ? random : low + (random >> 2) % (high - low + 1);
}

/* `own` on the side `first` of an order; signed ones are shifted so that they are unsigned. */
static uint64_t invert_order(const struct walk_node *n, bool first, uint64_t other, bool wanted,
                             uint64_t random)
{
	bool is_signed = n->node.op == TERM_SLT || n->node.op == TERM_SLE;
	bool strict = n->node.op == TERM_ULT || n->node.op == TERM_SLT;
	uint64_t flip = is_signed ? UINT64_C(1) << (n->width - 1) : 0, most = term_mask(n->width);
	uint64_t x = other ^ flip, value;
	bool less = wanted == first; /* than x, or not more */
	bool apart = strict == wanted;

	if (less)
		value = between(0, x - (apart && x), random);
	else
		value = between(x + (apart && x < most), most, random);
	return value ^ flip;
}

static uint64_t invert_compare(const struct walk_node *n, bool first, uint64_t own, uint64_t other,
                               bool wanted, uint64_t random)
{
	if (n->node.op != TERM_EQ)
		return invert_order(n, first, other, wanted, random);
	if (wanted)
		return other;
	return own != other ? own : random & 1 ? other + 1 : random & 2 ? other - 1 : random >> 2;
}

/* --- floats --- */

static double get(uint64_t bits, uint32_t width)
{
	double d;
	float f;

	memcpy(&d, &bits, sizeof(d));
	memcpy(&f, &bits, sizeof(f));
	return width == 32 ? (double)f : d;
}

static uint64_t put(double value, uint32_t width)
{
	float narrow = (float)value;
	uint64_t bits = 0;

	memcpy(&bits, width == 32 ? (void *)&narrow : (void *)&value, width / 8);
	return bits;
}

static double invert_number(const struct walk_node *n, bool first, double other, double wanted)
{
	switch (n->node.op) {
	case TERM_FADD: return wanted - other;
	case TERM_FSUB: return first ? wanted + other : other - wanted;
	case TERM_FMUL: return other != 0 ? wanted / other : 0;
	case TERM_FDIV: return first ? wanted * other : wanted != 0 ? other / wanted : 0;
	case TERM_FSQRT: return wanted * wanted;
	default: return wanted;
	}
}

/* Of a comparison: equal, a little apart, or far. */
static double compare_number(const struct walk_node *n, bool first, double other, bool wanted,
                             uint64_t random)
{
	static const double steps[] = {0, 0.001, 1, 1000};
	double step = steps[random & 3];

	if (n->node.op == TERM_FNAN)
		return wanted ? NAN : 0;
	if (n->node.op == TERM_FEQ)
		return wanted ? other : other + 1 + step;
	return wanted == first ? other - step : other + step;
}

static uint64_t invert_float(const struct walk_node *n, bool first, uint64_t other, uint64_t wanted,
                             uint64_t random)
{
	uint32_t bits = n->node.bits;

	switch (n->node.op) {
	case TERM_FROM_SIGNED: return (uint64_t)llrint(fmin(fmax(get(wanted, bits), -9e18), 9e18));
	case TERM_FROM_UNSIGNED: return (uint64_t)llrint(fmin(fmax(get(wanted, bits), 0), 9e18));
	case TERM_TO_SIGNED: return put((double)term_signed(wanted, bits), n->width);
	case TERM_TO_UNSIGNED: return put((double)wanted, n->width);
	case TERM_FEQ:
	case TERM_FLT:
	case TERM_FLE:
	case TERM_FNAN:
		return put(compare_number(n, first, get(other, n->width), wanted, random),
		           n->width);
	default:
		return put(invert_number(n, first, get(other, n->width), get(wanted, bits)),
		           n->width);
	}
}

/* --- all --- */

static bool is_constant(const struct walk_node *all, uint32_t at)
{
	return all[at].node.op == TERM_CONSTANT;
}

static bool invert_concat(const struct walk_node *all, const struct walk_node *n, uint64_t wanted,
                          uint64_t random, struct walk_wish *out)
{
	uint32_t low = all[n->b].node.bits;
	uint64_t up = wanted >> low, down = wanted & term_mask(low);
	bool first = up != all[n->a].value && !is_constant(all, n->a) &&
	             (random & 1 || down == all[n->b].value || is_constant(all, n->b));

	*out = first ? (struct walk_wish){n->a, up} : (struct walk_wish){n->b, down};
	return true;
}

static bool invert_choice(const struct walk_node *all, const struct walk_node *n, uint64_t wanted,
                          uint64_t random, struct walk_wish *out)
{
	bool now = all[n->a].value != 0;
	uint32_t arm = now ? n->b : n->c;

	/* The condition often decides about other terms, too, so it is not turned round lightly. */
	if (is_constant(all, arm) || random % 32 == 0)
		*out = (struct walk_wish){n->a, !now};
	else
		*out = (struct walk_wish){arm, wanted};
	return true;
}

static bool invert_one(const struct walk_node *all, const struct walk_node *n, uint64_t wanted,
                       struct walk_wish *out)
{
	uint64_t field = term_mask(n->node.bits) << n->node.low;

	if (n->node.op == TERM_EXTRACT)
		wanted = (all[n->a].value & ~field) | (wanted << n->node.low & field);
	*out = (struct walk_wish){n->a, wanted};
	return true;
}

/* Shall the first of two operands change? Of a sum mostly the larger one, which has the smaller part of the change. */
static bool chooses_first(const struct walk_node *all, const struct walk_node *n, uint64_t random)
{
	int64_t a = term_signed(all[n->a].value, n->width), b;

	if (!n->node.b || is_constant(all, n->b))
		return true;
	if (is_constant(all, n->a))
		return false;
	b = term_signed(all[n->b].value, n->width);
	if ((n->node.op != TERM_ADD && n->node.op != TERM_SUB) || !(random >> 40 & 7))
		return random >> 43 & 1;
	return fabs((double)a) >= fabs((double)b);
}

bool walk_invert(const struct walk_node *all, uint32_t at, uint64_t wanted, uint64_t random,
                 struct walk_wish *out)
{
	const struct walk_node *n = &all[at];
	bool first = chooses_first(all, n, random);
	uint64_t own = all[first ? n->a : n->b].value,
		 other = n->node.b ? all[first ? n->b : n->a].value : 0;

	switch (n->node.op) {
	case TERM_CONSTANT:
	case TERM_VARIABLE: return false;
	case TERM_CONCAT: return invert_concat(all, n, wanted, random, out);
	case TERM_CHOICE: return invert_choice(all, n, wanted, random, out);
	case TERM_ZEXT:
	case TERM_SEXT:
	case TERM_EXTRACT: return invert_one(all, n, wanted, out);
	default: break;
	}
	out->at = first ? n->a : n->b;
	if (term_is_float_op(n->node.op))
		out->value = invert_float(n, first, other, wanted, random);
	else if (n->node.op >= TERM_EQ && n->node.op <= TERM_SLE)
		out->value = invert_compare(n, first, own, other, wanted, random);
	else
		out->value = invert_two(n, first, own, other, wanted, random);
	return true;
}
