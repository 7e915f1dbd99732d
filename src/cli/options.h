/*
 * The command line: one table, in options.c, has a row for each option with its name, its value, the subcommands that have it and
 * its line of --help. Reading a command line, --help, completion and 'did you mean' come from it.
 *
 * A new option is a field here and a row there; its command finds the value in the field.
 */
#ifndef HENCE_CLI_OPTIONS_H
#define HENCE_CLI_OPTIONS_H

#include "cli/commands.h"
#include "cli/report_options.h"
#include "slice/slice.h"

/* What the command lines of all subcommands say. What is not given is 0 or NULL, if nothing else is said. */
struct options {
	struct report_options
		report; /* what fails, how it is recorded, how the answer is printed */
	/* What stands after the options, or after '--'. Of commands that run a program it is the command, which
	   report.failure.command and report.run.command are as well, or words for the compiler (report.sources). */
	char **words;
	VEC(const char *) operands; /* of show, verify, gdb and eval: what else they are given */
	bool help;

	/* --- of several commands --- */
	bool as_given;     /* --no-reduce */
	bool relevant;     /* also branches that could have mattered */
	bool all;          /* of fix: changes; of switch: branches */
	bool anyway;       /* a program that was rebuilt will do */
	uint64_t process;  /* of several that were recorded; 0: the first */
	const char *tests; /* file */
	char *file;        /* of a place FILE:LINE */
	unsigned line;

	/* --- explain and the commands of single methods --- */
	int method;    /* index in the words of --method */
	int algorithm; /* likewise */
	bool no_edits;
	bool all_points;                         /* of transitions */
	bool dual_slice, no_rails, exact, count; /* of compare */
	const char *against;                     /* of chain: file */
	const char *patch;                       /* of fix: file, or '-' */

	/* --- chop, switch --- */
	bool isolate;
	bool first;

	/* --- trace --- */
	const char *function;
	const char *variable;
	uint64_t from, to; /* statements; 0: from the first, to the last */
	bool check;        /* the decoder */

	/* --- slice --- */
	const char *at_variable; /* of --at FILE:LINE:VARIABLE */
	int64_t instance;        /* 0: not given */
	bool has_output;         /* --output is given: */
	const char *stream;      /* NULL: standard output */
	uint64_t byte;
	bool forward, data;
	VEC(struct slice_input) inputs; /* where a forward slice begins */
	uint64_t depth;                 /* of the graph; 0: not given */

	/* --- tree --- */
	const char *condition; /* --check */
	uint64_t levels, nodes;
	uint64_t show;             /* levels */
	VEC(const char *) correct; /* functions, several with commas between them */
	const char *correct_file;
	bool no_experiments;
	const char *smt; /* directory */
	bool interactive;
	const char *answers, *session; /* files */

	/* --- rank --- */
	int formula;
	uint64_t failing; /* number of a test */
	uint64_t most;    /* lines */
	bool no_explain;

	/* --- verify, gdb --- */
	uint64_t step;
	bool reference, batch;

	/* --- eval --- */
	const char *methods, *only, *reports, *tables, *program;
	double build_time;

	VEC(char *) texts; /* parts of words that fields above point to */
};

/* Reads the words of a command line, without the name of the command, and checks whether the options go together. Caller frees
   with options_deinit(), after an error too; `options` begins as {0}. */
MUST_USE struct hence_error *options_read(const struct command *command, char **words,
                                          struct options *options);
void options_deinit(struct options *options);

/* Prints what `hence COMMAND --help` shows. */
void options_print_help(const struct command *command, FILE *file);

/* For completion: a line 'NAME <tab> words that it takes, if they are a few <tab> help' for each option. */
void options_print_list(const struct command *command, FILE *file);

#endif
