/* Which lines a recorded run executed: from the path that its tape has, without any values. */
#ifndef HENCE_SPECTRA_EXECUTED_H
#define HENCE_SPECTRA_EXECUTED_H

#include "base/error.h"
#include "trace/recording.h"

/* Calls `tell` for each line with a statement that was executed, once or more; texts are valid as long as it is told.
   The end of a function that returns nothing is no statement. Nothing is told after an error. */
MUST_USE struct hence_error *executed_lines(const struct recording *run,
                                            void (*tell)(void *context, const char *file,
                                                         unsigned line, const char *function),
                                            void *context);

#endif
