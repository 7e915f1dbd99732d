/*
 * A chain of causes found backwards, from the symptom to where the runs were equal: the step at a
 * point is a smallest set of differences that brings about the set of the next step (hybrid.h); the
 * set of the last step brings about the symptom. Causality is local: each step causes the next.
 *
 *	M3, failure-inducing chains, and M4, comparative causality, are this with different options.
 *
 * Algorithms, which give the same chain:
 *	dependence      the point before the latest definition among the variables of the set is next, if the
 *	                set is still the same there; else the hierarchical search between
 *	hierarchical    from the symptom up the tree of calls and branches, each level is searched by
 *	                halves for where the set changes
 *
 * A definition that lies in a region which only one run has is brought about by the branch that
 * decides it: the branch is a step of its own, and its condition is explained next.
 */
#ifndef HENCE_METHODS_BACKWARD_H
#define HENCE_METHODS_BACKWARD_H

#include "methods/cause.h"
#include "methods/exact.h"

enum backward_algorithm {
	BACKWARD_DEPENDENCE,
	BACKWARD_HIERARCHICAL,
};

struct backward_options {
	enum backward_algorithm algorithm;
	struct infer_options infer;
	const struct rails *rails[2]; /* NULL: none; 1 is for the failing run */
};

/* Caller frees with causes_deinit(). */
MUST_USE struct hence_error *backward_find(const struct comparison *pair,
                                           const struct backward_options *options,
                                           struct causes *out);

#endif
