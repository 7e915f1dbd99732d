/*
 * A place to throw output away that looks like the one it stands for: libc buffers differently for
 * a terminal, so a program that runs again must see the same kind of file.
 */
#ifndef HENCE_RUN_DISCARD_H
#define HENCE_RUN_DISCARD_H

#include "base/error.h"

/* Opens a terminal, pipe, file or /dev/null, whichever `like` is. Files are made in `folder` and
   have no name. What is written to a terminal or pipe is read by a thread until all writers are
   gone. Caller closes *out. */
MUST_USE struct hence_error *discard_open(int like, const char *folder, int *out);

#endif
