/*
 * Comparative causality (M4, Sumner and Zhang, ICSE 2013): the chain of backward.h with the tests
 * that are free of confounding. At each point the candidates are the differences in the cut of the
 * dual slice; a set of them counts when each run with the other's values shows what the other
 * showed; hybrids are on rails, so none goes a way that neither run had.
 */
#ifndef HENCE_METHODS_COMPARE_H
#define HENCE_METHODS_COMPARE_H

#include "methods/backward.h"

/*
 * What it takes to find what decides about the symptom at the points of the chain, for comparison:
 * from the cut, as comparative causality does it; and from all differences, in the reference alone,
 * which goes where it goes, as plain state minimisation does.
 */
struct compare_counts {
	uint64_t points;
	struct {
		uint64_t candidates, experiments, left; /* left: variables in the smallest sets */
	} cut, plain;
};

struct compare_options {
	bool no_rails;                 /* hybrids go where they go, for comparison */
	struct compare_counts *counts; /* gets them when it is not NULL */
	bool exact;                    /* sets are those of the exact model, where it finds some */
	/* Told of the dual slice, if there is one, before the search; may be NULL. */
	void (*sliced)(void *context, const struct dual *dual);
	void *context;
};

/* What the symptom shows, for dual_find(): the call, the branch, the last statements. */
struct dual_seed compare_seed(const struct symptom *symptom);

/* Where there can be no dual slice or no rails (a run that is too long), notes say so, and it does
   without. Caller frees with causes_deinit(). */
MUST_USE struct hence_error *compare_find(const struct comparison *pair,
                                          const struct compare_options *options,
                                          struct causes *out);

/* --- counts, for hence compare --count --- */

/* Counts at the points that were found. `h` has the rails, `dual` may be NULL. */
MUST_USE struct hence_error *compare_count(const struct hybrids *h, const struct dual *dual,
                                           const struct causes *found, struct compare_counts *out);

#endif
