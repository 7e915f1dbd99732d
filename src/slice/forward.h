/* Inside the forward slicer. */
#ifndef HENCE_SLICE_FORWARD_H
#define HENCE_SLICE_FORWARD_H

#include "slice/inputs.h"
#include "slice/work.h"

struct forward {
	const struct recording *run;
	const struct slice_criterion *criteria;
	uint32_t count;
	struct slice_options options;
	struct inputs inputs;
	struct inputs_read read;
	struct marks marks;
	uint32_t guesses;
	uint64_t peak;
};

/* Goes through what is kept, from the first instance to the last: marks what comes from instances
   that are marked, and from input. */
void forward_walk(struct forward *f, const struct execution *e);

#endif
