/* Terms as text of SMT-LIB, a node at a time. */
#ifndef HENCE_SOLVE_TERM_PRINT_H
#define HENCE_SOLVE_TERM_PRINT_H

#include "base/vec.h"
#include "solve/term.h"

/* All nodes below `all`, operands before what is made from them, each once. */
struct term_order {
	VEC(term) nodes;
};

/* Caller frees with term_order_deinit(). */
void term_order_make(const struct terms *terms, const term *all, uint32_t count,
                     struct term_order *out);
void term_order_deinit(struct term_order *order);

/* One operation with its operands by their names: constants, v1, any2, and t12 for term 12. `bits`: floating-point
   numbers come out as their bits, by a function that Z3 and cvc5 know; else as they are. */
void term_print_operation(const struct terms *terms, term t, bool bits, struct str *out);

/* How others name it. */
void term_print_name(const struct terms *terms, term t, struct str *out);

/* ((_ to_fp 8 24) NAME) */
void term_print_float(const struct terms *terms, term t, struct str *out);

#endif
