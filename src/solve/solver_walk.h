/* A search for an assignment from one that does not satisfy all. */
#ifndef HENCE_SOLVE_SOLVER_WALK_H
#define HENCE_SOLVE_SOLVER_WALK_H

#include "solve/term_work.h"

/* A node of the question; operands come before it. */
struct walk_node {
	struct term_node node;
	uint32_t a, b, c; /* indices */
	uint32_t width;   /* of operand a */
	uint64_t value;   /* now */
};

/* What one operand must be for a node to have a value, the others as they are. */
struct walk_wish {
	uint32_t at;
	uint64_t value;
};

/* Chooses an operand of a node and what it must be, or nearly; `random` is any number. False: none can change. */
bool walk_invert(const struct walk_node *all, uint32_t at, uint64_t wanted, uint64_t random,
                 struct walk_wish *out);

#endif
