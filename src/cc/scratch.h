/* A temporary directory with everything in it removed at the end. */
#ifndef HENCE_CC_SCRATCH_H
#define HENCE_CC_SCRATCH_H

#include "base/error.h"

/* Makes a directory NAME-XXXXXX below $TMPDIR or /tmp. Caller frees with scratch_remove(). */
MUST_USE struct hence_error *scratch_create(const char *name, char **path);

/* Removes the directory with all that is in it, and frees the path. NULL is fine. */
void scratch_remove(char *path);

/*
 * Puts a finished file where the user wants it: '-' is standard output, and what is no plain file
 * (/dev/null) is written to, never replaced. After a failed write no part of the file is left.
 */
MUST_USE struct hence_error *scratch_deliver(const char *file, const char *target);

/* Removes what an earlier call left at `target`, if that is a plain file: after a failure there
   shall be no output that looks made. */
void scratch_retract(const char *target);

#endif
