/*
 * The directory that sessions are made in: which one, how much space it has; and locks that tell
 * what killed hence processes left there: sessions, scratch directories of trials.
 */
#ifndef HENCE_RUN_FOLDER_H
#define HENCE_RUN_FOLDER_H

#include <stdint.h>

#include "base/error.h"

/* Chooses the directory and says how much space a tape may take there. Caller frees *out. */
MUST_USE struct hence_error *folder_choose(char **out, uint64_t *space);

/* Calls `remove` for each directory of this user in `folder` that is named like mkdtemp() does, behind
   this prefix, and whose hence is dead: nobody holds its lock. */
void folder_remove_stale(const char *folder, const char *prefix, void (*remove)(const char *path));

/* Locks a new directory as long as this process, or one that inherits the descriptor, lives. The
   descriptor; -1 with errno. */
int folder_lock(const char *path);

/* Removes a directory and its files. Uses system calls only, so a signal handler may call it. */
void folder_remove(const char *path);

#endif
