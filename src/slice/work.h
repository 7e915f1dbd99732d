/* Inside the slicer: what backward and forward slices share. */
#ifndef HENCE_SLICE_WORK_H
#define HENCE_SLICE_WORK_H

#include "slice/marks.h"
#include "slice/slice.h"

/* How many instances a window of this run may have. */
uint32_t slice_window(const struct slice_run *run);

/* Fills in the bitmaps of a slice, of instances before `end` and instructions before `codes`. */
void slice_collect(const struct marks *marks, uint32_t end, uint32_t codes, struct slice *out);

#endif
