/* Copies one file, directory (without what is in it) or link into a scratch directory. */
#ifndef HENCE_TRIAL_COPY_H
#define HENCE_TRIAL_COPY_H

#include <stddef.h>
#include <sys/stat.h>

#include "base/error.h"

/* Copies FROM/PATH to TO/PATH, with permissions and times; what cannot be read is left out. */
struct hence_error *trial_copy(const char *from, const char *to, const char *path,
                               const struct stat *info);

/* Writes a whole file, in place of whatever was there. */
struct hence_error *trial_write(const char *path, const void *bytes, size_t size, mode_t mode);

#endif
