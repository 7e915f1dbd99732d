/*
 * Critical predicates (M3): branches of the failing run that make it pass when they go the other
 * way once. Each is an experiment, judged as a whole run: by --expect, by the user's test, or by
 * how it ends. The patched run is a reference for all methods (struct patch in experiment.h).
 *
 * The candidates are the branches in the backward slice of the failure. The slice is a relevant
 * slice (slice_options.relevant): it has branches that could have changed what was read, since
 * omissions are not found without them. A branch that was executed often is tried at a few of its
 * instances first (the last, those 1, 2, 4, 8, ... before it, and the first); the others follow
 * after all branches were tried.
 */
#ifndef HENCE_METHODS_PREDICATES_H
#define HENCE_METHODS_PREDICATES_H

#include "methods/cause.h"
#include "methods/comparison.h"

enum predicates_order {
	PREDICATES_NEAREST, /* those in the backward slice of the failure, the last executed first; then
	                       the others */
	PREDICATES_FIRST, /* as they are executed */
};

struct predicate {
	struct patch patch;
	uint64_t time;
	char *file, *function;
	unsigned line, column;
	uint64_t instance;       /* the statement was there for the nth time, */
	uint64_t instances;      /* of so many up to the failure */
	char *condition;         /* as C; of a switch its value; NULL: not known */
	char *failing, *patched; /* 'true', 'false', 'case 3', 'default' */
	uint64_t experiment;     /* its number, counted from 1 as they are tried */
	bool in_slice;
	/* the patched run prints exactly the expected text; false: the expected output is not
	   known, or something else judges the run */
	bool exact;
	/* the expected output is not known, and the patched run does not print what the failing run
	   did before it failed: it may just have given up */
	bool early;
	/* the expected output is not known, and this branch is the check that failed: without it
	   the program continues in a wrong state */
	bool check;
};

struct predicates {
	/* In the order in which they were tried, but those last that are `early` or `check`. */
	VEC(struct predicate) all;
	uint64_t branches;    /* instances in the run that could go another way */
	uint64_t ways;        /* of all of them together: a switch has several */
	uint64_t experiments; /* ways that were tried */
	bool stopped;
	VEC(char *) notes;
};

/* Branches of the failing run; the search ends when `most` are found that are neither `early` nor `check` (0: all are
   tried). With PREDICATES_NEAREST, at most `repeats` ways are tried after the samples in the slice (UINT32_MAX: all).
   The result is the same for any number of workers. Decodes the run four times or five. Caller frees with
   predicates_deinit(). */
MUST_USE struct hence_error *predicates_find(const struct comparison *pair,
                                             enum predicates_order order, uint32_t most,
                                             uint32_t repeats, struct predicates *out);

/* Does it tell something: does the patched run do its work, and is it not just the check itself
   that failed? */
bool predicate_counts(const struct predicate *predicate);

void predicates_deinit(struct predicates *predicates);

/* The branch as a cause, which the experiment has proven: one more point of `out`. */
void predicate_cause(const struct predicate *predicate, struct causes *out);

#endif
