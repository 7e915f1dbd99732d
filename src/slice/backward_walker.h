/* Inside the walk of a backward slice through a window: what backward_w*.c and backward_potential.c
   share. */
#ifndef HENCE_SLICE_BACKWARD_WALKER_H
#define HENCE_SLICE_BACKWARD_WALKER_H

#include "slice/backward.h"

/* Outside calls that called back: when they returned, and the youngest of the instances within that
   want something of the call. */
struct span {
	uint32_t until;
	bool early;
};

MAP_DEFINE_U64(span_map, struct span);

struct backward_walker {
	struct backward *b;
	struct marks *m;
	const struct execution *e;
	const struct execution_segment *segments;
	uint32_t segment_count;
	const struct execution_frame *frames;
	struct code *code;
	const uint32_t *sources; /* of instances from `first` on */
	const uint64_t *copies;
	uint32_t first, end;
	uint32_t instance; /* whose origins are being told */
	uint32_t limit;    /* origins from this instance on do not count */
	bool control, edges;
	bool slow; /* all origins must be seen */
	struct sides_table sides;
	struct slice_calls spanning; /* those that have not been passed yet */
	struct span_map spans;       /* the same, by instance */
};

static inline bool backward_keeps(const struct backward_walker *w, uint32_t instance)
{
	return instance >= w->first && instance < w->end;
}

static inline bool backward_copies(const struct backward_walker *w, uint32_t instance)
{
	return w->copies && marks_has(w->copies, instance);
}

/* --- backward_want.c --- */

/* A source that is no instance. */
void backward_note_source(struct backward_walker *w, uint32_t source);

/* The value of an instance is wanted. */
void backward_want_value(struct backward_walker *w, uint32_t instance);

/* What a call of a function that we see came from: its return, or 0. */
void backward_want_returned(struct backward_walker *w, uint32_t call, uint32_t source);

/* The branch or call because of which instances of this frame were executed. */
void backward_want_control(struct backward_walker *w, uint32_t frame, uint32_t parent);

/* All that an instance came from; of a copy or an outside call, as far as its ranges say. */
void backward_want_origins(struct backward_walker *w, uint32_t instance);
void backward_want_ranges(struct backward_walker *w, uint32_t instance);

/* For execution_origins(). */
void backward_want_origin(void *context, const struct execution_origin *origin);

/* `from` is needed by the instance that the walk is at. */
void backward_tell_edge(struct backward_walker *w, uint32_t from, bool control);

/* --- backward_potential.c --- */

/* Memory that was read: see relevant.h. */
void backward_open(struct backward_walker *w, const struct execution_origin *origin);

/* Takes up the branch that ends a segment if, gone another way, it could have changed what was read
   later. */
void backward_try_branch(struct backward_walker *w, const struct execution_segment *s,
                         const struct code_function *f, uint32_t branch);

#endif
