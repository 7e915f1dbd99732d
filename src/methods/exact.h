/*
 * The exact execution model (M4): what a hybrid would show if only the dual slice were executed. No
 * process runs: instances of the two decoded runs are evaluated once more, on new values.
 *
 *	instances outside the slice are skipped; operands that come from outside it have the value of the
 *	trace
 *	a branch in both runs with different ways is evaluated, and the instances of the run that went that
 *	way are executed; a branch in one run only must go as it went there
 *	a load must read bytes that it depended on in one of the runs
 *	an outside call that gets what it got in one of the runs does what it did there
 *
 * What does not keep to this is *confounded*: it would be behaviour that neither run had. It counts
 * when the goal depends on it. *Unknown* is what we cannot evaluate: an outside call that gets
 * something else, a value wider than 64 bits from outside the slice.
 *
 * The cut of the dual slice is always sufficient in this model, in both directions, unless
 * something from outside (input) differs after the point. For two versions of a program what only
 * one of them does is done when that one is changed.
 */
#ifndef HENCE_METHODS_EXACT_H
#define HENCE_METHODS_EXACT_H

#include "methods/hybrid.h"
#include "slice/dual.h"

struct exact;

struct exact_judgement {
	enum verdict verdict; /* the goal as in the failing run, as in the reference, neither */
	bool confounded;      /* unresolved, for this reason */
	bool unknown;
};

/* The first run of the dual slice and of the alignment is the failing one. `seeds` are those that
   the slice was found from. All of them must outlive it. Decodes both runs. The error says that the
   slice is too large. Caller frees with exact_destroy(). */
MUST_USE struct hence_error *exact_create(const struct recording *failing,
                                          const struct recording *reference,
                                          const struct alignment *alignment,
                                          const struct dual *dual, const struct dual_seed *seeds,
                                          uint32_t count, struct exact **out);
void exact_destroy(struct exact *exact);

/* Judges the reference with these differences of the failing run at the point, or (`in_failing`)
   the failing run with those of the reference. The point is compared. `goal` NULL: by what the dual
   slice began with. Decodes both runs at the first question about a point. */
MUST_USE struct hence_error *exact_judge(struct exact *exact, const struct hybrid_point *point,
                                         bool in_failing, const struct dd_set *set,
                                         const struct hybrid_wanted *goal,
                                         struct exact_judgement *out);

#endif
