/* `hence tree`: its options, its work, and how it is shown. */
#ifndef HENCE_CLI_TREE_H
#define HENCE_CLI_TREE_H

#include "causes/tree_report.h"
#include "cli/pair.h"
#include "cli/report_options.h"
#include "cli/tree_search.h"

#define TREE_LEVELS 3u  /* that are computed, if the user does not say */
#define TREE_SHOWN  30u /* causes that a text shows, as far as whole levels go */
#define TREE_DEPTH  2u  /* levels that it shows at least, if in part */

struct tree_command {
	struct report_options report;
	const char *check;       /* --check; NULL: none */
	uint64_t levels, nodes;  /* --levels, --nodes; 0: not given */
	uint64_t show;           /* --show; 0: not given */
	VEC(const char *) lists; /* --correct: names, separated by commas */
	const char *correct;     /* --correct-file */
	bool no_experiments;
	const char *smt; /* directory */
	bool interactive;
	const char *answers, *session; /* files */
};

/* Caller frees *out with tree_command_deinit(). */
struct hence_error *tree_command_parse(int argc, char **argv, struct tree_command *out);
void tree_command_deinit(struct tree_command *command);

/* --- functions that are designated correct --- */

struct tree_correct {
	VEC(char *) names;
};

/* What the command says, and the file of that name in the working directory. Caller frees with
   tree_correct_deinit(), after an error too. */
struct hence_error *tree_correct_read(const struct tree_command *command, struct tree_correct *out);
void tree_correct_deinit(struct tree_correct *correct);
bool tree_correct_has(const struct tree_correct *correct, const char *function);

/* --- the work --- */

/* All that is made on the way. */
struct tree_run {
	const struct tree_command *command;
	struct pair pair;
	struct violation_check check;
	struct tree_correct correct;
	struct tree_search search;
	struct explain_sources *sources;
	struct cause_tree report;
};

/* Builds the tree of the command and prints it, or walks through it with the user. *code is the exit code. */
struct hence_error *tree_perform(const struct tree_command *command, int *code);

/* Computes what is below a cause, describes and tries it, and makes the report anew. */
struct hence_error *tree_run_expand(struct tree_run *run, uint32_t number);

/* Writes the conjuncts of each cause into files of the directory command->smt. */
struct hence_error *tree_write_smt(const struct tree_command *command, const struct tree *tree);

/* Prints the tree as the command says; `chosen`: the way to that cause; 0: all. */
struct hence_error *tree_print(const struct tree_run *run, uint32_t chosen);

/* The same for any tree: text down to `show` levels (0: as many as fit), or another format of options->format. */
void tree_print_report(const struct cause_tree *tree, const struct report_options *options,
                       uint64_t show, uint32_t chosen, FILE *file);

/* Walks through the tree with the user. */
struct hence_error *tree_talk(struct tree_run *run, int *code);

#endif
