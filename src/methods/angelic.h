/*
 * The angelic check: is a node of the cause tree really a cause? The program is run once more, and
 * at that instance the branch goes another way, or the variable gets the value that the solver
 * proposes. If the run passes then, by the expected output, the user's test, or because it does not
 * fail any more and does its work, the node is proven.
 */
#ifndef HENCE_METHODS_ANGELIC_H
#define HENCE_METHODS_ANGELIC_H

#include "methods/tree.h"
#include "methods/comparison.h"

struct angelic_options {
	uint32_t most;  /* experiments on one node; 0: 60 */
	uint32_t total; /* on all; 0: 3,000 */
};

struct angelic_counts {
	uint64_t experiments, passed;
	uint32_t proven; /* nodes */
	bool stopped;
};

/* Tries all described nodes that were not tried, level by level, and sorts the tree, which is of
   the failing run. */
MUST_USE struct hence_error *angelic_check(const struct comparison *pair,
                                           const struct angelic_options *options, struct tree *tree,
                                           struct angelic_counts *out);

#endif
