/*
 * Varied files: where they lie, and by which names the arguments of the program call them. A trial
 * finds a changed copy of each; an argument that would lead it past the copy, to the user's own
 * file, is made to name the copy.
 *
 * All to be asked in the user's working directory, while the files are there.
 */
#ifndef HENCE_TRIAL_WORKER_FILES_H
#define HENCE_TRIAL_WORKER_FILES_H

#include <stdbool.h>

#include "base/vec.h"
#include "trial/input.h"

/* One varied file. */
struct worker_file {
	const char *name; /* as the user wrote it */
	char *below;      /* its path below the working directory; NULL: it lies elsewhere */
	bool named;       /* by an argument */
	/* How arguments name it: these ends of them do not lead to `below` in a copy of the working
	   directory. */
	VEC(char *) names;
};

/* Looks at the file `name` and the arguments of the input. Caller frees with worker_file_deinit().
   `name` must live as long. */
void worker_file_init(struct worker_file *file, const char *name, const struct input *input);
void worker_file_deinit(struct worker_file *file);

/* The length of the end of the argument that must be replaced by the path of the copy; 0: the
   argument can stay as it is. */
size_t worker_file_match(const struct worker_file *file, const char *argument);

#endif
