/*
 * Trials: runs of the program on changed input, confined so that they can do no harm, many at a
 * time.
 *
 * A pool has workers: processes of ours, forked when they are needed for the first time, each with a
 * scratch directory of its own. A worker runs one trial after the other. A program built with hence cc is forked from a
 * copy that has started up and waits in front of its first input (server.h), if that goes the same
 * way as an exec did; others are executed anew.
 *
 * CONFINED. A trial writes only below its scratch directory, it can make no network connection, and
 * memory, processes, file sizes and time are limited (confine.h). TMPDIR leads to the scratch
 * directory. Nothing is left of a trial when it has ended: no process, no file. All runs are
 * confined, the first one too. A kernel without Landlock is an error that says so, unless
 * `unconfined` is wanted; then runs are not confined, whatever the kernel has, but still limited,
 * and in a copy of the working directory.
 *
 * WHERE. In the working directory itself, where it can read but not write; or in a copy of it that
 * is put right after each trial: when a file of the input lies there, or when the first run goes
 * otherwise in a copy. A file of the input that lies elsewhere is copied too. An argument that ends
 * with a path of such a file, by whatever name, is made to name the copy (worker_room.h).
 *
 * THE USER'S TEST is a shell command that judges one trial. It runs in the directory of the trial,
 * with the varied files in place. Its standard input is that of the trial. The program with its
 * arguments is "$@"; a test that is a single word gets them as its arguments. HENCE_PROGRAM is the
 * program, HENCE_ARGS a file with the arguments, each followed by a 0, HENCE_STDIN a file with the
 * standard input.
 *
 * A FIRST RUN that computes for some seconds without reading or writing, when no time is given, seems endless: it is stopped
 * and has timed out. After one that has timed out trials are cut by their work, not by the clock.
 *
 * LIMITS, if nothing else is said. Time: ten times that of the first run, at least a second.
 * Address space: four times that of the first run, at least 2 GiB; none for a program with a
 * sanitizer or a user's test. Processes: 256. A file: 1 GiB. Of the output 16 MiB are kept.
 */
#ifndef HENCE_TRIAL_H
#define HENCE_TRIAL_H

#include "trial/input.h"
#include "run/outcome.h"

#define TRIAL_MOST_MESSAGE (64u << 10) /* bytes of standard error that are kept */

/* Which limit stopped a run, other than that of time or work. */
enum trial_limit {
	TRIAL_NO_LIMIT,
	TRIAL_FILE_SIZE,
	TRIAL_PROCESSES,
};

struct trials;

/* What pools of the same program and failing input need to find out only once. Zeroed before the first; caller frees with
   trials_known_deinit(). */
struct trials_known {
	char *program; /* path; NULL: nothing is known */
	struct input input;
	bool unconfined;
	bool copied;   /* trials run in a copy of the working directory */
	bool compared; /* it was found out whether they can be forked: */
	bool served;
	/* Of the first run: */
	bool hangs, endless, cut; /* it was stopped; see struct trial_result */
	uint64_t work, peak;
	double seconds;
};

void trials_known_deinit(struct trials_known *known);

/* Must live as long as the pool. */
struct trials_options {
	const char *program; /* path */
	const char *name;    /* argv[0] */
	/* The failing input: says which parts there are and which vary. Trials have no other files
	   and variables than it has; arguments may be more or fewer. */
	const struct input *input;
	uint32_t workers; /* 0: one for each core */
	double timeout;   /* seconds for one trial; 0: chosen from the first run */
	/* A trial is cut after this many times the work of the first run (server_work()); 0: 10.
	   Only for programs that were built with hence cc. */
	double statements;
	/* Or after this much work, if that is less, from the first run on; 0: as above. */
	uint64_t work;
	/* The user's test: a command that judges one trial. It is run instead of the
	   program. NULL: none. */
	const char *test;
	/* Another build of the program, run on the same input, whose output is what is right; NULL:
	   none. */
	const char *other;
	/* Edited code that is loaded into the program in all trials, with trials_start_edited()
	   (runtime/edit_image.h); NULL: none. */
	const char *image;
	/* What earlier pools found out is used, and what this one does is added; NULL: nothing is. */
	struct trials_known *known;
	/* Told what the user has to know at once; NULL: nobody. */
	void (*notice)(const char *text);
	bool watched;    /* the first run is looked at for system calls that confinement refuses */
	bool plain;      /* never use the fork server */
	bool unconfined; /* only limits: for kernels that have no Landlock */
	/* Asked a few times a second while the pool is made and the failing input runs for the
	   first time; true: nobody wants it any more. NULL: it is wanted. */
	bool (*stop)(void *context);
	void *context;
};

/* How a trial went. */
struct trial_result {
	struct outcome outcome; /* OUTCOME_TIMED_OUT also when it was cut */
	struct str
		refused; /* of the first run, if it is wanted: a system call that confinement refused */
	bool endless; /* the first run: stopped since it computed for long without reading or writing */
	bool cut;     /* after too much work, not by the clock */
	enum trial_limit limit; /* that stopped it, instead */
	int test;           /* exit code of the user's test; -1: there is none, or it was killed */
	struct str output;  /* standard output, up to a limit */
	struct str message; /* standard error, up to a limit */
	struct str right;   /* of the other build: its output, */
	struct str right_message; /* its standard error, */
	struct outcome other;     /* and how it ended */
	uint64_t pc;   /* where a deadly signal struck, without randomisation; 0: not known */
	uint64_t peak; /* bytes of address space, if it was measured; else 0 */
	uint64_t work; /* that a program built with hence cc did; see server_work() */
	bool forked;   /* from a server, not executed anew */
	double seconds;
};

void trial_result_deinit(struct trial_result *result);

/* Makes the pool and runs the failing input once. Errors say what is missing: a program that cannot
   be executed, a test that does not exist, no Landlock in the kernel, a full disk. `first` is how
   that run went. Caller frees both, with trials_destroy() and trial_result_deinit(). *out is NULL
   when `stop` ended it: how the run goes is not known then. */
MUST_USE struct hence_error *trials_create(const struct trials_options *options,
                                           struct trials **out, struct trial_result *first);

/* The workers of a pool that was asked for 0: the cores on which this process may run, which can be
   fewer than the machine has. */
uint32_t trials_cores(void);

/* Ends all workers and what they run; removes their directories. */
void trials_destroy(struct trials *trials);

/* Is a worker free? */
bool trials_ready(const struct trials *trials);

/* Gives a trial to a free worker. `id` comes back with its result. */
MUST_USE struct hence_error *trials_start(struct trials *trials, const struct input *input,
                                          uint64_t id);

/* Which edit of the image is in force. The result has a struct hence_scout for each edit of a range:
   for a scout what they would have computed; with one of a table in force, which of its other choices
   would have done something else. */
struct trial_edit {
	uint32_t number; /* 0: none; HENCE_EDIT_SCOUT: a scout */
	uint32_t first, count;
	uint64_t work;  /* after which it is cut; 0: as all trials */
	double seconds; /* the same */
};

MUST_USE struct hence_error *trials_start_edited(struct trials *trials, const struct input *input,
                                                 struct trial_edit edit, uint64_t id);

/* As trials_wait(), with what was seen of the range. */
MUST_USE struct hence_error *trials_wait_scouts(struct trials *trials, uint64_t *id,
                                                struct trial_result *out, struct str *scouts);

/* Waits for a trial to end. Caller frees the result. An error ends the pool's work: a worker died,
   the disk is full, a file of the program has vanished. */
MUST_USE struct hence_error *trials_wait(struct trials *trials, uint64_t *id,
                                         struct trial_result *out);

/* Waits no longer than that, and not when a signal comes. *ended: trials_wait() has a result now.
   At least one trial must be under way. */
MUST_USE struct hence_error *trials_poll(struct trials *trials, double seconds, bool *ended);

/* Runs an input once with recording into a session directory (session.h), with no limit but that of
   time; the user's test and the other build are not run. No trial may be under way, and none may
   follow. Caller frees the result. */
MUST_USE struct hence_error *trials_record(struct trials *trials, const struct input *input,
                                           const char *session, struct trial_result *out);

/* Stops a trial that nobody waits for any more: its result will not come. */
void trials_cancel(struct trials *trials, uint64_t id);

/* Something that the user should know about how trials run; NULL: nothing. Valid as long as the
 * pool. */
const char *trials_note(const struct trials *trials);

/* The work after which a trial is cut; 0: it is not. */
uint64_t trials_work(const struct trials *trials);

/* How many were run, and how many of them were forked from a server. */
void trials_count(const struct trials *trials, uint64_t *all, uint64_t *forked);

#endif
