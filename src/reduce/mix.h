/*
 * Inputs between two inputs: the difference of a passing and a failing input as units, each of which
 * can be as on the one side or as on the other. With no passing input the other side is nothing: a unit
 * is there or not. So a set of units (dd.h) is an input.
 *
 * Units are cut as a level says (levels.h). An argument that only one side has is a unit of its own,
 * beside the units of its text, which count only if it is there. So is a variable that is set on one
 * side only.
 */
#ifndef HENCE_REDUCE_MIX_H
#define HENCE_REDUCE_MIX_H

#include "dd/dd.h"
#include "reduce/levels.h"
#include "trial/input.h"

#define MIX_NONE UINT32_MAX /* no unit: the same in every input */

/* A stretch of bytes. */
struct mix_segment {
	const char *pass, *fail; /* on either side */
	size_t pass_size, fail_size;
	uint32_t unit; /* in the set: as in the failing input */
};

/* A part. */
struct mix_slot {
	const struct input_part *part;
	uint32_t unit; /* of an argument or variable that only one side has */
	bool only_failing;
	uint32_t from, count; /* of the segments */
	bool row;             /* that are side by side, as mix_apply() likes them */
};

struct mix {
	VEC(struct mix_slot) slots;
	VEC(struct mix_segment) segments;
	uint32_t units;
};

/* The units of the varied parts of an input. The error is that of level_cut(). Caller frees with
   mix_deinit(). The inputs must live as long. */
MUST_USE struct hence_error *mix_create(const struct input *failing, const struct level *level,
                                        struct mix *out);

/* The units of the difference. All parts but arguments are in both, in the same order. */
MUST_USE struct hence_error *mix_create_difference(const struct input *passing,
                                                   const struct input *failing,
                                                   const struct level *level, struct mix *out);
void mix_deinit(struct mix *mix);

/* The input with these units as in the failing one. Caller frees with input_deinit(). */
void mix_apply(const struct mix *mix, const struct dd_set *set, struct input *out);

/* Bytes in which the two sides of a difference differ, one more for an argument or variable that only one has. */
uint64_t mix_distance(const struct mix *mix);

#endif
