/*
 * What operations with an operand that is not constant are the same as. All rules take a few steps: they look at
 * operands and their operands, and what they make is narrower or has constants as operands.
 */
#include "solve/term_work.h"

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

/* Constants to the right, others by age, so that equal expressions are found to be. */
static void put_in_order(const struct terms *terms, struct term_node *n)
{
	bool a = is_constant(terms, n->a), b = is_constant(terms, n->b);
	term was = n->a;

	if (!is_commutative(n->op) || b || (!a && n->a <= n->b))
		return;
	n->a = n->b;
	n->b = was;
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

static term simplify_sum(struct terms *terms, const struct term_node *n)
{
	uint64_t up = 0, down = 0;

	if (is_value(terms, n->b, 0))
		return n->a;
	if (n->op == TERM_ADD)
		return join_constants(terms, n);
	if (is_constant(terms, n->b))
		return term_make(terms, TERM_ADD, n->bits, n->a,
		                 term_constant(terms, n->bits, -node_at(terms, n->b)->value), 0);
	if (split_sum(terms, n->a, &up) == split_sum(terms, n->b, &down))
		return term_constant(terms, n->bits, up - down);
	return 0;
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

static term simplify_product(struct terms *terms, const struct term_node *n)
{
	if (n->op == TERM_MUL && is_value(terms, n->b, 0))
		return n->b;
	if (is_value(terms, n->b, 1))
		return n->op == TERM_UREM || n->op == TERM_SREM ? zero(terms, n) : n->a;
	return n->op == TERM_MUL ? simplify_multiple(terms, n) : 0;
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

static term simplify_and_or(struct terms *terms, const struct term_node *n)
{
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
		return term_make(terms, TERM_ZEXT, n->bits, term_extract(terms, n->a, 0, ones), 0,
		                 0);
	return join_constants(terms, n);
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

/* By a constant: parts that move. */
static term simplify_shift(struct terms *terms, const struct term_node *n)
{
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

term term_simplify(struct terms *terms, struct term_node *n)
{
	term t;

	put_in_order(terms, n);
	t = lift_choice(terms, n);
	if (t)
		return t;
	switch (n->op) {
	case TERM_ADD:
	case TERM_SUB: return simplify_sum(terms, n);
	case TERM_MUL:
	case TERM_UDIV:
	case TERM_SDIV:
	case TERM_UREM:
	case TERM_SREM: return simplify_product(terms, n);
	case TERM_AND:
	case TERM_OR: return simplify_and_or(terms, n);
	case TERM_XOR: return simplify_xor(terms, n);
	case TERM_SHL:
	case TERM_LSHR:
	case TERM_ASHR: return simplify_shift(terms, n);
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
