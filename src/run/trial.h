/*
 * Trials: runs of the program on changed input, confined so that they can do no harm, many at a time.
 *
 * A pool has workers: processes of ours, forked when it is made, each with a scratch directory of its
 * own. A worker runs one trial after the other. A program built with hence cc is forked from a copy
 * that has started up and waits in front of its first input (server.h); others are executed anew.
 *
 * CONFINED. Landlock lets a trial write only below its scratch directory; it can make no network
 * connection; memory, processes, file sizes and time are limited. It runs in a copy of the working
 * directory when it needs to write there, or when files are varied; the copy is put right after each
 * trial. Nothing is left of a trial when it has ended: no process, no file.
 */
#ifndef HENCE_RUN_TRIAL_H
#define HENCE_RUN_TRIAL_H

#include "run/input.h"
#include "run/outcome.h"

struct trials;

struct trials_options {
	const char *program; /* path */
	const char *name;    /* argv[0] */
	const struct input
		*input;    /* the failing input: says which parts there are and which vary */
	uint32_t workers;  /* 0: one for each core */
	double timeout;    /* seconds for one trial; 0: chosen from the first run */
	double statements; /* a trial is cut after this many times the statements of the first
	                             run; 0: 10. Only for programs built with hence cc */
	const char *test;  /* the user's test: a command that judges one trial (see oracle.h);
	                             then it is run, not the program. NULL: none */
	const char *other; /* another build of the program, run on the same input, whose output
	                             is what is right; NULL: none */
	bool plain;        /* never use the fork server */
};

/* How a trial went. */
struct trial_result {
	struct outcome outcome; /* OUTCOME_TIMED_OUT also when it was cut */
	bool cut;               /* by the count of statements */
	int test;               /* exit code of the user's test; -1: there is none */
	struct str output;      /* standard output, up to a limit */
	struct str right;       /* of the other build */
	struct outcome other;   /* of the other build */
	uint64_t pc; /* where a deadly signal struck, without randomisation; 0: not known */
	double seconds;
};

void trial_result_deinit(struct trial_result *result);

/* Makes the pool and runs the failing input once. Errors say what is missing: a program that cannot
   be executed, a test that does not exist, no Landlock in the kernel, a full disk. `first` is how that
   run went. Caller frees both, with trials_destroy() and trial_result_deinit(). */
struct hence_error *trials_create(const struct trials_options *options, struct trials **out,
                                  struct trial_result *first);

/* Ends all workers and what they run; removes their directories. */
void trials_destroy(struct trials *trials);

/* Is a worker free? */
bool trials_ready(const struct trials *trials);

/* Gives a trial to a free worker. `id` comes back with its result. */
struct hence_error *trials_start(struct trials *trials, const struct input *input, uint64_t id);

/* Waits for a trial to end. Caller frees the result. An error ends the pool's work: a worker died, the
   disk is full, a file of the program has vanished. */
struct hence_error *trials_wait(struct trials *trials, uint64_t *id, struct trial_result *out);

/* Stops a trial that nobody waits for any more: its result will not come. */
void trials_cancel(struct trials *trials, uint64_t id);

/* How many were run, and how many of them were forked from a server. */
void trials_count(const struct trials *trials, uint64_t *all, uint64_t *forked);

#endif
