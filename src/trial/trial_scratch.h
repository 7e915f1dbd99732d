/*
 * The directory that trials may write to: one for a pool, with a part for each of its workers.
 *
 *	FOLDER/hence-trials-XXXXXX/lock     locked while hence or one of its workers lives
 *	                          /origin/  the working directory as it was, if it had to be copied
 *	                          /0/ /1/   the parts of the workers
 *
 * FOLDER is $HENCE_TAPE_DIR, else /dev/shm, $TMPDIR or /tmp, the first where programs can be
 * executed and files written. A worker removes its part when hence is gone, however it went, and a
 * guard (run/guard.h) the rest; what is left when all were killed is removed by the next hence.
 */
#ifndef HENCE_TRIAL_SCRATCH_H
#define HENCE_TRIAL_SCRATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "run/guard.h"

#define TRIAL_SCRATCH_PREFIX "hence-trials-"

struct trial_scratch {
	char *path;
	int lock;
	struct guard guard;
};

/* Makes the directory, and removes those of dead pools. Caller frees with
   trial_scratch_destroy(). */
MUST_USE struct hence_error *trial_scratch_create(struct trial_scratch *out);

/* Removes the directory with all that is in it. */
void trial_scratch_destroy(struct trial_scratch *scratch);

/* Removes `part`, the path of a worker's part, and the whole directory if no other is left. */
void trial_scratch_leave(const struct trial_scratch *scratch, const char *part);

/* Bytes that may still be written there. */
uint64_t trial_scratch_space(const struct trial_scratch *scratch);

/* Removes a file, or a directory with all that is in it, whatever its permissions. Symbolic links
   are not followed. 0, or -1 with errno. */
int trial_scratch_remove(const char *path);

#endif
