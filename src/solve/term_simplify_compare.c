/* Comparisons: of a value with itself, with a bound, of what was widened before. */
#include "solve/term_work.h"

static struct term_node node_of(const struct terms *terms, term t)
{
	return terms->nodes.at[t];
}

static term truth(struct terms *terms, bool value)
{
	return term_constant(terms, 1, value);
}

/* --- equality --- */

/* A part of both sides, each a constant on the right. */
static term equal_parts(struct terms *terms, const struct term_node *concat, uint64_t value)
{
	struct term_node up = node_of(terms, concat->a), down = node_of(terms, concat->b);
	term above;

	if (up.op != TERM_CONSTANT && down.op != TERM_CONSTANT)
		return 0;
	above = term_equals(terms, concat->a, value >> down.bits);
	return term_make(terms, TERM_AND, 1, above, term_equals(terms, concat->b, value), 0);
}

static term equal_extended(struct terms *terms, const struct term_node *of, uint64_t value)
{
	uint32_t width = node_of(terms, of->a).bits;
	uint64_t low = value & term_mask(width);
	uint64_t again = of->op == TERM_ZEXT ? low : (uint64_t)term_signed(low, width);

	if ((again & term_mask(of->bits)) != value)
		return truth(terms, false);
	return term_equals(terms, of->a, value);
}

static term equal_constant(struct terms *terms, const struct term_node *n)
{
	struct term_node of = node_of(terms, n->a), inner = node_of(terms, of.b);
	uint64_t value = node_of(terms, n->b).value;

	if (of.bits == 1)
		return value ? n->a : term_not(terms, n->a);
	switch (of.op) {
	case TERM_ADD: return inner.op ? 0 : term_equals(terms, of.a, value - inner.value);
	case TERM_XOR: return inner.op ? 0 : term_equals(terms, of.a, value ^ inner.value);
	case TERM_CONCAT: return equal_parts(terms, &of, value);
	case TERM_ZEXT:
	case TERM_SEXT: return equal_extended(terms, &of, value);
	default: return 0;
	}
}

/* x + 1 and x + 2 are never equal. */
static bool is_apart(const struct terms *terms, term a, term b)
{
	struct term_node x = node_of(terms, a), y = node_of(terms, b);
	bool x_sum = x.op == TERM_ADD && node_of(terms, x.b).op == TERM_CONSTANT;
	bool y_sum = y.op == TERM_ADD && node_of(terms, y.b).op == TERM_CONSTANT;

	return (x_sum || y_sum) && (x_sum ? x.a : a) == (y_sum ? y.a : b) && a != b;
}

static bool is_constant(const struct terms *terms, term t)
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
	if (is_constant(terms, n->b))
		return equal_constant(terms, n);
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
	if (is_constant(terms, n->b))
		return order_extended(terms, n, true);
	if (is_constant(terms, n->a))
		return order_extended(terms, n, false);
	if (is_alike(terms, n->a, n->b, TERM_ZEXT) && is_signed(op) &&
	    node_of(terms, n->a).bits > node_of(terms, node_of(terms, n->a).a).bits)
		op = op == TERM_SLT ? TERM_ULT : TERM_ULE;
	else if (!is_alike(terms, n->a, n->b, is_signed(op) ? TERM_SEXT : TERM_ZEXT))
		return 0;
	return term_make(terms, op, 1, node_of(terms, n->a).a, node_of(terms, n->b).a, 0);
}

term term_simplify_compare(struct terms *terms, struct term_node *n)
{
	return n->op == TERM_EQ ? simplify_equal(terms, n) : simplify_order(terms, n);
}
