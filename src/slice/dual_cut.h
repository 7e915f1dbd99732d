/*
 * Which memory edges of a dual slice cross a point of the run. Each place in memory has the times from
 * which to which its values matter; of one place they do not overlap, but places may.
 */
#ifndef HENCE_SLICE_DUAL_CUT_H
#define HENCE_SLICE_DUAL_CUT_H

#include "slice/dual_walk.h"

/* Written before point `from`, and read behind point `to`. */
struct dual_life {
	uint64_t address, size;
	uint64_t from, to;
};

struct dual_cell {
	uint64_t address, size;
	uint64_t far;          /* the furthest end of this and all before it */
	uint32_t first, count; /* in `lives`, in order of time */
};

struct dual_cut {
	VEC(struct dual_life) lives;
	VEC(struct dual_cell) cells; /* by address */
};

void dual_cut_init(struct dual_cut *cut, const struct dual_run *run,
                   const struct dual_found *found);
void dual_cut_deinit(struct dual_cut *cut);
bool dual_cut_crosses(const struct dual_cut *cut, uint64_t time, uint64_t address, uint64_t size);

#endif
