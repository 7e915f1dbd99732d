/*
 * Failure-inducing chops (M1): the code between the part of the input that matters and the failure.
 *
 *	backward   statements that the failure came from
 *	forward    statements that the failure-inducing input went to
 *	chop       those in both, and those of the backward slice whose values come from no input at
 *	           all: a wrong constant would be lost otherwise
 *
 * Sets of statements are sets of instructions (struct code): a statement is in both slices when
 * some instance of it is in the one and some instance in the other.
 */
#ifndef HENCE_METHODS_CHOP_H
#define HENCE_METHODS_CHOP_H

#include "slice/slice.h"

struct chop {
	struct slice backward;
	struct slice forward;
	roaring_bitmap_t *codes; /* instructions of the chop */
	roaring_bitmap_t
		*independent; /* those of them that are in it because no input reaches them */
};

/* What decides between pass and fail is `inputs`. Caller frees with chop_deinit(). */
MUST_USE struct hence_error *chop_compute(const struct recording *run,
                                          const struct slice_criterion *criteria, uint32_t count,
                                          const struct slice_input *inputs, uint32_t input_count,
                                          const struct slice_options *options, struct chop *out);
void chop_deinit(struct chop *chop);

#endif
