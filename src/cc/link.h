/* The link step: the user's line with our objects in it and the runtime library behind it. */
#ifndef HENCE_CC_LINK_H
#define HENCE_CC_LINK_H

#include "base/error.h"
#include "cc/clang.h"
#include "cc/words.h"

struct link_job {
	const char *runtime;            /* path of libhence_rt.a */
	const struct cc_words *objects; /* for each C input, in order: its object */
};

/* Links. *code is clang's exit code. */
MUST_USE struct hence_error *link_run(struct clang_run *run, const struct link_job *job, int *code);

#endif
