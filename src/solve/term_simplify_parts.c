/*
 * Parts of values: what is cut off and put together again. A value that is stored as bytes and loaded again
 * must come out as itself.
 */
#include "solve/term_work.h"

static struct term_node node_of(const struct terms *terms, term t)
{
	return terms->nodes.at[t];
}

/* --- one behind the other --- */

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

static term simplify_concat(struct terms *terms, const struct term_node *n)
{
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

/* --- cut --- */

static term cut_concat(struct terms *terms, const struct term_node *n, const struct term_node *of)
{
	uint32_t border = node_of(terms, of->b).bits, above;

	if (n->low >= border)
		return term_extract(terms, of->a, n->low - border, n->bits);
	if (n->low + n->bits <= border)
		return term_extract(terms, of->b, n->low, n->bits);
	above = n->low + n->bits - border;
	return term_make(terms, TERM_CONCAT, 0, term_extract(terms, of->a, 0, above),
	                 term_extract(terms, of->b, n->low, border - n->low), 0);
}

static term cut_extended(struct terms *terms, const struct term_node *n, const struct term_node *of)
{
	uint32_t width = node_of(terms, of->a).bits;

	if (n->low + n->bits <= width)
		return term_extract(terms, of->a, n->low, n->bits);
	if (n->low >= width)
		return of->op == TERM_ZEXT ? term_constant(terms, n->bits, 0) : 0;
	if (of->op == TERM_SEXT && n->low)
		return 0; /* it would not be found to belong to the rest */
	return term_make(terms, of->op, n->bits, term_extract(terms, of->a, n->low, width - n->low),
	                 0, 0);
}

static term simplify_extract(struct terms *terms, const struct term_node *n)
{
	struct term_node of = node_of(terms, n->a);

	if (n->bits == of.bits)
		return n->a;
	switch (of.op) {
	case TERM_EXTRACT: return term_extract(terms, of.a, of.low + n->low, n->bits);
	case TERM_CONCAT: return cut_concat(terms, n, &of);
	case TERM_ZEXT:
	case TERM_SEXT: return cut_extended(terms, n, &of);
	default: return 0;
	}
}

static term simplify_extend(struct terms *terms, const struct term_node *n)
{
	struct term_node of = node_of(terms, n->a);

	if (n->bits == of.bits)
		return n->a;
	if (of.op == n->op || (of.op == TERM_ZEXT && of.bits > node_of(terms, of.a).bits))
		return term_make(terms, of.op, n->bits, of.a, 0, 0);
	return 0;
}

term term_simplify_parts(struct terms *terms, struct term_node *n)
{
	switch (n->op) {
	case TERM_CONCAT: return simplify_concat(terms, n);
	case TERM_EXTRACT: return simplify_extract(terms, n);
	default: return simplify_extend(terms, n);
	}
}
