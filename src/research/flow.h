/*
 * A program as data flows through its memory: for each block the reads, writes and calls in it, in their order, each with the line of the
 * source that it belongs to. An instruction belongs to the line of the statement that it is part of; one that is part of none, to that of who uses
 * its value.
 */
#ifndef HENCE_RESEARCH_FLOW_H
#define HENCE_RESEARCH_FLOW_H

#include "research/score_graph.h"
#include "research/points_to.h"

#define FLOW_NO_LINE UINT32_MAX

/* After a leap, longjmp(), execution continues after any landing, setjmp(). */
enum flow_kind { FLOW_READ, FLOW_WRITE, FLOW_CALL, FLOW_LEAP, FLOW_LANDING };

struct flow_event {
	enum flow_kind kind;
	bool whole;                      /* of a write: nothing of the object's old value is left */
	uint32_t line;                   /* node of the graph, or FLOW_NO_LINE */
	LLVMValueRef value;              /* what is written; NULL: what the line computes */
	const roaring_bitmap_t *objects; /* that are read or written; NULL of calls */
	uint32_t object; /* the only one, when `objects` is NULL and it is no call */
	uint32_t call;   /* index of the call */
	uint32_t block;  /* that it is in */
};

struct flow_block {
	uint32_t function;
	uint32_t first, count; /* events */
	bool returns, leaps;
	roaring_bitmap_t *touched; /* objects that it, or who it calls, reads or writes */
};

struct flow_call {
	LLVMValueRef instruction;
	struct points_callees callees;
	uint32_t function, block, event; /* where it is; the event is that of the whole program */
	uint32_t line;
};

struct flow_function {
	uint32_t first_block;      /* of those of the whole program */
	VEC(uint32_t) calls;       /* that may call it */
	roaring_bitmap_t *touched; /* objects that it, or who it calls, reads or writes */
};

struct flow {
	const struct score_functions *functions;
	const struct points_to *points;
	struct score_graph *graph;
	VEC(struct flow_function) all; /* as in `functions` */
	VEC(struct flow_block) blocks;
	VEC(struct flow_event) events;
	VEC(struct flow_call) calls;
	VEC(uint32_t) landings;       /* events */
	struct score_value_map lines; /* instruction -> 1 + node */
};

/* Makes the nodes of the graph, which are the lines that statements end on, and finds the events. All that is given must outlive the
   flow. Caller frees with flow_deinit(). */
void flow_init(struct flow *flow, const struct score_functions *functions,
               const struct points_to *points, struct score_graph *graph);
void flow_deinit(struct flow *flow);

/* The node of an instruction's line, or FLOW_NO_LINE. */
uint32_t flow_line(const struct flow *flow, LLVMValueRef instruction);

#endif
