/* Inside the walk of a forward slice through a window. */
#ifndef HENCE_SLICE_FORWARD_WALKER_H
#define HENCE_SLICE_FORWARD_WALKER_H

#include "slice/forward.h"

struct forward_walker {
	struct forward *f;
	struct marks *m;
	const struct execution *e;
	const struct execution_frame *frames;
	struct code *code;
	const uint32_t *sources; /* of instances from `first` on */
	const uint64_t *copies;
	uint32_t first, end;
	uint32_t instance; /* whose origins are being told */
	bool control, edges;
	bool found;   /* one of them counts */
	bool all;     /* and for all that the instance wrote */
	bool partial; /* bytes that it wrote are marked one by one */
	struct slice_calls spanning;
	uint32_t passed; /* so many of them have returned */
};

struct forward_place {
	const struct code_function *function;
	uint32_t first; /* instance of the segment */
	uint32_t code;  /* of that, in the function */
};

enum forward_answer {
	FORWARD_NO,
	FORWARD_YES,
	FORWARD_NOT_SIMPLE, /* execution_origins() must be asked */
};

static inline bool forward_copies(const struct forward_walker *w, uint32_t instance)
{
	return w->copies && marks_has(w->copies, instance);
}

/* Does an instance come from one that is marked? */
enum forward_answer forward_simple(const struct forward_walker *w, const struct forward_place *p,
                                   uint32_t instance, const struct code_insn *insn);

#endif
