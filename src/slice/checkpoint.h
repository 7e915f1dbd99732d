/*
 * Copies of this process, made in the middle of a decoding, that wait until they are asked to work
 * on from there. See slice.h.
 *
 * A copy shares the marks' bits with the others (marks.h); the rest of what it is given and of what
 * it finds goes through a pipe. It ends when it has answered, or when its parent ends or drops it.
 * It prints nothing, and touches no file but the tape that it reads.
 */
#ifndef HENCE_SLICE_CHECKPOINT_H
#define HENCE_SLICE_CHECKPOINT_H

#include "slice/backward.h"

struct checkpoint {
	pid_t process;
	int to, from;   /* pipes; the copy reads from `to` */
	uint32_t first; /* instance that it begins with */
};

/* What a copy is asked to do. */
struct checkpoint_work {
	uint64_t end; /* instance up to which it is to work */
	bool split;   /* that is more than one window */
};

/* Makes one. *copy: this is the copy, and it has been asked for *work; answer with
   checkpoint_answer(). */
struct hence_error *checkpoint_create(struct backward *b, uint32_t first, struct checkpoint *out,
                                      bool *copy, struct checkpoint_work *work);

/* Ends this process, which is a copy. Takes the error, NULL: it went well. */
_Noreturn void checkpoint_answer(struct backward *b, struct checkpoint *c,
                                 struct hence_error *error);

/* Has a copy work, with the marks as they are; they and what is found take up its answer. The
   checkpoint is gone then. */
struct hence_error *checkpoint_ask(struct checkpoint *c, struct backward *b,
                                   struct checkpoint_work work);

/* Ends a copy that is not needed. */
void checkpoint_drop(struct checkpoint *c);

#endif
