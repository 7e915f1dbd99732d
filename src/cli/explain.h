/* What `hence explain` and the commands of single methods share: the command line, the work, the report. */
#ifndef HENCE_CLI_EXPLAIN_H
#define HENCE_CLI_EXPLAIN_H

#include "methods/chain_quality.h"
#include "cli/report_options.h"

enum explain_method {
	EXPLAIN_ALL,
	EXPLAIN_TRANSITIONS,
	EXPLAIN_CHAIN,
	EXPLAIN_COMPARE,
	EXPLAIN_TREE, /* the failing run alone */
	EXPLAIN_FIX,  /* of `hence fix` only: edits of the code */
};

struct suite_test;

struct spectra;
struct explain_command {
	enum explain_method method; /* which one was asked for */
	struct report_options report;
	bool as_given; /* --no-reduce */
	bool no_edits;
	bool all_points;
	bool hierarchical;                       /* --algorithm */
	bool dual_slice, no_rails, exact, count; /* of compare */
	const char *tests;                       /* file of --tests; NULL: none */
	/* Of rank: the tests of the program that are known to pass or fail, which are read already. NULL: `tests` says. */
	const struct suite_test *const *known;
	uint32_t known_count;
	const struct spectra *spectra; /* of the tests; NULL: there are none */
	double started;      /* time from which --time counts; 0: from explain_find() on */
	const char *patch;   /* of fix: file of --patch, or '-'; NULL: none */
	bool all_fixes;      /* of fix: --all */
	const char *against; /* the report of an ideal chain; NULL: none */
	struct chain_statements ideal; /* what it has */
	bool memory;                   /* what is printed or saved has memory graphs */
	bool sources;                  /* the same: lines of source around all places */
};

/* Takes what the command line says; the method is one of --method if it is EXPLAIN_ALL. Valid as long as the options. */
struct options;
struct hence_error *explain_command_fill(struct options *options, enum explain_method method,
                                         struct explain_command *out);

/* A command of one method, which compiles no sources. *code is the exit code. */
struct hence_error *explain_command_run(struct options *options, enum explain_method method,
                                        int *code);

/* What the tests of --tests execute, as far as there is time; *missed are those of which it is not known. Without --tests
   nothing. `started` must be set. Caller frees with spectra_deinit(). */
struct hence_error *explain_find_spectra(const struct explain_command *command, struct spectra *out,
                                         uint32_t *missed);

/* Finds the runs and compares them. *code is the exit code; if it is neither CLI_DONE nor CLI_NOT_PROVEN with a verdict in
   `out`, there is no explanation, and the user was told why. Caller frees with explanation_deinit(). */
struct explanation;
struct hence_error *explain_find(const struct explain_command *command, struct explanation *out,
                                 int *code);

/* The same, and prints the report. */
struct hence_error *explain_perform(const struct explain_command *command, int *code);

/* Prints a finished explanation as the command says, and saves it. */
struct hence_error *explain_print(const struct explain_command *command,
                                  const struct explanation *explanation);

/* Writes it as JSON to the file of --save. */
struct hence_error *explain_save(const char *path, const struct explanation *explanation);

/* Adds the command line of this process to the report. */
void explain_add_invocation(struct explanation *out);

/* Prints the dual slice of a pair of runs instead of an explanation. */
struct pair;
struct hence_error *compare_print_slice(const struct explain_command *command, struct pair *pair);

/* Adds how good the chain is, measured against command->ideal: a note, and 'quality' in the JSON. */
void chain_add_quality(const struct explain_command *command, struct explanation *out);

/* --- explain_pair.c --- */

/* What a pair of runs that was found tells: all methods, as one explanation. Caller frees with
   explanation_deinit(). */
struct pair;
void explain_pair(const struct explain_command *command, struct pair *pair,
                  struct explanation *out);

/* The note about a reference that nobody knows to be right. */
extern const char explain_doubt[];

/* --- explain_alone.c --- */

/* Adds the cause tree of the failing run, if the explanation has none: its steps, if nothing is proven otherwise, or
   else what it has in addition. */
void explain_alone(const struct explain_command *command, struct pair *pair,
                   struct explanation *out);

/* Compiles options->sources into a scratch directory and makes the program what is to be explained. If *code is not 0
   it did not work: it is the exit code, and the compiler has said why. `confined`: the compiler can write to the scratch directory
   only, and its time is limited. Caller frees with explain_compiled_deinit(), after an error too. */
struct explain_compiled {
	struct trial_scratch *scratch;
	char *path;
	char *name;
	char **command;
};
struct hence_error *explain_compile(struct report_options *options, bool confined,
                                    struct explain_compiled *out, int *code);
void explain_compiled_deinit(struct explain_compiled *compiled);

#endif
