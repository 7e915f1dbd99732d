/*
 * Guard rails for hybrids of two runs (M4): so that a run with values of the other never leaves the control
 * flow of both. Where both runs went the same way at an aligned branch, the hybrid goes it; where
 * they went different ways, it goes as the program says, which must be one of the two; where only one of
 * the runs has the branch, the hybrid goes as that run went.
 *
 * Each run has a list of its own. Where the runs parted without a branch (a call through a pointer, a
 * computed goto, a callback of outside code) the next branch tells which way the hybrid went; if both
 * ways begin with the same one, it is taken to be the own. Of two versions of a program, a way of the
 * other run that this version does not have ends the rails.
 */
#ifndef HENCE_ALIGN_RAILS_H
#define HENCE_ALIGN_RAILS_H

#include "align/align.h"
#include "experiment/experiment.h"

struct rails;

/* For hybrids of the first run, and of the second when `second`. Walks both runs. Caller frees with
   rails_destroy(). */
MUST_USE struct hence_error *rails_create(const struct recording *a, const struct recording *b,
                                          const struct alignment *alignment, bool second,
                                          struct rails **out);
void rails_destroy(struct rails *rails);

const struct rail *rails_all(const struct rails *rails, uint32_t *count);

/* The entry of the first branch at or behind that point of its run, which is aligned. */
uint32_t rails_at(const struct rails *rails, uint64_t time);

#endif
