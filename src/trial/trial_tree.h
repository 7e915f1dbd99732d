/*
 * Copies of a directory that programs run in: made once, and put right after each run. What was
 * changed, is missing or is new is found by size, time of change, inode and permissions.
 */
#ifndef HENCE_TRIAL_TREE_H
#define HENCE_TRIAL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/map.h"
#include "base/vec.h"

/* A directory of more is not copied. */
#define TREE_MOST_BYTES (256ull << 20)
#define TREE_MOST_FILES 20000

struct trial_tree_entry {
	char *path; /* below the top */
	struct stat info;
	bool seen;
	bool free; /* the user of the copy writes it before each run */
};

MAP_DEFINE_STRING(trial_tree_map, uint32_t);

struct trial_tree {
	char *origin; /* what it is a copy of */
	char *path;
	VEC(struct trial_tree_entry) entries; /* a directory before what is in it */
	struct trial_tree_map map;            /* from paths to entries */
	bool removed;                         /* something, in this walk */
	bool replaced; /* by trial_tree_restore(): files that were there are others now */
};

/* Counts what is below a directory, without what hence keeps there; false: more than may be copied.
 */
bool trial_tree_measure(const char *path, uint64_t *bytes, uint32_t *files);

/* Copies the directory `from`; `to` does not exist before. Permissions and times are kept; files
   that cannot be read, devices and what hence keeps there are left out; links that lead out of `from` are made absolute. */
MUST_USE struct hence_error *trial_tree_copy(const char *from, const char *to);

/* Copies `origin`, which must stay as it is, and remembers how the copy looks. Caller frees with
   trial_tree_deinit(), which leaves the files. */
MUST_USE struct hence_error *trial_tree_create(const char *origin, const char *path,
                                               struct trial_tree *out);
void trial_tree_deinit(struct trial_tree *tree);

/* Says that one file is written anew before each run: its content need not be put right. */
void trial_tree_leave_free(struct trial_tree *tree, const char *path);

/* Makes the copy what it was. The error says what could not be put right. */
MUST_USE struct hence_error *trial_tree_restore(struct trial_tree *tree);

/* Copies one file, directory (without what is in it) or link into a scratch directory. */

/* Copies FROM/PATH to TO/PATH, with permissions and times; what cannot be read is left out. */
MUST_USE struct hence_error *trial_copy(const char *from, const char *to, const char *path,
                                        const struct stat *info);

/* Writes a whole file, in place of whatever was there. */
MUST_USE struct hence_error *trial_write(const char *path, const void *bytes, size_t size,
                                         mode_t mode);

#endif
