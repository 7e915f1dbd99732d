/*
 * Cause transitions (M2): where the cause of the failure moves from one variable to another.
 *
 * At points that both runs have, the differences between the two states are applied in subsets to
 * the reference run; delta debugging isolates those that decide between pass and fail. Where they
 * are other variables at a later point than at an earlier one, the points between are searched,
 * calls first, then statements, until two neighbours are left: the statement between them is a
 * transition.
 */
#ifndef HENCE_METHODS_TRANSITIONS_H
#define HENCE_METHODS_TRANSITIONS_H

#include "methods/cause.h"
#include "methods/comparison.h"
#include "state/state.h"

struct transitions {
	struct causes found; /* the first step is where main starts */
	/* With all_points: those that were looked at, with their places and variables. A transition has others than the
	   last before it that has any. */
	VEC(struct explanation_step) all;
};

/* `all_points`: keeps every point that was looked at. Caller frees with transitions_deinit(). */
struct hence_error *transitions_find(const struct comparison *pair, bool all_points,
                                     struct transitions *out);
void transitions_deinit(struct transitions *transitions);

#endif
