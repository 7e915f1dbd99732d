/*
 * What a slice has found so far: bits for the instances of a run, and byte ranges for those that
 * copy.
 *
 * The bits are shared by all processes that work on one slice, so that a forked copy of the decoder
 * need not send back what it found (checkpoint.h). Ranges are each process's own.
 */
#ifndef HENCE_SLICE_MARKS_H
#define HENCE_SLICE_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/map.h"
#include "base/vec.h"
#include "slice/slice.h"
#include "trace/execution.h"

/* Bytes that a copy or an outside call wrote and that matter. */
struct marks_ranges {
	VEC(struct execution_range) at;
	uint32_t sorted; /* so many of them are in order and apart */
	bool whole;      /* all bytes */
};

MAP_DEFINE_U64(marks_map, struct marks_ranges);

struct marks {
	uint64_t *in;     /* is in the slice */
	uint64_t *want;   /* also what it came from (forward: its value, or all that it wrote) */
	uint64_t *values; /* by its value, not by what it wrote: see backward.c */
	uint64_t *codes;  /* instructions of the instances that are in it */
	struct marks_map ranges;
};

MUST_USE struct hence_error *marks_init(struct marks *marks);
void marks_deinit(struct marks *marks);

static inline bool marks_has(const uint64_t *bits, uint32_t at)
{
	return bits[at / 64] >> at % 64 & 1;
}

static inline void marks_set(uint64_t *bits, uint32_t at)
{
	bits[at / 64] |= 1ull << at % 64;
}

/* The first bit from `from` on, but before `end`, that is set; `end`: none. */
uint32_t marks_next(const uint64_t *bits, uint32_t from, uint32_t end);

/* These bytes of what the instance wrote matter. `size` 0: all. */
void marks_add_range(struct marks *marks, uint32_t instance, uint64_t at, uint64_t size);

/* The ranges of an instance, in order and apart. NULL: none. Valid until the next one is added. */
const struct marks_ranges *marks_ranges(struct marks *marks, uint32_t instance);

/* Does one of them touch these bytes? */
bool marks_touch(struct marks *marks, uint32_t instance, uint64_t at, uint64_t size);

/* Forgets the ranges of instances from `from` on. */
void marks_drop_ranges(struct marks *marks, uint32_t from);

/* --- what backward and forward slices share --- */

/* How many instances a window of this run may have. */
uint32_t slice_window(const struct recording *run);

/* Outside calls that called back (indices for execution_call()), in the order of their return. */
struct slice_calls {
	VEC(uint32_t) at;
};

/* Those that returned in what is kept; caller frees out->at with vec_deinit(). */
void slice_find_spanning(const struct execution *e, struct slice_calls *out);

/* Adds the marked instructions that end a statement, and those that store or return a constant. */
void slice_classify(const struct code *code, const struct marks *marks, roaring_bitmap_t *ends,
                    roaring_bitmap_t *constants);

/* Fills in the bitmaps of a slice, of instances before `end` and instructions before `codes`. */
void slice_collect(const struct marks *marks, uint32_t end, uint32_t codes, struct slice *out);

#endif
