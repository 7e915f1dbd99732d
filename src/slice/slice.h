/*
 * Dynamic slices: which executed instances a value came from (backward), or went to (forward), by data
 * and dynamic control dependence, through memory byte by byte and through outside calls by their
 * models.
 *
 * A run of any length is sliced in bounded memory. Forward, the run is decoded once, a window at a
 * time. Backward, it is decoded once without keeping anything, and copies of the decoder (forked
 * processes) are left behind at the beginning of each window; from the last window to the first, each
 * copy then decodes its window, adds what is in the slice, and hands on what comes from earlier.
 * Runs of more than 2^31 instructions are refused.
 *
 * A slice is closed: with an instance it has the operands and bytes that this came from, the branch or
 * call that controls it, and of a call through a pointer where the pointer came from. Of copies and
 * outside calls only the bytes that matter are followed. Loads and stores are taken whole: what a
 * structure of up to 16 bytes carries is passed by clang in one or two words, so its fields are
 * not told apart across a call.
 *
 * Outside calls that call back (qsort): what was passed to a callback depends on all arguments of the
 * call, what the call did on all that callbacks returned. Backward, when the call spans windows, what
 * its arguments lead to is taken as well, and callbacks may be missing that matter only to other
 * callbacks of the same call.
 */
#ifndef HENCE_SLICE_SLICE_H
#define HENCE_SLICE_SLICE_H

#include <roaring/roaring.h>

#include "trace/execution.h"
#include "trace/recording.h"

/* Where a slice begins: an instance. */
struct slice_criterion {
	uint32_t instance;
	uint64_t from,
		to;  /* of what it wrote to memory (or a load read) only these bytes count, as in
	                      execution_origins(); 0: all */
	bool itself; /* the instance and why it was executed, but not what its value came from */
};

/* Input to begin a forward slice with. */
enum slice_input_kind {
	SLICE_ARGUMENT, /* `index` of argv; bytes of the text */
	SLICE_VARIABLE, /* of the environment: `name` */
	SLICE_STREAM, /* what was read from descriptor `index` as it was when the program began, or
	                   from the file `name` that the program opened */
	SLICE_COUNT,  /* argc, and the pointers of argv */
	SLICE_ANY,    /* texts of arguments and variables, all streams, and all else that came from
	                   outside: time, pid, ...; not SLICE_COUNT */
};

struct slice_input {
	enum slice_input_kind kind;
	uint32_t index;
	const char *name;
	uint64_t from,
		to; /* bytes; to 0: all. With the last byte goes the end of the text or stream */
};

struct slice_edge {
	uint32_t from, to; /* `to` needs `from`; from may be an enum execution_source */
	bool control, potential;
};

struct slice_options {
	bool data_only;   /* no control dependence */
	bool past_guards; /* forward: nothing depends on the checks with which main() ends early; else
	                     all that comes after them does */
	bool relevant; /* backward: also branches that, taken the other way, could have changed what a
	                   load in the slice read */
	/* Told of each dependence within the slice. May be NULL. */
	void (*edge)(void *context, const struct slice_edge *edge);
	void *context;
	/* Asked between windows; true ends with what was found. May be NULL. */
	bool (*stop)(void *context);
};

struct slice {
	roaring_bitmap_t *instances;
	roaring_bitmap_t *codes;     /* instructions (struct code numbering) of these instances */
	roaring_bitmap_t *ends;      /* of `codes`, backward: those that end a statement */
	roaring_bitmap_t *constants; /* and those that store or return a constant */
	roaring_bitmap_t *potential; /* instances that are in it by `relevant` only */
	uint64_t total;      /* instances that were decoded: backward, up to the last criterion */
	uint64_t statements; /* the same */
	uint32_t windows;
	uint64_t peak; /* bytes of the largest window */
	bool given;    /* backward: reaches arguments or environment */
	bool unseen; /* reaches memory that outside code wrote unseen: the slice may lack something */
	uint32_t guesses; /* calls without a model in the slice */
	bool stopped;
};

void slice_deinit(struct slice *slice);

/* Both fill in *out only on success; caller frees it with slice_deinit(). A criterion that the run does
   not have is an error. Backward: with `relevant` the run is sliced twice, and edges are told the second
   time. While it works this process has copies of itself as children. */

MUST_USE struct hence_error *slice_backward(const struct recording *run,
                                            const struct slice_criterion *criteria, uint32_t count,
                                            const struct slice_options *options, struct slice *out);

/* From instances and from input. */
MUST_USE struct hence_error *slice_forward(const struct recording *run,
                                           const struct slice_criterion *criteria, uint32_t count,
                                           const struct slice_input *inputs, uint32_t input_count,
                                           const struct slice_options *options, struct slice *out);

#endif
