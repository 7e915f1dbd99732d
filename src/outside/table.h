/*
 * The binary table of models (runtime/outside_table.h), written and read side by side. The runtime
 * reads the same bytes in place with its own few lines; what is here is for hence itself: to write
 * the control file, and for the decoder to ask what an outside call did.
 */
#ifndef HENCE_OUTSIDE_TABLE_H
#define HENCE_OUTSIDE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "outside/models.h"
#include "runtime/outside_eval.h"
#include "runtime/outside_table.h"

/* The models as a table. Caller frees *bytes with free(). */
void outside_table_write(const struct outside_models *models, void **bytes, size_t *size);

/* Loads all models of a folder, then the files, and gives the table: all that `hence run` needs.
   Caller frees *bytes with free(). */
MUST_USE struct hence_error *outside_table_load(const char *folder, char *const *files,
                                                size_t file_count, void **bytes, size_t *size);

/* The function of that name; NULL: no model. Valid as long as the table. */
const struct outside_function *outside_table_find(const struct outside_table *table,
                                                  const char *name);

/* Function number `index`: hence_rt_import.model - 1. */
const struct outside_function *outside_table_function(const struct outside_table *table,
                                                      uint32_t index);

/* The clauses of a function, `clause_count` of them. A clause with `sources` is followed by that
   many rows of kind OUTSIDE_SOURCE. Valid as long as the table. */
const struct outside_clause *outside_table_clauses(const struct outside_table *table,
                                                   const struct outside_function *function);

/* The code of an expression, for outside_eval(). */
const struct outside_insn *outside_table_code(const struct outside_table *table, uint32_t code);

/* A name: of a function, or what its result names (`identity`). */
const char *outside_table_text(const struct outside_table *table, uint32_t text);

#endif
