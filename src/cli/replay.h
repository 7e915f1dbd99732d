/* A saved report whose runs are made again: the report, and what it needs to be run. For `hence verify` and `hence gdb`. */
#ifndef HENCE_CLI_REPLAY_H
#define HENCE_CLI_REPLAY_H

#include "cli/explain.h"
#include "explain/references.h"
#include "report/explanation.h"
#include "report/recipe.h"

struct replay {
	struct explanation report;
	const struct recipe *recipe; /* of the report */
	struct failure_options options;
	struct run_options run;
	struct explain_compiled compiled; /* if the report was made of sources */
	char *program;                    /* path of what is run */
	char *command[2];  /* its name, as it is printed; arguments are in the recipe */
	char *recorded[2]; /* and its path */
};

/* Reads the report that the options name, checks whether the program is the same as then, goes to the folder in which it ran, and
   performs what the command does with it. options->anyway: a program that was rebuilt will do; report.failure.unconfined: a
   report that was made without confinement may be run so again. A report may be somebody else's: errors say nothing that
   would harm a terminal. *code is the exit code. */
struct options;
MUST_USE struct hence_error *
replay_run(const struct options *options, const char *path,
           struct hence_error *(*perform)(const struct options *options, struct replay *replay,
                                          int *code),
           int *code);

/* A pair of runs for references_repeat(); `alone`: only the failing one; `given`: with the input as it was given. It must not move. Caller frees with references_deinit(). */
void replay_begin(struct replay *replay, bool alone, bool given, struct references *out);

#endif
