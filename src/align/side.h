/*
 * One of two runs that are being aligned: the nodes of its execution index that are open, and where it
 * stands. Nodes are calls (of functions and of outside code), handlers, and regions of branches; regions
 * that end at the same place one in the other, as those of a loop's iterations do, are one, unless a
 * call between them may return once more.
 */
#ifndef HENCE_ALIGN_SIDE_H
#define HENCE_ALIGN_SIDE_H

#include "align/stream.h"

#define SIDE_NOWHERE (UINT32_MAX - 1) /* before its first block */

struct side_node {
	uint32_t until; /* a block of the same call; CONTROL_EXIT: it ends with the call */
	bool sealed;    /* what opens next may not be taken for a part of it */
};

struct side_frame {
	const struct align_function *function; /* NULL: outside code, or a handler */
	uint32_t base;                         /* nodes below its own */
	uint32_t depth;                        /* functions up to and with it */
	uint32_t block;
	uint32_t statements; /* of the block, that it has executed */
};

/* A call that may return once more. */
struct side_mark {
	uint32_t frame, record;
	uint32_t height; /* nodes that have been open ever since it was made */
};

struct side {
	struct align_stream *stream;
	const struct align_event *event, *end; /* the next, and where those at hand end */
	VEC(struct side_node) nodes;
	VEC(struct side_frame) frames;
	VEC(struct side_mark) marks;
	uint32_t until;      /* where the node of the next ALIGN_RESUMED ends */
	uint64_t statements; /* executed */
	bool died;           /* of the next statement */
	bool ended;
};

void side_deinit(struct side *side);

/* Puts the next event at side->event. */
struct hence_error *side_next(struct side *side);

/* Takes the event, but does not go on to the next. Returns how many nodes it left as they were: what is
   above is closed, new, or of a branch that was taken anew. */
uint32_t side_take(struct side *side);

/* Only as many statements of an ALIGN_STATEMENTS as make `until` of the block. */
void side_take_some(struct side *side, uint32_t until);

/* The function on top; its `function` is NULL when there is none. */
static inline const struct side_frame *side_top(const struct side *side)
{
	static const struct side_frame none;

	return side->frames.size ? &side->frames.at[side->frames.size - 1] : &none;
}

#endif
