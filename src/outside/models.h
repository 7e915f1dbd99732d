/*
 * Models of outside functions: what .model files say, read into the rows of the binary table
 * (runtime/outside_table.h) but still open for more files. Entries of a later file replace those of
 * an earlier one. The language is described in docs/models.md.
 */
#ifndef HENCE_OUTSIDE_MODELS_H
#define HENCE_OUTSIDE_MODELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "runtime/outside_table.h"

struct outside_models {
	VEC(struct outside_function) functions; /* one for each name */
	VEC(uint32_t) files;                    /* for each function: number of its file */
	VEC(struct outside_clause) clauses;
	VEC(struct outside_insn) insns;
	VEC(char) text;
	VEC(uint32_t) slots; /* hash of the names: 1 + index of a function */
	uint32_t file_count;
};

/* No models yet. */
void outside_models_init(struct outside_models *models);
void outside_models_deinit(struct outside_models *models);

/* Adds the models in a text. `name` stands for the file in messages. After an error the models
   hold what came before the wrong entry and can only be freed. */
MUST_USE struct hence_error *outside_models_add_text(struct outside_models *models,
                                                     const char *name, const char *text,
                                                     size_t size);

/* The same for a file. */
MUST_USE struct hence_error *outside_models_add_file(struct outside_models *models,
                                                     const char *path);

/* Adds libc.model of the folder, which must be there, then its other *.model files by name. */
MUST_USE struct hence_error *outside_models_add_folder(struct outside_models *models,
                                                       const char *folder);

/* Index of the function of that name; -1: none. */
int64_t outside_models_find(const struct outside_models *models, const char *name);

/* For the parser: appends a string and gives its place in `text`. */
uint32_t outside_models_text(struct outside_models *models, const char *text, size_t size);

/* For the parser: adds a function, or replaces the one of that name from an earlier file. False
   when this file has it already. */
bool outside_models_put(struct outside_models *models, const struct outside_function *function);

#endif
