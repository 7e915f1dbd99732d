/*
 * Attempts to mend a failing run: many experiments, each judged as a whole run, by the expected
 * output, by the user's test, or by how it ends; where only a decoder sees the failure (a memory
 * error), branches are forced in runs that are recorded. The result does not depend on the number
 * of workers, if the caller counts by the numbers of attempts.
 */
#ifndef HENCE_METHODS_ATTEMPTS_H
#define HENCE_METHODS_ATTEMPTS_H

#include "methods/comparison.h"
#include "report/explanation.h"

/* What came of one. */
struct attempt_end {
	enum verdict verdict; /* if the output is expected, only that passes */
	bool exact;           /* it prints exactly the expected text */
	bool early;           /* the expected output is not known, and it does not print what the
	                         failing run did before it failed: it may just have given up */
	bool reached;         /* the last of its stops */
};

/* All but what attempts_open() sets is the caller's. */
struct attempts {
	const struct comparison *pair; /* its failing run */
	/* Bytes that the failing run printed, with those that were lost in stdio's buffer: before
	   attempts_run(). */
	uint64_t printed;
	/* Attempt number `id`, counted from 0. False: there is none, and no later one. What it
	   points to is valid until the next call. */
	bool (*next)(void *context, uint64_t id, struct experiment *out);
	/* Not called for those that did not come to where something was to be changed. */
	void (*ended)(void *context, uint64_t id, const struct attempt_end *end);
	void (*tell)(void *context); /* now and then; may be NULL */
	void *context;

	struct experiments *tests; /* where the user's test judges; NULL: there is none */
	struct experiments_options tests_options;
	VEC(uint64_t) flying;
	uint64_t begun, done, diverged;
	bool stopped;
};

/* Makes ready for the user's test, which forces branches only (experiments_options.tests). Caller
   frees with attempts_close(), after an error too. */
MUST_USE struct hence_error *attempts_open(struct attempts *attempts);

/* Sets `printed`, by decoding the run: how much the failing run had printed, so that one that gives
   up early is noticed. Does nothing if more than the end of a run judges it. */
MUST_USE struct hence_error *attempts_find_printed(struct attempts *attempts);

/* Is the failure one of a check of the program's own (`failure` is 'assert' or 'abort'; may be
   NULL), which only the end of a run judges? A run that passes without executing the check may have
   avoided it. */
bool attempts_have_check(const struct attempts *attempts, enum explanation_kind failure);

/* Makes all attempts that there are. May be called again when there are more. */
MUST_USE struct hence_error *attempts_run(struct attempts *attempts);
void attempts_close(struct attempts *attempts);

#endif
