/* The subcommands: one file each in this folder, listed in main.c. */
#ifndef HENCE_CLI_COMMANDS_H
#define HENCE_CLI_COMMANDS_H

#include <stddef.h>

#include "base/error.h"

/* Each subcommand with options of ours, for the table of options. */
enum command_bit {
	COMMAND_EXPLAIN = 1u << 0,
	COMMAND_FIX = 1u << 1,
	COMMAND_RUN = 1u << 2,
	COMMAND_TRACE = 1u << 3,
	COMMAND_SLICE = 1u << 4,
	COMMAND_CHOP = 1u << 5,
	COMMAND_TRANSITIONS = 1u << 6,
	COMMAND_CHAIN = 1u << 7,
	COMMAND_COMPARE = 1u << 8,
	COMMAND_SWITCH = 1u << 9,
	COMMAND_TREE = 1u << 10,
	COMMAND_REDUCE = 1u << 11,
	COMMAND_RANK = 1u << 12,
	COMMAND_SHOW = 1u << 13,
	COMMAND_VERIFY = 1u << 14,
	COMMAND_GDB = 1u << 15,
	COMMAND_EVAL = 1u << 16,
};

struct options;

struct command {
	const char *name;
	enum command_bit bit;
	unsigned formats;    /* that it prints: 1 << REPORT_TEXT and so on */
	const char *usage;   /* lines without the last end */
	const char *summary; /* one line, for the list */
	const char *about;   /* what --help says before the options: lines */
	/* Does the work after the options were read. *code is the exit code. */
	struct hence_error *(*run)(struct options *options, int *code);
	/* Before options are read, if it is there: takes all arguments (argv[0] is the name) and returns the exit code; -1: go on with the options. */
	int (*raw)(int argc, char **argv);
};

extern const struct command command_explain, command_fix, command_run, command_trace, command_slice,
	command_chop, command_transitions, command_chain, command_compare, command_switch,
	command_tree, command_reduce, command_rank, command_show, command_verify, command_gdb,
	command_eval;

int command_cc(int argc, char **argv);
int command_build(int argc, char **argv);

/* Exit codes beside those of errors (enum hence_error_kind). */
enum cli_exit {
	CLI_DONE = 0,
	CLI_DOES_NOT_FAIL = 1, /* there is nothing to explain */
	CLI_NOT_PROVEN = 3,    /* it fails, and what is known is reported, but it is incomplete */
};

/* Runs a subcommand: reads its options, prints the help or does the work, reports an error. argv[0] is its name. Returns the
   exit code. */
int cli_run(const struct command *command, int argc, char **argv);

/* Says to the user why there is nothing to explain, and gives the exit code; CLI_DONE if there is. */
struct refused;
int cli_refused(const struct refused *refused);

/* The same of a search through inputs. The other takes its progress away when it ends, and prints its note. */
struct failure_options;
struct reduce_result;
struct search;
int cli_refuse_search(const struct failure_options *options, const struct reduce_result *result);
void cli_end_search(const struct search *search, const struct reduce_result *result);

/* The exit code after all was printed; another one if that failed. */
int cli_finish(int code);

/* Prints 'hence: MESSAGE' to stderr, frees the error, and returns the exit code that fits it. */
int cli_fail(struct hence_error *error);

/* The one of `count` names that `word` was most likely meant to be; NULL when none is near. */
const char *cli_nearest(const char *word, const char *const *names, size_t count);

#endif
