/* The dependences of a slice as a graph of statements, for `hence slice --format dot`. */
#ifndef HENCE_REPORT_SLICE_GRAPH_H
#define HENCE_REPORT_SLICE_GRAPH_H

#include "report/graph.h"
#include "report/listing.h"

/* Dependences between instances, as they are found. Caller frees with slice_graph_destroy(); NULL is fine. */
struct slice_graph *slice_graph_create(void);
void slice_graph_destroy(struct slice_graph *graph);

/* For slice_options.edge and listing_choice.member. */
void slice_graph_add_edge(struct slice_graph *graph, const struct slice_edge *edge);
void slice_graph_add_member(struct slice_graph *graph, uint32_t part, uint32_t whole,
                            uint32_t code);

/* Where it begins: instances of the slice. Forward it may be none: then those that nothing in the slice leads to, which
   read the input. */
struct slice_graph_options {
	const uint32_t *first;
	uint32_t first_count;
	const roaring_bitmap_t *instances; /* of the slice */
	const struct listing *listing;
	uint64_t depth; /* dependences from there */
	bool forward;
};

/* Adds statements and edges to a graph. True: there were too many dependences, and some are missing. */
bool slice_graph_build(struct slice_graph *graph, const struct slice_graph_options *options,
                       struct graph *out);

#endif
