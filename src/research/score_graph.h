/*
 * The program dependence graph, and searches for a fault in it: its nodes are lines of the source,
 * its edges say that one line depends on another, by data or by a branch. And the measure of a search (M2): how
 * much of the graph is looked at when one begins at the statements that a method blames and goes on along the
 * edges, a step further each time, until the fault is there. S = 1 - |examined| / |nodes|.
 *
 * Where a graph comes from is not known here: see pdg.h.
 */
#ifndef HENCE_RESEARCH_SCORE_GRAPH_H
#define HENCE_RESEARCH_SCORE_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

struct score_node {
	char *file; /* as the compiler was given it */
	unsigned line;
	VEC(uint32_t) from, to; /* nodes that it depends on, and that depend on it; each once */
};

MAP_DEFINE_U64(score_edge_map, uint8_t);

enum score_edge { SCORE_DATA = 1, SCORE_CONTROL = 2 };

struct score_graph {
	VEC(struct score_node) nodes;
	struct score_edge_map edges; /* from << 32 | to -> a set of enum score_edge */
};

/* A graph of {0} is empty. */
void score_graph_deinit(struct score_graph *graph);

/* The node of a line, made when it is new. */
uint32_t score_graph_node(struct score_graph *graph, const char *file, unsigned line);

/* `to` depends on `from`. A line does not depend on itself: such an edge leads nowhere and is left out. */
void score_graph_edge(struct score_graph *graph, uint32_t from, uint32_t to, enum score_edge kind);

/* Is a line within `near` lines of another, and both in the same file? Of files only the last part of the path counts, since
   the compiler may have been called somewhere else. */
bool score_is_place(const char *file, unsigned line, const char *wanted, unsigned at,
                    unsigned near);

/* A set of nodes: a flag for each. */
struct score_set {
	bool *has;
	uint32_t size; /* flags that are true */
};

/* The empty set. Caller frees with score_set_deinit(). */
void score_set_init(struct score_set *set, const struct score_graph *graph);
void score_set_deinit(struct score_set *set);

/* Adds all nodes within `near` lines of a place; how many there are. */
uint32_t score_set_add_place(struct score_set *set, const struct score_graph *graph,
                             const char *file, unsigned line, unsigned near);

/* The ways to go on from what is blamed. */
enum score_strategy {
	SCORE_PLAIN, /* along all edges, in both directions */
	SCORE_RELEVANT, /* first forward, then backward: only nodes whose effect can meet that of what is blamed */
	SCORE_INFECTED, /* only backward: what is blamed has a wrong value, so the fault is before it */
	SCORE_STRATEGIES,
};

extern const char *const score_strategy_names[SCORE_STRATEGIES];

struct score {
	bool reached;      /* a faulty node was found */
	uint32_t distance; /* edges from what is blamed to the nearest faulty node */
	uint32_t examined; /* nodes within that distance; all of the graph when it was not found */
	double value;      /* S; 0 when it was not found */
};

/* The score of a search from the blamed nodes for one of the faulty ones. Nothing is found from an empty set. */
struct score score_search(const struct score_graph *graph, const struct score_set *blamed,
                          const struct score_set *faulty, enum score_strategy strategy);

#endif
