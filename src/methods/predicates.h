/*
 * Critical predicates (M3): branches of the failing run that make it pass when they go the other way once.
 * Each is an experiment, judged as a whole run: by --expect, by the user's test, or by how it ends. The
 * patched run is a reference for all methods (struct patch in experiment.h).
 *
 * Of the branches in the backward slice of the failure, those that it hangs on only because they could have
 * changed what was read (slice_options.relevant) count as well: without them omissions are not found. A
 * branch that was passed often is tried at a few of its instances first (the last, those 1, 2, 4, 8, ...
 * before it, and the first); the others follow when all branches had their turn.
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
	bool exact; /* the patched run puts out exactly the expected text; false: nobody has said what is
	               expected, or it is judged otherwise */
	bool early; /* nobody has said what is expected, and the patched run does not put out what the
	               failing run did before it failed: it may just have given up */
	bool check; /* nobody has said what is expected, and it is the check that failed: without it the
	               program goes on with what is wrong */
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
struct hence_error *predicates_find(const struct comparison *pair, enum predicates_order order,
                                    uint32_t most, uint32_t repeats, struct predicates *out);

/* Does it tell something: does the patched run do its work, and is it not just the check itself that failed? */
bool predicate_counts(const struct predicate *predicate);

void predicates_deinit(struct predicates *predicates);

/* The branch as a cause, which the experiment has proven: one more point of `out`. */
void predicate_cause(const struct predicate *predicate, struct causes *out);

#endif
