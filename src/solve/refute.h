/*
 * Why something could not be: a claim that was false in the run is followed backwards (its weakest precondition)
 * until it contradicts itself or the branches that were taken; then a minimal core of the contradiction tells
 * which instances made it so.
 *
 * At a *cut*, symbols of instances from the cut on are replaced by their definitions, and those before it may be
 * anything. The earlier the cut, the more is known, and the latest cut at which there is a contradiction is
 * wanted. First without a solver: where the claim alone folds to false. That follows from where each of its parts
 * becomes a constant, which is computed once for each term of a run (the cache). Then, from the claim backwards in
 * growing steps, whether there is a contradiction later than that, within a budget: of the claim as it folds as a term, and
 * by the solver with branches that share symbols with it, directly or by way of others. Of a claim that
 * does not fold the solver is asked without branches, too.
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
	uint32_t
		most; /* symbols that are defined for it; 0: 1,000,000. What comes before them counts as constant */
	/* Of these instances the values are as they are, and they are not told: NULL: of none. */
	bool (*is_fixed)(void *context, uint32_t instance);
	void *context;
	/* What is known of the run's terms: much faster if there are several questions. May be NULL. */
	struct refute_cache *cache;
};

enum refuted {
	REFUTED_FOLDED, /* the claim alone is false, without a solver */
	REFUTED_SOLVED, /* the solver found a contradiction */
	REFUTED_UNKNOWN, /* the solver could not say whether there is one later than the cut: it is where the
	                    claim alone folds */
	REFUTED_NOT, /* there is none: the claim holds, or depends on what is not known */
};

struct refutation {
	enum refuted how;
	uint32_t cut;       /* instance */
	VEC(uint32_t) core; /* of the assumptions, instances; the claim always belongs to it */
	VEC(uint32_t)
	transforming; /* instances by which the claim and the core became a contradiction, the last first,
	                               each once */
	/* For a checker: the claim and the core, each together with the definitions that it is followed through;
	   all contradict each other. Empty if they would be very large, or there is no contradiction. */
	VEC(term) conjuncts;
	bool certain; /* the core is minimal for sure */
	bool limited; /* not all could be followed */
};

void refutation_deinit(struct refutation *refutation);

/* For questions about one run with the same is_fixed() and context; it forgets all when these change. Must not
   outlive the symbolic. Caller frees with refute_cache_destroy(). */
struct refute_cache *refute_cache_create(void);
void refute_cache_destroy(struct refute_cache *cache);

/* Without a solver (NULL) claims are only folded: the answer is REFUTED_FOLDED or REFUTED_NOT. Caller frees *out with
   refutation_deinit(). */
void refute(struct symbolic *symbolic, struct solver *solver,
            const struct refute_question *question, struct refutation *out);

/*
 * What an instance would have had to compute or store for the claim to be true, all else that was computed before it
 * as it was; up to `room` different values, those nearest to what it was first as far as that is easy to find.
 * Gives how many; 0 quickly if the claim does not come from that instance. If several bytes of an instance matter, as of a
 * copy, they are joined from the lowest of them on, up to eight. `solver` may be NULL: only what is
 * easy to find is found.
 */
uint32_t refute_propose(struct symbolic *symbolic, struct solver *solver,
                        const struct refute_question *question, uint32_t instance, uint64_t *values,
                        uint32_t room);

#endif
