/* Inside the slicer: what backward and forward slices share. */
#ifndef HENCE_SLICE_WORK_H
#define HENCE_SLICE_WORK_H

#include "slice/marks.h"
#include "slice/slice.h"

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
