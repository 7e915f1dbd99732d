/*
 * Where a slice begins: what went wrong, or what the user points at, as instances of the run. Of a run that its history keeps
 * only the statements that matter are executed once more; any other, and any for a place, is decoded once (for a place
 * that is counted from the end twice).
 *
 *	crash     the access that the program died of: its pointer or divisor, or the call of the
 *	          library that it died in; and the first access before it that destroyed memory
 *	abort     the call of abort() or of what a failed assert() calls
 *	exit      what exit() was given, or what main() returned
 *	hang      the branch that controls the last block, and the last statement
 *	memory    the first memory error, of a program that otherwise ended normally
 *	output    the call that printed a byte, and what the byte was printed from
 *	place     a line, or a variable as it is right after that line
 */
#ifndef HENCE_FAILURE_CRITERION_H
#define HENCE_FAILURE_CRITERION_H

#include "base/str.h"
#include "run/outcome.h"
#include "slice/slice.h"
#include "trial/oracle.h"

enum criterion_kind {
	CRITERION_NONE, /* nothing is wrong */
	CRITERION_CRASH,
	CRITERION_ABORT,
	CRITERION_ASSERT,
	CRITERION_EXIT,
	CRITERION_HANG,
	CRITERION_MEMORY,
	CRITERION_OUTPUT,
	CRITERION_PLACE,
};

struct criterion {
	enum criterion_kind kind;
	VEC(struct slice_criterion) at; /* may be empty: a value that nobody computed */
	VEC(uint32_t) marks;            /* instances that a report shows as the criterion */
	struct str what;                /* 'x = 7', 'byte 4 of standard output', 'SIGSEGV' */
	struct str why;                 /* a sentence that tells more; empty: none */
	char *file;                     /* of the place; NULL: not known */
	char *function;                 /* NULL: not known */
	unsigned line, column;
	uint64_t end;      /* no statement after this one matters: see listing_choice; 0: all do */
	VEC(char *) notes; /* for the report */
};

void criterion_deinit(struct criterion *criterion);

/* The kind as JSON has it: crash, abort, assert, exit, hang, memory, output, place. */
const char *criterion_kind_name(enum criterion_kind kind);

/* Appends ' at a.c:17 in main()', as far as it is known. */
void criterion_add_place(const struct criterion *criterion, struct str *out);

/* What went wrong in a run that ended so. The kind is CRITERION_NONE when nothing did. `until` (of
   CLOCK_MONOTONIC, in seconds; 0: none) limits the time. Caller frees with criterion_deinit(). */
MUST_USE struct hence_error *criterion_of_failure(const struct recording *run,
                                                  const struct outcome *outcome, double until,
                                                  struct criterion *out);

/* Byte `offset` of an output: `stream` is NULL for standard output, 'stdout', 'stderr', or the name
   of a file that the program wrote. UINT64_MAX: the end, where more should have come: the last call
   that printed something, and the end of the program. The same for `until` and `out`. */
MUST_USE struct hence_error *criterion_of_output(const struct recording *run, const char *stream,
                                                 uint64_t offset, double until,
                                                 struct criterion *out);

/* Standard output is `output`, and wrong from byte `offset` on; at its length more should have
   come. As above, but all of the word counts that the byte is in or that ends right before it; and
   a memory error before that is noted, or is a criterion as well if it destroyed something. */
MUST_USE struct hence_error *criterion_of_wrong_output(const struct recording *run,
                                                       const struct str *output, uint64_t offset,
                                                       double until, struct criterion *out);

/* What is wrong with a failing run that the oracle has judged: its output, or how it ended, which is `outcome`. The kind is CRITERION_NONE when only
   the user's test knows. It is kept with the recording's history, so the run is asked once. Caller frees with
   criterion_deinit(). */
struct hence_error *criterion_of_result(const struct recording *run, const struct oracle *oracle,
                                        const struct trial_result *result,
                                        const struct outcome *outcome, struct criterion *out)
	__attribute__((warn_unused_result));

/* What the user points at. */
struct criterion_point {
	const char *file;
	unsigned line;
	const char *variable; /* NULL: the line itself */
	int64_t instance;     /* 1 is the first execution of the line, -1 the last */
};

/* An execution of a line is a run of its statements in one call that does not execute one of them
   twice. The same for `until` and `out`. */
MUST_USE struct hence_error *criterion_of_place(const struct recording *run,
                                                const struct criterion_point *point, double until,
                                                struct criterion *out);

#endif
