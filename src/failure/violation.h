/*
 * What was violated: a condition at an instance of the failing run that was false and should have
 * been true. The root of the cause tree.
 *
 *	assert, abort   the branch that controls the call should have gone another way
 *	crash           the check that would have prevented the access: p is not NULL, lies within its object, is not
 *	                freed; the divisor is not 0; the argument of a function of the library that died
 *	exit            the status is 0
 *	hang            the loop ends
 *	memory          the same check as for a crash, of the first memory error
 *	wrong output    the value that was printed is the one that prints as expected; when a call prints too much or
 *	                not enough, the call itself (no claim)
 *	check           an expression of the user's at a line, the first time that it is false
 */
#ifndef HENCE_FAILURE_VIOLATION_H
#define HENCE_FAILURE_VIOLATION_H

#include "base/str.h"
#include "failure/criterion.h"
#include "report/explanation.h"
#include "solve/symbolic.h"
#include "trial/oracle.h"

enum violation_kind {
	VIOLATION_BRANCH, /* the branch at `instance` should have gone another way */
	VIOLATION_CHECK,  /* `claim` should have held before `instance` */
	VIOLATION_EVENT, /* `instance` should not have been executed, or more should have come: there is no claim */
};

struct violation {
	enum violation_kind kind;
	uint32_t instance; /* of the branch, access, call or statement */
	uint64_t time;     /* the statement that it belongs to; 0: not known */
	bool after;        /* the claim is about what is there after the instance, too */
	term claim;        /* VIOLATION_CHECK: over symbols */
	VEC(uint32_t)
	/* instances that belong to it: the call of free() before a use; the call of printf() */
	also;
	struct str
		/* 'assertion area == 9 fails', 'p is NULL', 'byte 3 of standard output is 4, not
		   5' */
		what;
	struct str wanted;     /* the condition as C: 'p != NULL', 'd == 5'; empty: there is none */
	struct str numbers;    /* the same with values: '4 == 5'; empty: not known */
	char *file, *function; /* NULL: not known */
	unsigned line, column;
	enum explanation_kind failure;
	VEC(char *) notes;
};

void violation_deinit(struct violation *violation);

/* What the user wants to hold: --check 'FILE:LINE: EXPR'. */
struct violation_check {
	char *file;
	unsigned line;
	char *expression;
};

/* Takes the text apart. The error says what is wrong, and with the expression where. */
MUST_USE struct hence_error *violation_check_parse(const char *text, struct violation_check *out);
void violation_check_deinit(struct violation_check *check);

/* What to look for. */
struct violation_question {
	const struct outcome *outcome;       /* how the run ended */
	int status;                          /* that it should have exited with */
	const struct violation_check *check; /* NULL: none */
	const char *expected;                /* standard output; NULL: not known */
	size_t expected_size;
	const struct str *output; /* standard output as it was */
	const char *
		stream; /* both are of this file that the program writes, as it opens it, of a run that is kept; NULL: standard output */
	double until;   /* CLOCK_MONOTONIC; 0: no limit */
};

/* Decodes the run a few times. `symbolic` is of an execution of the same run that was kept: its
   numbers of instances are the same. An error says what is wrong with the check: a name that is not
   known, a line that was not executed, a condition that always held. Caller frees with
   violation_deinit(). */
MUST_USE struct hence_error *violation_find(const struct recording *run, struct symbolic *symbolic,
                                            const struct violation_question *question,
                                            struct violation *out);

#endif
