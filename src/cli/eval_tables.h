/* Inside of eval_tables*.c: each prints a table, or nothing when no case has anything for it. */
#ifndef HENCE_CLI_EVAL_TABLES_H
#define HENCE_CLI_EVAL_TABLES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

void eval_print_chops(const json_t *cases, FILE *file);
void eval_print_chains(const json_t *cases, FILE *file);
void eval_print_trees(const json_t *cases, FILE *file);
void eval_print_edits(const json_t *cases, FILE *file);

/* A line for each case; and one for each thing that went wrong. */
void eval_print_cases(const json_t *cases, FILE *file);
void eval_print_trouble(const json_t *cases, FILE *file);

/* A member of an object; 0 or "" when it is not there. */
double eval_number(const json_t *object, const char *key);
const char *eval_text(const json_t *object, const char *key);
bool eval_state_is(const json_t *object, const char *state);

/* The row of a method in a case; NULL: it was not asked. */
const json_t *eval_row(const json_t *one, const char *method);

/* Does the row count? It does not when the program did not fail, or nobody waited for the answer. */
bool eval_counts(const json_t *row);

/* A text so that it stays in its cell, and is nothing but text. */
void eval_print_cell(FILE *file, const char *text);

#endif
