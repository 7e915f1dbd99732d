/*
 * The first memory error of a run: an access outside of its object, a use of what is freed, a wrong free(), a use of a value that
 * was never initialised. The decoder notices them (trace/execution.h); here one becomes part of an explanation.
 *
 * A memory error is a failure by itself, and before another failure it is strong evidence: what a program does after it is
 * not what its source says.
 */
#ifndef HENCE_EXPLAIN_MEMORY_ERROR_H
#define HENCE_EXPLAIN_MEMORY_ERROR_H

#include "explain/illustrations.h"

/* Finds the first memory error before more than `printed` bytes of standard output were printed (UINT64_MAX: in the
   whole run). out->kind is NULL if there is none. A run that its history does not keep is decoded up to there, and if there is one
   a second time.
   `until` (CLOCK_MONOTONIC, in seconds; 0: none) limits the time: an error says that it was over. Caller frees with
   explanation_memory_error_deinit(). */
MUST_USE struct hence_error *memory_error_find(const struct recording *run, uint64_t printed,
                                               double until, struct explanation_memory_error *out);

/* Does another run of the program make the same error at the same place? */
MUST_USE struct hence_error *memory_error_recurs(const struct recording *run,
                                                 const struct explanation_memory_error *error,
                                                 double until, bool *out);

/* explanation.memory_error is the failure: it was seen, so the failure is explained even where nothing that led to it could be
   proven. */
void explain_memory_error(struct explanation *e);

/* Adds the lines that have to do with explanation.memory_error to the suspects. `cure`: an edit that was tried on several
   runs and with which the failing one does not make it; NULL: none is known. */
void memory_error_suspect(struct explanation *e, const struct explanation_fix *cure);

#endif
