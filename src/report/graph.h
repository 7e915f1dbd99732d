/* A graph of statements, and its form for graphviz. */
#ifndef HENCE_REPORT_GRAPH_H
#define HENCE_REPORT_GRAPH_H

#include <stdbool.h>
#include <stdio.h>

#include "base/str.h"
#include "base/vec.h"

struct graph_node {
	char *place; /* `sort.c:12 in sort()`; NULL: it has none */
	char *text;
	bool marked;
	bool potential;
};

enum graph_kind {
	GRAPH_DATA,
	GRAPH_CONTROL,
	GRAPH_POTENTIAL,
};

struct graph_edge {
	uint32_t from, to; /* index of nodes: `to` needs `from` */
	enum graph_kind kind;
};

struct graph {
	char *title;
	VEC(struct graph_node) nodes;
	VEC(struct graph_edge) edges;
};

void graph_deinit(struct graph *graph);

/* Prints it in the language of dot: data solid, control dashed, potential dotted. */
void graph_print_dot(const struct graph *graph, FILE *file);

#endif
