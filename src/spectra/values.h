/*
 * Which lines of two recorded runs compute the same: the same instructions, the same number of times, with the same
 * values in the same order. Pointers do not count, since memory may lie elsewhere. Where a run that passes
 * computes the same at a line as the failing one, that line is hardly what makes the difference.
 */
#ifndef HENCE_SPECTRA_VALUES_H
#define HENCE_SPECTRA_VALUES_H

#include "base/error.h"
#include "trace/recording.h"

struct values;

/* Decodes the run once, in bounded memory. `stop` is called now and then; when it is true, *out is NULL. Caller frees with
   values_destroy(). */
MUST_USE struct hence_error *values_find(const struct recording *run, bool (*stop)(void *context),
                                         void *context, struct values **out);
void values_destroy(struct values *values);

/* Does the line compute the same in both runs? A line that one of them does not execute does not. */
bool values_same(const struct values *a, const struct values *b, const char *file, unsigned line);

#endif
