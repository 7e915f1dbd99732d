/*
 * The program with one edit in force, so that a run of it can be recorded, decoded and experimented with like any
 * other: a reference that has the same input as the failing run, and differs from it by the edit alone.
 */
#ifndef HENCE_EDIT_EDITED_H
#define HENCE_EDIT_EDITED_H

#include "edit/edit.h"
#include "trace/recording.h"
#include "trial/trial_scratch.h"

struct edited {
	struct edit_module module; /* with the edit in it */
	struct modules *modules;   /* for recordings of it */
	struct recording_edit edit;
	struct image image;
	struct trial_scratch scratch;
	char *path; /* of the image, for struct trials_options */
	char *symbols; /* of an object for gdb's add-symbol-file; NULL: no code is new, or nobody wants it */
};

/* `run` is a recording of the program as it is; `name` is that of an edit (edit_name()). The error says so when there
   is no such edit, or when it cannot be recorded. `debug`: keep what a debugger needs. Caller frees with edited_destroy(). */
MUST_USE struct hence_error *edited_create(const struct recording *run, const char *name,
                                           bool debug, struct edited **out);
void edited_destroy(struct edited *edited);

#endif
