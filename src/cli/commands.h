/* The subcommands: one file each in this folder, listed in one table in main.c. */
#ifndef HENCE_CLI_COMMANDS_H
#define HENCE_CLI_COMMANDS_H

#include <stddef.h>

#include "base/error.h"

/* Each takes its own arguments (argv[0] is the subcommand's name) and returns the exit code. */
int command_cc(int argc, char **argv);
int command_build(int argc, char **argv);
int command_run(int argc, char **argv);
int command_trace(int argc, char **argv);
int command_explain(int argc, char **argv);
int command_fix(int argc, char **argv);
int command_transitions(int argc, char **argv);
int command_chain(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_chop(int argc, char **argv);
int command_slice(int argc, char **argv);
int command_switch(int argc, char **argv);
int command_tree(int argc, char **argv);
int command_reduce(int argc, char **argv);
int command_show(int argc, char **argv);
int command_verify(int argc, char **argv);
int command_gdb(int argc, char **argv);
int command_rank(int argc, char **argv);
int command_eval(int argc, char **argv);

/* Exit codes beside those of errors (enum hence_error_kind). */
enum cli_exit {
	CLI_DONE = 0,
	CLI_DOES_NOT_FAIL = 1, /* there is nothing to explain */
	CLI_NOT_PROVEN = 3,    /* it fails, and what is known is told, but it is incomplete */
};

/* Prints 'hence: MESSAGE' to stderr, frees the error, and returns the exit code that fits it. */
int cli_fail(struct hence_error *error);

/* Where libhence_rt.a and the folder of *.model files are: beside the running hence executable as
   in the build tree, else in ../lib/hence and ../share/hence as installed. Never NULL: when they
   are in neither place it is the installed one, for the message of whoever opens it. Valid for the
   whole run. */
const char *cli_runtime_library(void);
const char *cli_models_folder(void);

/* The running executable itself, with links resolved. Valid for the whole run. */
const char *cli_executable(void);

/* The one of `count` names that `word` was most likely meant to be; NULL when none is near. */
const char *cli_nearest(const char *word, const char *const *names, size_t count);

#endif
