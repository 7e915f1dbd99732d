/* A recorded run of a program, for all that make one or look into one: options, the run, how it ended. */
#ifndef HENCE_EXPLAIN_RECORDED_H
#define HENCE_EXPLAIN_RECORDED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"
#include "run/executable.h"
#include "run/launch.h"
#include "run/session.h"
#include "run/tapes.h"
#include "slice/slice.h"
#include "trial/trial.h"

#define RUN_TAPE_LIMIT (8ull << 30)
#define RUN_TIME       30 /* seconds that a person may wait for an answer */

struct run_options {
	const char *account;
	const char *io;    /* file for the list of inputs and outputs */
	const char *input; /* for stdin; NULL: ours */
	double timeout;
	double time; /* seconds for reading tapes */
	uint64_t tape_limit;
	VEC(char *) models;
	bool check_repeat;
	bool no_walk;
	bool verbose;
	char **command;
};

/* Numbers of executed things. */
struct run_numbers {
	uint64_t functions; /* different ones */
	uint64_t calls;     /* entries of them */
	uint64_t blocks;
	uint64_t statements;
	uint64_t instructions;
};

/* An outside function without a model. */
struct run_unmodelled {
	char *name;
	uint64_t calls;
};

/* One recorded process. */
struct run_tape {
	const struct tape *tape;
	const char *program; /* NULL: not known */
	struct outcome outcome;
	bool walked;
	struct run_numbers numbers;
};

/* A run that has ended. */
struct run {
	const struct run_options *options;
	struct executable program;
	struct session session;
	void *table; /* of outside functions, as the session has it */
	struct launch_result launch;
	struct tapes tapes;
	VEC(struct run_tape) recorded; /* one for each of `tapes` */
	struct run_numbers total;
	bool walked;                           /* at least one of them */
	double read_until;                     /* time at which reading ends, complete or not */
	VEC(struct run_unmodelled) unmodelled; /* most often called first */
	VEC(char *) notes;                     /* for the account, without 'hence:' */
	off_t input_at;                        /* where stdin stood at the start; -1: not a file */
	int input;                             /* what the program had as stdin; -1: ours */
	int output;                            /* for its stdout; -1: ours */
};

void run_options_deinit(struct run_options *options);

/* Finds out before the run what would fail after it. A file that is replaced needs a folder that can
   be written to, one that is overwritten does not. A NULL path is fine. */
MUST_USE struct hence_error *run_check_output(const char *path, const char *option, bool replaced);

/* Runs the command that `run->options` names and records it; `input` and `output` of `run` are -1
   or set. Counts of executed things are left to `hence run`. Caller frees with run_deinit(), also after an
   error. */
MUST_USE struct hence_error *run_record(struct run *run);
void run_deinit(struct run *run);

/* A run on changed input. */
struct run_confined {
	const struct trials_options *trials;
	const struct input *passing; /* one more input to be recorded; NULL: none */
	struct trial_result first;   /* how the input of `trials` did */
	bool differs;                /* when it was recorded it printed something else */
	struct str passed;           /* what the passing input printed */
	uint32_t passing_tape;       /* its first tape: index in run->recorded; 0: there is none */
};

/* The same as run_record(), of the input of confined->trials and in the confinement of a trial. Caller
   frees what it fills. */
MUST_USE struct hence_error *run_record_confined(struct run *run, struct run_confined *confined);

/* The same in two parts, for callers that record by other means (experiment/experiment.h). The first makes the
   session. When all is recorded the second lists the tapes; `ends` are how the processes ended that
   have these tapes. It may be called again when more was recorded, for the new processes: all tapes
   are listed anew. */
struct run_end {
	uint32_t tape; /* index in run->recorded */
	const struct outcome *outcome;
};
MUST_USE struct hence_error *run_begin(struct run *run);
MUST_USE struct hence_error *run_finish(struct run *run, const struct run_end *ends,
                                        uint32_t count);

/* Adds a note to the account. */
void run_note(struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The outcome of the command itself. */
const struct outcome *run_outcome(const struct run *run);

/* '1,234,567' and '41.2 KB', appended. */
void run_add_number(struct str *out, uint64_t number);
void run_add_size(struct str *out, uint64_t bytes);

/* True if the program's stdin is a file or /dev/null. */
bool run_can_repeat(const struct run *run);

/* Where a process died, for execution_run(). False: it did not, or nobody knows. Valid as long as the
   outcome. */
bool record_death(const struct outcome *outcome, struct walk_place *out);

/* The recorded process for a slice; `death` is filled if it died. All three must outlive
   what is given. */
struct recording record_slice_run(const struct run *run, const struct run_tape *recorded,
                                  struct modules *modules, struct walk_place *death);

/* Why a slice may lack something, or be too large, as notes for the user: how many. `name` is its name, `result` what is made of
   it. Caller frees each. */
#define RECORD_DOUBTS 2
unsigned record_slice_doubts(const struct slice *slice, const char *name, const char *result,
                             char *notes[RECORD_DOUBTS]);

#endif
