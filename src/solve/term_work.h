/* Inside of terms: the graph, and what walks over it share. */
#ifndef HENCE_SOLVE_TERM_WORK_H
#define HENCE_SOLVE_TERM_WORK_H

#include "base/vec.h"
#include "solve/term.h"

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

/* The value of an operation on constants. False: anything may come out, and *out is what the machine gives.
   `width` is that of operand a. */
bool term_compute(const struct term_node *node, uint32_t width, const uint64_t operands[3],
                  uint64_t *out);

/* --- as text of SMT-LIB, a node at a time (term_print.c) --- */

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

/* --- widths and kinds --- */

static inline uint64_t term_mask(uint32_t bits)
{
	return bits >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
}

static inline int64_t term_signed(uint64_t value, uint32_t bits)
{
	return bits ? (int64_t)(value << (64 - bits)) >> (64 - bits) : 0;
}

static inline bool term_is_float_op(uint32_t op)
{
	return op >= TERM_FADD && op < TERM_OPS;
}

/* Does it give the bits of a float or double? */
static inline bool term_gives_float(uint32_t op)
{
	return (op >= TERM_FADD && op <= TERM_FSQRT) || op == TERM_FROM_SIGNED ||
	       op == TERM_FROM_UNSIGNED || op == TERM_RESIZE;
}

#endif
