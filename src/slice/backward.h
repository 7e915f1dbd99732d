/* Inside the backward slicer: what backward*.c and checkpoint.c share. */
#ifndef HENCE_SLICE_BACKWARD_H
#define HENCE_SLICE_BACKWARD_H

#include "slice/relevant.h"
#include "slice/work.h"

/* What is found beside the bits. */
struct backward_found {
	VEC(struct slice_edge) edges; /* to be told */
	bool given, unseen;
	uint32_t guesses, windows;
	uint64_t peak;
};

struct backward {
	const struct recording *run;
	const struct slice_criterion *criteria;
	uint32_t count;
	struct slice_options options;
	uint32_t window; /* instances of one */
	struct marks marks;
	struct relevant relevant; /* only with options.relevant */
	struct backward_found found;
	uint32_t last; /* instance of a criterion */
	uint64_t total, statements;
	uint32_t codes; /* instructions of the functions that were executed */
	roaring_bitmap_t *ends, *constants;
	bool stopped;
};

/* Goes through what is kept, from the last instance to the first: adds to the marks what those in
   the slice came from. */
void backward_walk(struct backward *b, const struct execution *e);

#endif
