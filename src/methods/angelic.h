/*
 * The angelic check: is a node of the cause tree really a cause? The program is run once more, and at that instance
 * the branch goes another way, or the variable gets the value that the solver proposes. If the run passes then, by the
 * expected output, the user's test, or because it does not fail any more and does its work, the node is proven.
 */
#ifndef HENCE_METHODS_ANGELIC_H
#define HENCE_METHODS_ANGELIC_H

#include "methods/tree.h"
#include "experiment/experiment.h"

struct angelic_options {
	uint32_t most;  /* experiments on one node; 0: 60 */
	uint32_t total; /* on all; 0: 3,000 */
	/* How the failing input is run with the user's test; only used if the oracle has one. */
	const struct trials_options *trials;
	bool (*stop)(void *context);
	void (*progress)(void *context, uint64_t experiments, const char *phase);
	void *context;
};

struct angelic_counts {
	uint64_t experiments, passed;
	uint32_t proven; /* nodes */
	bool stopped;
};

/* Tries all described nodes that were not tried, level by level, and sorts the tree. `pool` has the run of the tree
   recorded and in use; `result` is how that run went. */
struct hence_error *angelic_check(struct experiments *pool, const struct recording *run,
                                  const struct trial_result *result, const struct oracle *oracle,
                                  const struct angelic_options *options, struct tree *tree,
                                  struct angelic_counts *out);

#endif
