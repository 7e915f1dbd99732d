/*
 * The directory that sessions are made in: which one, how much space it has, and the removal of
 * sessions from it, also of those that killed hence processes left behind.
 */
#ifndef HENCE_RUN_FOLDER_H
#define HENCE_RUN_FOLDER_H

#include <stdint.h>

#include "base/error.h"

/* Chooses the directory and says how much space a tape may take there. Caller frees *out. */
struct hence_error *folder_choose(char **out, uint64_t *space);

/* Removes sessions of this user in `folder` whose hence is dead. */
void folder_remove_stale(const char *folder);

/* Removes a directory and its files. Uses system calls only, so a signal handler may call it. */
void folder_remove(const char *path);

#endif
