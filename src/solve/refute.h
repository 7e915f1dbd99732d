/*
 * Why something could not be: a claim that was false in the run is followed backwards (its weakest precondition)
 * until it contradicts itself or the branches that were taken; then a minimal core of the contradiction tells
 * which instances made it so.
 *
 * At a *cut*, symbols of instances from the cut on are replaced by their definitions, and those before it may be
 * anything. The earlier the cut, the more is known, so the latest cut at which there is a contradiction is
 * found by bisection. First without a solver: where the claim alone folds to false. Then the solver is asked, from
 * the claim backwards in growing steps, whether there is a contradiction later than that, within its budget.
 * Only assumptions that share symbols with the claim, directly or by way of others, are taken into a question;
 * where that is none and the claim does not fold, the solver is still asked about the claim.
 */
#ifndef HENCE_SOLVE_REFUTE_H
#define HENCE_SOLVE_REFUTE_H

#include "solve/solver.h"
#include "solve/symbolic.h"

struct refute_question {
	term claim;      /* one bit, over symbols; false in the run */
	uint32_t before; /* instance: nothing from here on counts */
	/* Branches that were taken, as instances, those first that matter most: they stay in a core. */
	const uint32_t *assumptions;
	uint32_t assumption_count;
	uint32_t most; /* symbols that are followed; 0: 400,000. Behind them all is a constant */
	/* Of these instances the values are as they are, and they are not told: NULL: of none. */
	bool (*is_fixed)(void *context, uint32_t instance);
	void *context;
};

enum refuted {
	REFUTED_FOLDED, /* the claim alone is false, without a solver */
	REFUTED_SOLVED, /* the solver found a contradiction */
	REFUTED_UNKNOWN, /* the solver could not say whether there is one later than the cut: it is where the
	                    claim alone folds */
	REFUTED_NOT, /* there is none: the claim holds, or hangs on what is not known */
};

struct refutation {
	enum refuted how;
	uint32_t cut;       /* instance */
	VEC(uint32_t) core; /* of the assumptions, instances; the claim always belongs to it */
	VEC(uint32_t)
	transforming; /* instances by which the claim and the core became a contradiction, the last first,
	                               each once */
	VEC(term) conjuncts; /* the claim and the core at the cut; for a checker */
	bool certain;        /* the core is minimal for sure */
	bool limited;        /* not all could be followed */
};

void refutation_deinit(struct refutation *refutation);

/* Caller frees *out with refutation_deinit(). */
void refute(struct symbolic *symbolic, struct solver *solver,
            const struct refute_question *question, struct refutation *out);

/*
 * A value of a symbol with which the claim would have been true, all else that was computed before it as it was; up
 * to `room` different ones, the nearest to what it was first as far as that is easy to find. Gives how many.
 */
uint32_t refute_propose(struct symbolic *symbolic, struct solver *solver,
                        const struct refute_question *question, uint32_t symbol, uint64_t *values,
                        uint32_t room);

#endif
