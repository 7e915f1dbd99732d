/*
 * Failure-inducing chains (M3, Sumner and Zhang): the chain of backward.h in which the reference gets values of
 * the failing run, all differences are candidates, and runs go where they go.
 */
#ifndef HENCE_METHODS_CHAIN_H
#define HENCE_METHODS_CHAIN_H

#include "methods/backward.h"

struct chain_options {
	struct experiments *failing_pool, *reference_pool;
	uint32_t workers; /* that each pool has; 0: one for each core */
	enum backward_algorithm algorithm;
	bool (*stop)(void *context);
	void (*progress)(void *context, uint64_t experiments, const char *phase);
	void *context;
};

/* Caller frees with causes_deinit(). */
struct hence_error *chain_find(const struct symptom_run *failing,
                               const struct symptom_run *reference,
                               const struct alignment *alignment, const struct symptom *symptom,
                               const struct chain_options *options, struct causes *out);

#endif
