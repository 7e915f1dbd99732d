/* The dependence graph, and searches in it: see score_graph.h. After Cleve and Zeller, Locating causes of program failures, section 7.3
   and 7.4, and the score of Renieris and Reiss that they use. */
#include "research/score_graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *const score_strategy_names[SCORE_STRATEGIES] = {"plain", "relevant", "infected"};

void score_graph_deinit(struct score_graph *graph)
{
	for (uint32_t i = 0; i < graph->nodes.size; i++) {
		free(graph->nodes.at[i].file);
		vec_deinit(&graph->nodes.at[i].from);
		vec_deinit(&graph->nodes.at[i].to);
	}
	vec_deinit(&graph->nodes);
	score_edge_map_deinit(&graph->edges);
}

uint32_t score_graph_node(struct score_graph *graph, const char *file, unsigned line)
{
	struct score_node *node;

	/* From the end: lines are asked for in about the order of the source. */
	for (uint32_t i = graph->nodes.size; i-- > 0;)
		if (graph->nodes.at[i].line == line && !strcmp(graph->nodes.at[i].file, file))
			return i;
	node = vec_push(&graph->nodes);
	node->file = mem_strdup(file);
	node->line = line;
	return graph->nodes.size - 1;
}

void score_graph_edge(struct score_graph *graph, uint32_t from, uint32_t to, enum score_edge kind)
{
	uint8_t *known;

	assert(from < graph->nodes.size && to < graph->nodes.size);
	if (from == to)
		return;
	known = score_edge_map_put(&graph->edges, (uint64_t)from << 32 | to);
	if (!*known) {
		*vec_push(&graph->nodes.at[from].to) = to;
		*vec_push(&graph->nodes.at[to].from) = from;
	}
	*known |= (uint8_t)kind;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool score_is_place(const char *file, unsigned line, const char *wanted, unsigned at, unsigned near)
{
	unsigned apart = line < at ? at - line : line - at;

	return apart <= near && !strcmp(base_name(file), base_name(wanted));
}

/* --- sets --- */

void score_set_init(struct score_set *set, const struct score_graph *graph)
{
	*set = (struct score_set){mem_alloc(graph->nodes.size + 1), 0};
}

void score_set_deinit(struct score_set *set)
{
	free(set->has);
	*set = (struct score_set){NULL, 0};
}

static void score_set_add(struct score_set *set, uint32_t node)
{
	set->size += !set->has[node];
	set->has[node] = true;
}

uint32_t score_set_add_place(struct score_set *set, const struct score_graph *graph,
                             const char *file, unsigned line, unsigned near)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < graph->nodes.size; i++) {
		const struct score_node *node = &graph->nodes.at[i];

		if (!score_is_place(node->file, node->line, file, line, near))
			continue;
		score_set_add(set, i);
		count++;
	}
	return count;
}

/* --- the search, breadth first --- */

/* A node is met in a phase: still going forward, or backward. Where the direction does not matter there is one phase. */
struct search {
	const struct score_graph *graph;
	enum score_strategy strategy;
	uint8_t *met;         /* for each node, a bit for each phase that it was met in */
	VEC(uint32_t) edge;   /* node << 1 | phase: met in the last step */
	VEC(uint32_t) behind; /* the same for the next one */
	uint32_t examined;
};

static void meet(struct search *s, uint32_t node, uint32_t phase)
{
	if (s->met[node] & 1u << phase)
		return;
	s->examined += !s->met[node];
	s->met[node] |= (uint8_t)(1u << phase);
	*vec_push(&s->behind) = node << 1 | phase;
}

static void meet_all(struct search *s, const uint32_t *nodes, uint32_t count, uint32_t phase)
{
	for (uint32_t i = 0; i < count; i++)
		meet(s, nodes[i], phase);
}

static bool found(const struct search *s, const struct score_set *faulty)
{
	for (uint32_t i = 0; i < s->behind.size; i++)
		if (faulty->has[s->behind.at[i] >> 1])
			return true;
	return false;
}

struct score score_search(const struct score_graph *graph, const struct score_set *blamed,
                          const struct score_set *faulty, enum score_strategy strategy)
{
	struct search s = {graph,    strategy, mem_alloc(graph->nodes.size + 1),
	                   VEC_INIT, VEC_INIT, 0};
	struct score score = {.examined = graph->nodes.size};
	bool more = true;

	for (uint32_t i = 0; i < graph->nodes.size; i++)
		if (blamed->has[i])
			meet(&s, i, strategy == SCORE_INFECTED ? 1 : 0);
	while (more && !(score.reached = found(&s, faulty))) {
		/* Moves a step further. False: there is nothing new. */
		s.edge.size = 0;
		for (uint32_t i = 0; i < s.behind.size; i++)
			*vec_push(&s.edge) = s.behind.at[i];
		s.behind.size = 0;
		for (uint32_t i = 0; i < s.edge.size; i++) {
			const struct score_node *node = &s.graph->nodes.at[s.edge.at[i] >> 1];
			bool backward = s.edge.at[i] & 1;

			if (s.strategy == SCORE_PLAIN ||
			    (s.strategy == SCORE_RELEVANT && !backward))
				meet_all(&s, node->to.at, node->to.size, 0);
			meet_all(&s, node->from.at, node->from.size,
			         s.strategy == SCORE_PLAIN ? 0 : 1);
		}
		more = s.behind.size > 0;
		score.distance += more;
	}
	if (score.reached) {
		score.examined = s.examined;
		score.value = 1 - (double)s.examined / graph->nodes.size;
	} else {
		score.distance = 0;
	}
	vec_deinit(&s.edge);
	vec_deinit(&s.behind);
	free(s.met);
	return score;
}
