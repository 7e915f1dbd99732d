/* What `hence explain` and the commands of single methods share: the command line, the report. */
#ifndef HENCE_CLI_EXPLAIN_H
#define HENCE_CLI_EXPLAIN_H

#include "explain/explain.h"
#include "cli/report_options.h"

struct explain_command {
	struct explain_question question;
	struct report_options report;
	bool dual_slice;   /* of compare: that is printed instead of an explanation */
	const char *patch; /* of fix: file of --patch, or '-'; NULL: none */
	bool all_fixes;    /* of fix: --all */
};

/* Takes what the command line says; the method is one of --method if it is EXPLAIN_ALL. Valid as long as the options. */
struct options;
MUST_USE struct hence_error *explain_command_fill(struct options *options,
                                                  enum explain_method method,
                                                  struct explain_command *out);

/* To be called before the question is used: it points into the command, which must not move then. */
void explain_command_ready(struct explain_command *command);

/* A command of one method, which compiles no sources. *code is the exit code. */
MUST_USE struct hence_error *explain_command_run(struct options *options,
                                                 enum explain_method method, int *code);

/* explain_find(), after which the user is told why there is no explanation. *code is the exit code. */
MUST_USE struct hence_error *explain_ask(const struct explain_command *command,
                                         struct explanation *out, int *code);

/* Prints a finished explanation as the command says, and saves it. */
MUST_USE struct hence_error *explain_print(const struct explain_command *command,
                                           const struct explanation *explanation);

/* Writes it as JSON to the file of --save. */
MUST_USE struct hence_error *explain_save(const char *path, const struct explanation *explanation);

/* Prints the dual slice of the runs of a command instead of an explanation. */
MUST_USE struct hence_error *compare_print_slice(const struct explain_command *command, int *code);

/* Compiles options->sources into a scratch directory and makes the program what is to be explained. If *code is not 0
   it did not work: it is the exit code, and the compiler has said why. `confined`: the compiler can write to the scratch directory
   only, and its time is limited. Caller frees with explain_compiled_deinit(), after an error too. */
struct explain_compiled {
	struct trial_scratch *scratch;
	char *path;
	char *name;
	char **command;
};
MUST_USE struct hence_error *explain_compile(struct report_options *options, bool confined,
                                             struct explain_compiled *out, int *code);
void explain_compiled_deinit(struct explain_compiled *compiled);

#endif
