/*
 * How the memory at a step is laid out as a picture: boxes in columns, each to the right of one that points to it, so
 * that a list lies in a row. Lengths are in pixels.
 */
#ifndef HENCE_REPORT_HTML_MEMORY_H
#define HENCE_REPORT_HTML_MEMORY_H

#include "report/explanation.h"

#define MEMORY_PAD 8 /* around the picture, and inside of boxes */

/*
 * The memory with variables that are single values put together: those of a function are rows of one box with its
 * name, as in a debugger. Texts are those of the memory, which must outlive it.
 */
struct memory_frames {
	struct explanation_memory memory;
};

/* Caller frees with memory_frames_deinit(). */
void memory_frames_init(struct memory_frames *frames, const struct explanation_memory *memory);
void memory_frames_deinit(struct memory_frames *frames);

struct memory_box {
	uint32_t level; /* column */
	bool placed;
	int x, y, width, height;
	unsigned names, values; /* columns of text that names and values take */
};

struct memory_picture {
	const struct explanation_memory *memory;
	VEC(struct memory_box) boxes; /* as in the memory */
	VEC(uint32_t) order;          /* from left to right, from above */
	uint32_t levels;
	int width, height;
};

/* Caller frees with memory_picture_deinit(). The memory must outlive it. */
void memory_picture_init(struct memory_picture *picture, const struct explanation_memory *memory);
void memory_picture_deinit(struct memory_picture *picture);

/* The box that a cell points to: its index. UINT32_MAX: none. */
uint32_t memory_target(const struct memory_picture *picture, const struct explanation_cell *cell);

#endif
