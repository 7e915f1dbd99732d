/* SMT-LIB. Truth is a vector of one bit there, too, so comparisons are made one. */
#include <inttypes.h>

#include "solve/term_work.h"

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
