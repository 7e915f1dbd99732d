/* A question as a file for any SMT solver: one definition a line, so that lines can be left out. */
#include "solve/solver_work.h"
#include "solve/term_print.h"
#include "solve/term_work.h"

/* Bits of a float are a constant that has its value: there is no standard function that gives them. */
static void print_definition(const struct terms *terms, term t, struct str *out)
{
	const struct term_node *n = term_at(terms, t);
	bool is_float = term_gives_float(n->op);

	if (n->op == TERM_CONSTANT)
		return;
	str_add(out, n->op == TERM_VARIABLE || is_float ? "(declare-const " : "(define-fun ");
	term_print_name(terms, t, out);
	str_printf(out, "%s (_ BitVec %u)", n->op == TERM_VARIABLE || is_float ? "" : " ()",
	           n->bits);
	if (n->op == TERM_VARIABLE || is_float) {
		str_add(out, ")\n");
	} else {
		str_add_char(out, ' ');
		term_print_operation(terms, t, false, out);
		str_add(out, ")\n");
	}
	if (!is_float)
		return;
	str_add(out, "(assert (= ");
	term_print_float(terms, t, out);
	str_add_char(out, ' ');
	term_print_operation(terms, t, false, out);
	str_add(out, "))\n");
}

void solver_print(const struct solver *solver, const term *all, uint32_t count, struct str *out)
{
	struct term_order order;
	bool floats = false;

	term_order_make(solver->terms, all, count, &order);
	for (uint32_t i = 0; i < order.nodes.size; i++)
		floats |= term_is_float_op(term_at(solver->terms, order.nodes.at[i])->op);
	str_printf(out, "(set-logic %s)\n", floats ? "QF_BVFP" : "QF_BV");
	for (uint32_t i = 0; i < order.nodes.size; i++)
		print_definition(solver->terms, order.nodes.at[i], out);
	for (uint32_t i = 0; i < count; i++) {
		str_add(out, "(assert (! (= ");
		term_print_name(solver->terms, all[i], out);
		str_printf(out, " #b1) :named a%u))\n", i);
	}
	str_add(out, "(check-sat)\n");
	term_order_deinit(&order);
}
