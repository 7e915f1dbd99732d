/*
 * The oracle: is a run the failure under study?
 *
 *	crash          the same signal at the same place in the source; of two stack overflows,
 *	               where the stack ends is chance: they are the same when a function that calls
 *	               itself over and over, be it through others, is so in both
 *	failed assert  the same assert
 *	exit           the same status, not 0, or not the one that is right, with the same message on standard
 *	               error: words that are in the input, and numbers, may be others
 *	wrong output   the line with the first wrong byte is printed again; when output is only
 *	               missing at the end, the same output again; with another build of the
 *	               program, the two outputs differ, or what they write to standard error
 *	hang           it had to be stopped: by the clock or after too many statements
 *	memory         a memory error that the program survives; seen only by who decodes the run, so
 *	               no run can be judged from outside
 *	test           the user's test says so: 0 good, 125 cannot say, other bad; with `invert` 0
 *	               is bad
 *
 * A run that fails in another way is neither good nor bad: it is unresolved. So is one on which the
 * other build crashes or hangs, and one whose test was stopped.
 */
#ifndef HENCE_TRIAL_ORACLE_H
#define HENCE_TRIAL_ORACLE_H

#include "trial/trial.h"

enum verdict {
	VERDICT_PASS,
	VERDICT_FAIL,
	VERDICT_UNRESOLVED,
};

enum failure_kind {
	FAILURE_CRASH,
	FAILURE_ASSERT,
	FAILURE_EXIT,
	FAILURE_OUTPUT,
	FAILURE_HANG,
	FAILURE_TEST,
	FAILURE_MEMORY,
};

/* What the user says about failure. Lives as long as the oracle. */
struct oracle_options {
	const struct str
		*expected; /* standard output that is right for the failing input; NULL: not
	                               given */
	bool line;         /* `expected` is a line, whose end may be left out */
	bool other;        /* trials also run another build, whose output is right */
	bool test;         /* trials run the user's test */
	bool invert;       /* the test says 0 for a failure */
	bool any;          /* any failure counts as the same */
	/* The exit status that is right for the failing input; not given: 0 is, and of wrong output the one that the
	   failing run has will do, too. */
	bool has_status;
	int status;
	const struct input *input; /* the failing one; NULL: it is not known */
	const char *
		test_text; /* what a run does that fails the test, for a person; NULL: it fails the test */
};

/* Is the output, or are files, known that are right for the failing input, and for no other? */
bool oracle_knows_right(const struct oracle_options *options);

/* The failure under study. */
struct failure {
	enum failure_kind kind;
	struct outcome outcome;
	uint64_t pc;
	uint64_t wrong;  /* FAILURE_OUTPUT: offset of the first wrong byte */
	uint64_t number; /* of lines before it */
	uint64_t column; /* bytes of its line before it */
	bool missing;    /* the output is right as far as it goes, but its end is missing */
	struct str
		line; /* the line that the wrong byte stands in; if `missing`, the whole output */
	/* The lines with the first wrong byte, for a person: as far as it was printed, and as it should be. */
	struct str shown, right;
	struct str message; /* FAILURE_EXIT: what it wrote to standard error */
	bool message_only;  /* the same: with another build only that is wrong */
};

struct patch;

struct oracle {
	const struct oracle_options *options;
	struct failure failure;
	/* FAILURE_MEMORY: runs the failing input with a branch going another way (experiment/experiment.h), and decodes that run. Passed
	   is a run without any memory error that ends as the failing one did; `early`: it does not print as many lines. */
	struct hence_error *(*judge_patched)(void *context, const struct patch *patch,
	                                     enum verdict *verdict, bool *early);
	void *context;
};

/* Takes the run of the failing input as what is to be explained. False: it does not fail, or the
   test cannot say. Caller frees with oracle_deinit(). */
bool oracle_create(const struct oracle_options *options, const struct trial_result *first,
                   struct oracle *out);
void oracle_deinit(struct oracle *oracle);

/* The same of a run that does not fail, but in which a memory error was found. */
void oracle_create_memory(const struct oracle_options *options, const struct trial_result *first,
                          struct oracle *out);

enum verdict oracle_judge(const struct oracle *oracle, const struct trial_result *result);

/* The same of a run with another input: where the failure is a crash or a hang, one that ends by itself passes, whatever its
   status: the program may say that the input is wrong. */
enum verdict oracle_judge_input(const struct oracle *oracle, const struct trial_result *result);

/* Does the run exit as it should for the failing input? */
bool oracle_exits_well(const struct oracle *oracle, const struct outcome *outcome);

/* Is it just the output that is expected of the failing input? False also when nobody has said. */
bool oracle_is_expected(const struct oracle *oracle, const struct str *output);

/* The offset of the first wrong byte in the output of a run that is the same FAILURE_OUTPUT;
   UINT64_MAX: something is missing at the end. */
uint64_t oracle_wrong_byte(const struct oracle *oracle, const struct trial_result *result);

/* For a person, in one line and short: 'dies of SIGSEGV at a.c:17 in parse', 'prints "0 11", not "11 14" (line 1)', 'exits with 2'. */
void oracle_write_text(const struct oracle *oracle, struct str *out);

/* The kind as the JSON of a report has it: crash, assert, exit, wrong-output, hang, test, memory. */
const char *failure_kind_name(enum failure_kind kind);

/* 'pass', 'fail' or 'unresolved'. */
const char *verdict_name(enum verdict verdict);
extern const char *const verdict_names[]; /* in that order, then NULL */

#endif
