/* A saved report whose runs are made again: the report, and what it needs to be run. For `hence verify` and `hence gdb`. */
#ifndef HENCE_CLI_REPLAY_H
#define HENCE_CLI_REPLAY_H

#include "cli/explain.h"
#include "cli/pair.h"
#include "report/explanation.h"
#include "report/recipe.h"

struct replay {
	struct explanation report;
	const struct recipe *recipe; /* of the report */
	struct failure_options options;
	struct run_options run;
	struct explain_compiled compiled; /* if the report was made of sources */
	char *program;                    /* path of what is run */
	char *command[2];                 /* its name, as it is told; arguments are in the recipe */
	char *recorded[2];                /* and its path */
};

/* What the user says may be done. A report may be somebody else's. */
struct replay_trust {
	bool anyway;     /* a program that was rebuilt will do */
	bool unconfined; /* a report that was made without confinement may be run so again */
};

/* Reads the report, looks whether the program is the same as then, and goes to the folder in which it ran. *code is not 0 if the sources of the program could not be compiled, which the compiler has told: it is the exit
   code. Caller frees with replay_deinit(), after an error too. */
struct hence_error *replay_open(const char *path, const struct replay_trust *trust,
                                struct replay *out, int *code);
void replay_deinit(struct replay *replay);

/* What a command does with such a report. */
struct replay_command {
	const char *const *path; /* of the report, as the command line has it */
	const struct replay_trust *trust;
	struct hence_error *(*perform)(void *context, struct replay *replay, int *code);
	void *context;
};

/* After the command line was read, which gave this error or NULL: prints the help that was asked for (NULL: it was not), or
   opens the report and performs. Gives the exit code. */
int replay_run(struct hence_error *error, const char *help, const struct replay_command *command);

/* A pair of runs for pair_repeat(); `alone`: only the failing one; `given`: with the input as it was given. It must not move. Caller frees with pair_deinit(). */
void replay_begin(struct replay *replay, bool alone, bool given, struct pair *out);

#endif
