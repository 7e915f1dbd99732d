/*
 * Where an explanation comes from, for its report: the program and its command, what it was compared with, and the recipe to run
 * it all again.
 */
#ifndef HENCE_EXPLAIN_PROVENANCE_H
#define HENCE_EXPLAIN_PROVENANCE_H

#include "explain/references.h"

/* The input as a command line: './prog 9 8 7'. Caller frees. */
char *references_command_text(const struct references *pair, const struct input *input);

/* Sets the program, command, failure and reference of an explanation, and adds the notes. */
struct explanation;
void references_describe(const struct references *pair, struct explanation *out);

/* How to run it again, for verify and gdb: report/recipe.h. NULL: that cannot be told, since a file has gone. Caller
   frees with recipe_destroy(). */
struct recipe *references_recipe(const struct references *pair);

/* Sets what the explanation took since `began` (of budget_clock()): the time, and what was decoded and walked. */
void report_set_work(double began, struct explanation *out);

/* Adds the command line of this process to the report. */
void report_add_invocation(struct explanation *out);

#endif
