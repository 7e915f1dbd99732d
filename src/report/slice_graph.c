/* The dependences of a slice as a graph: see slice_graph.h. */
#include "report/slice_graph.h"

#include <stdlib.h>

#include "base/map.h"

/*
 * A slice has dependences between instances of instructions. Those of one execution of a statement count as one, and instances
 * that belong to no statement (parameters that are stored, sides of ?:) are passed through. Nodes are statements: all executions
 * of one within the depth are the same node.
 */

#define MOST_EDGES (1u << 22)
#define GIVEN      UINT32_MAX
#define DEEPEST    64u /* instances without a statement in a row */

/* The execution of a statement that an instance belongs to. */
struct owner {
	uint32_t whole, code;
};

MAP_DEFINE_U64(owner_map, struct owner);
MAP_DEFINE_U64(depth_map, uint32_t);
MAP_DEFINE_U64(node_map, uint32_t);

struct slice_graph {
	VEC(struct slice_edge) edges;
	struct owner_map owners;
	bool cut;

	/* while it is built */
	bool forward;
	struct depth_map seen; /* instances */
	struct node_map nodes; /* 1 + index, by code */
	struct node_map kinds; /* bits of enum graph_kind, by from << 32 | to (nodes) */
	VEC(uint32_t) now, next;
	const struct listing *listing;
	struct graph *out;
};

struct slice_graph *slice_graph_create(void)
{
	return mem_alloc(sizeof(struct slice_graph));
}

void slice_graph_destroy(struct slice_graph *g)
{
	if (!g)
		return;
	vec_deinit(&g->edges);
	vec_deinit(&g->now);
	vec_deinit(&g->next);
	owner_map_deinit(&g->owners);
	depth_map_deinit(&g->seen);
	node_map_deinit(&g->nodes);
	node_map_deinit(&g->kinds);
	free(g);
}

void slice_graph_add_edge(struct slice_graph *g, const struct slice_edge *edge)
{
	if (g->edges.size >= MOST_EDGES)
		g->cut = true;
	else
		*vec_push(&g->edges) = *edge;
}

/* A part may serve several statements: the first counts. */
void slice_graph_add_member(struct slice_graph *g, uint32_t part, uint32_t whole, uint32_t code)
{
	struct owner *owner = owner_map_put(&g->owners, part);

	if (!owner->whole)
		*owner = (struct owner){whole, code};
}

/* --- nodes --- */

static const struct listing_statement *find_statement(const struct listing *l, uint32_t code,
                                                      const struct listing_line **line)
{
	for (uint32_t i = 0; i < l->lines.size; i++)
		for (uint32_t k = 0; k < l->lines.at[i].statements.size; k++)
			if (l->lines.at[i].statements.at[k].code == code) {
				*line = &l->lines.at[i];
				return &l->lines.at[i].statements.at[k];
			}
	return NULL;
}

/* The node of a statement: its index. GIVEN is none: the arguments of the program. */
static uint32_t node_of(struct slice_graph *g, uint32_t code)
{
	uint32_t *index = node_map_put(&g->nodes, code);
	const struct listing_line *line;
	const struct listing_statement *s;
	struct graph_node *node;
	struct str text = STR_INIT;

	if (*index)
		return *index - 1;
	node = vec_push(&g->out->nodes);
	*index = g->out->nodes.size;
	if (code == GIVEN) {
		str_add(&text, "arguments, environment");
	} else if ((s = find_statement(g->listing, code, &line))) {
		if (s->instances.size) {
			str_add(&text, s->instances.at[0].text);
			if (s->varied)
				str_printf(&text, " ... %s",
				           s->instances.at[s->instances.size - 1].text);
			if (s->count > 1)
				str_printf(&text, " x%llu", (unsigned long long)s->count);
		}
		node->place = str_format("%s:%u in %s()", g->listing->files.at[line->file].name,
		                         line->line, line->function);
		node->marked = s->criterion;
		node->potential = s->potential;
	}
	node->text = str_steal(&text);
	return g->out->nodes.size - 1;
}

/* --- edges --- */

static uint32_t near_end(const struct slice_graph *g, const struct slice_edge *edge)
{
	return g->forward ? edge->from : edge->to;
}

static uint32_t far_end(const struct slice_graph *g, const struct slice_edge *edge)
{
	return g->forward ? edge->to : edge->from;
}

static int by_to(const void *a, const void *b)
{
	const struct slice_edge *x = a, *y = b;

	return (x->to > y->to) - (x->to < y->to);
}

static int by_from(const void *a, const void *b)
{
	const struct slice_edge *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/* The first edge of an instance; edges are sorted. */
static uint32_t first_edge(const struct slice_graph *g, uint32_t instance)
{
	uint32_t low = 0, high = g->edges.size;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (near_end(g, &g->edges.at[middle]) < instance)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void connect(struct slice_graph *g, uint32_t near, uint32_t far, enum graph_kind kind)
{
	uint64_t from = g->forward ? near : far, to = g->forward ? far : near;
	uint32_t *kinds = node_map_put(&g->kinds, from << 32 | to);

	if (*kinds & 1u << kind)
		return;
	*kinds |= 1u << kind;
	*vec_push(&g->out->edges) =
		(struct graph_edge){.from = (uint32_t)from, .to = (uint32_t)to, .kind = kind};
}

static bool see(struct slice_graph *g, uint32_t instance)
{
	uint32_t *seen = depth_map_put(&g->seen, instance);

	if (*seen)
		return false;
	*seen = 1;
	return true;
}

static void follow(struct slice_graph *g, const struct owner *home, uint32_t instance,
                   const struct slice_edge *through, bool further, unsigned steps);

/* One dependence of an instance of the statement `home`; `through`: the first one on the way from
   it, when instances without a statement lie in between. */
static void follow_edge(struct slice_graph *g, const struct owner *home,
                        const struct slice_edge *edge, const struct slice_edge *through,
                        bool further, unsigned steps)
{
	uint32_t far = far_end(g, edge);
	const struct owner *owner = owner_map_find(&g->owners, far);
	const struct slice_edge *first = through ? through : edge;
	enum graph_kind kind = first->potential ? GRAPH_POTENTIAL
	                       : first->control ? GRAPH_CONTROL
	                                        : GRAPH_DATA;

	if (far < EXECUTION_FIRST) {
		if (far == SOURCE_GIVEN && further)
			connect(g, node_of(g, home->code), node_of(g, GIVEN), kind);
	} else if (!owner) {
		if (steps < DEEPEST)
			follow(g, home, far, through ? through : edge, further, steps + 1);
	} else if (owner->whole == home->whole) {
		if (see(g, far))
			*vec_push(&g->now) = far;
	} else if (further) {
		connect(g, node_of(g, home->code), node_of(g, owner->code), kind);
		if (see(g, far))
			*vec_push(&g->next) = far;
	}
}

static void follow(struct slice_graph *g, const struct owner *home, uint32_t instance,
                   const struct slice_edge *through, bool further, unsigned steps)
{
	for (uint32_t i = first_edge(g, instance);
	     i < g->edges.size && near_end(g, &g->edges.at[i]) == instance; i++)
		follow_edge(g, home, &g->edges.at[i], through, further, steps);
}

/* --- from the criterion on --- */

/* A beginning that belongs to no statement leads to those around it. */
static void begin(struct slice_graph *g, uint32_t instance, unsigned steps)
{
	const struct owner *owner = owner_map_find(&g->owners, instance);

	if (owner) {
		node_of(g, owner->code);
		if (see(g, instance))
			*vec_push(&g->now) = instance;
		return;
	}
	for (uint32_t i = first_edge(g, instance);
	     steps < DEEPEST && i < g->edges.size && near_end(g, &g->edges.at[i]) == instance; i++)
		if (far_end(g, &g->edges.at[i]) >= EXECUTION_FIRST)
			begin(g, far_end(g, &g->edges.at[i]), steps + 1);
}

bool slice_graph_build(struct slice_graph *g, const struct slice_graph_options *options,
                       struct graph *out)
{
	g->listing = options->listing;
	g->out = out;
	g->forward = options->forward;
	if (g->edges.size)
		qsort(g->edges.at, g->edges.size, sizeof(*g->edges.at),
		      g->forward ? by_from : by_to);
	for (uint32_t i = 0; i < options->first_count; i++)
		begin(g, options->first[i], 0);
	if (g->forward && !options->first_count) {
		roaring_bitmap_t *roots = roaring_bitmap_copy(options->instances);
		roaring_uint32_iterator_t *i;

		for (uint32_t k = 0; k < g->edges.size; k++)
			if (g->edges.at[k].from >= EXECUTION_FIRST)
				roaring_bitmap_remove(roots, g->edges.at[k].to);
		i = roaring_create_iterator(roots);
		for (; i->has_value; roaring_advance_uint32_iterator(i))
			begin(g, i->current_value, 0);
		roaring_free_uint32_iterator(i);
		roaring_bitmap_free(roots);
	}
	/* Breadth first. */
	for (uint64_t depth = 0; g->now.size; depth++) {
		for (uint32_t i = 0; i < g->now.size; i++) {
			struct owner home = *owner_map_find(&g->owners, g->now.at[i]);

			follow(g, &home, g->now.at[i], NULL, depth < options->depth, 0);
		}
		g->now.size = 0;
		for (uint32_t i = 0; i < g->next.size; i++)
			*vec_push(&g->now) = g->next.at[i];
		g->next.size = 0;
	}
	return g->cut;
}
