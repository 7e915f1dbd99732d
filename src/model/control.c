/*
 * Post-dominators: see control.h. The algorithm is that of Cooper, Harvey and Kennedy, "A Simple,
 * Fast Dominance Algorithm" (2001), on the reversed graph: nodes are taken in reverse postorder of
 * a search from the exit, and the tree is improved until nothing changes.
 *
 * The nodes are the blocks, then a gate in front of the first block of each loop without an end,
 * then the exit.
 */
#include "model/control.h"

#include <assert.h>

#define NONE UINT32_MAX

struct edge {
	uint32_t from, to;
};

/* All nodes' neighbours, one node after the other; those of n are at [first[n], first[n + 1]). */
struct neighbours {
	uint32_t *at;
	uint32_t *first;
};

struct graph {
	uint32_t nodes;
	VEC(struct edge) edges;
	struct neighbours next, previous;
};

/* Sorts the edges by one of their ends. */
static struct neighbours list(const struct graph *g, bool forward)
{
	struct neighbours n = {.at = mem_alloc((g->edges.size + 1) * sizeof(*n.at)),
	                       .first = mem_alloc((g->nodes + 2) * sizeof(*n.first))};

	/* Counts one node further on, so that filling in leaves each `first` in its place. */
	for (uint32_t i = 0; i < g->edges.size; i++)
		n.first[(forward ? g->edges.at[i].from : g->edges.at[i].to) + 2]++;
	for (uint32_t i = 2; i < g->nodes + 2; i++)
		n.first[i] += n.first[i - 1];
	for (uint32_t i = 0; i < g->edges.size; i++) {
		struct edge e = g->edges.at[i];

		n.at[n.first[(forward ? e.from : e.to) + 1]++] = forward ? e.to : e.from;
	}
	return n;
}

static void graph_finish(struct graph *g)
{
	g->next = list(g, true);
	g->previous = list(g, false);
}

static void graph_deinit(struct graph *g)
{
	vec_deinit(&g->edges);
	free(g->next.at);
	free(g->next.first);
	free(g->previous.at);
	free(g->previous.first);
}

static void connect(struct graph *g, uint32_t from, uint32_t to)
{
	*vec_push(&g->edges) = (struct edge){from, to};
}

/* Marks what can be reached from `start` and is not marked; appends the nodes to `order` as they
   are left (postorder), from order[count] on. Returns the new count. `work` has room for two words
   a node. */
static uint32_t flood(const struct neighbours *n, uint32_t start, uint8_t *marks, uint32_t *order,
                      uint32_t count, uint32_t *work)
{
	uint32_t depth = 0;

	if (marks[start])
		return count;
	marks[start] = 1;
	work[0] = start;
	work[1] = n->first[start];
	while (depth != NONE) {
		uint32_t *top = &work[2 * depth];

		if (top[1] == n->first[top[0] + 1]) {
			order[count++] = top[0];
			depth--;
		} else if (!marks[n->at[top[1]++]]) {
			top[2] = n->at[top[1] - 1];
			marks[top[2]] = 1;
			top[3] = n->first[top[2]];
			depth++;
		}
	}
	return count;
}

/* --- the graph of the function, as control.h wants it --- */

struct shape {
	const struct plan_function *function;
	struct graph plain; /* the blocks as they are, but for early returns that do not count */
	uint8_t *early;     /* blocks that return early; NULL: these count */
	uint8_t *ends;      /* blocks that reach a return or `unreachable` */
	uint8_t *goes_on;   /* blocks that reach a return or a loop without an end */
	uint32_t *gate;     /* the node in front of a block; NONE: it has none */
	uint32_t gates;
	uint32_t *order, *work;
};

static enum plan_kind end_of(const struct plan_function *function, uint32_t block)
{
	const struct plan_block *b = &function->blocks.at[block];

	return function->records.at[b->first + b->count - 1].kind;
}

/* The block with nothing but the return that this one goes straight to; NONE: it goes elsewhere. */
static uint32_t return_behind(const struct plan_function *function, uint32_t block)
{
	uint32_t to;

	if (end_of(function, block) != PLAN_GOTO)
		return NONE;
	to = function->successors.at[function->blocks.at[block].successor];
	if (end_of(function, to) != PLAN_RETURN || function->blocks.at[to].statements > 1)
		return NONE;
	return to;
}

/* All that go to the same return but the last. */
static uint8_t *find_early(const struct plan_function *function)
{
	uint32_t count = function->blocks.size;
	uint8_t *early = mem_alloc(count), *later = mem_alloc(count);

	for (uint32_t b = count; b-- > 0;) {
		uint32_t to = return_behind(function, b);

		if (to == NONE)
			continue;
		early[b] = later[to];
		later[to] = 1;
	}
	free(later);
	return early;
}

/* How the block ends, as far as it counts. */
static enum plan_kind fate_of(const struct shape *s, uint32_t block)
{
	return s->early && s->early[block] ? PLAN_STOP : end_of(s->function, block);
}

static void shape_init(struct shape *s, const struct plan_function *function, bool early)
{
	uint32_t count = function->blocks.size;

	*s = (struct shape){.function = function, .early = early ? find_early(function) : NULL};
	s->plain.nodes = count;
	for (uint32_t b = 0; b < count; b++)
		for (uint32_t i = 0; i < function->blocks.at[b].successors; i++)
			if (!early || !s->early[b])
				connect(&s->plain, b,
				        function->successors
				                .at[function->blocks.at[b].successor + i]);
	graph_finish(&s->plain);
	s->ends = mem_alloc(count);
	s->goes_on = mem_alloc(count);
	s->gate = mem_alloc(count * sizeof(*s->gate));
	s->order = mem_alloc(count * sizeof(*s->order));
	s->work = mem_alloc(2 * ((size_t)count + 1) * sizeof(*s->work));
	for (uint32_t b = 0; b < count; b++)
		s->gate[b] = NONE;
}

static void shape_deinit(struct shape *s)
{
	graph_deinit(&s->plain);
	free(s->early);
	free(s->ends);
	free(s->goes_on);
	free(s->gate);
	free(s->order);
	free(s->work);
}

/* The lowest number in the loop that `block` is in. Nothing leaves the loop, so it is all that can be
   reached. */
static uint32_t first_block(struct shape *s, uint32_t block, uint8_t *marks, uint32_t *reached)
{
	uint32_t count = flood(&s->plain.next, block, marks, reached, 0, s->work);
	uint32_t lowest = block;

	for (uint32_t i = 0; i < count; i++)
		lowest = reached[i] < lowest ? reached[i] : lowest;
	return lowest;
}

/*
 * Puts a gate in front of each loop without an end. Searched backwards, the block that is left last
 * of all is in such a loop (as in Kosaraju's algorithm); after that the last one of those that do
 * not lead into this loop, and so on.
 */
static void find_gates(struct shape *s)
{
	uint32_t count = 0, nodes = s->plain.nodes;
	uint8_t *marks = mem_alloc(nodes), *in_loop = mem_alloc(nodes), *done = mem_alloc(nodes);
	uint32_t *scratch = mem_alloc(nodes * sizeof(*scratch));

	for (uint32_t b = 0; b < nodes; b++)
		if (!s->ends[b])
			count = flood(&s->plain.previous, b, marks, s->order, count, s->work);
	while (count-- > 0) {
		uint32_t b = s->order[count];

		if (s->ends[b] || done[b])
			continue;
		s->gate[first_block(s, b, in_loop, scratch)] = nodes + s->gates++;
		flood(&s->plain.previous, b, done, scratch, 0, s->work);
	}
	free(scratch);
	free(done);
	free(in_loop);
	free(marks);
}

static bool has_way_on(const struct shape *s, uint32_t block)
{
	const struct neighbours *next = &s->plain.next;

	for (uint32_t i = next->first[block]; i < next->first[block + 1]; i++)
		if (s->goes_on[next->at[i]])
			return true;
	return false;
}

static void build(struct shape *s, struct graph *g)
{
	const struct neighbours *back = &s->plain.previous;

	for (uint32_t b = 0; b < s->plain.nodes; b++)
		if (fate_of(s, b) == PLAN_RETURN || fate_of(s, b) == PLAN_STOP)
			flood(back, b, s->ends, s->order, 0, s->work);
	for (uint32_t b = 0; b < s->plain.nodes; b++)
		if (fate_of(s, b) == PLAN_RETURN || !s->ends[b])
			flood(back, b, s->goes_on, s->order, 0, s->work);

	find_gates(s);
	*g = (struct graph){.nodes = s->plain.nodes + s->gates + 1};
	for (uint32_t b = 0; b < s->plain.nodes; b++) {
		const struct neighbours *next = &s->plain.next;
		bool choosy = has_way_on(s, b);

		for (uint32_t i = next->first[b]; i < next->first[b + 1]; i++) {
			uint32_t to = next->at[i];

			if (!choosy || s->goes_on[to])
				connect(g, b, s->gate[to] == NONE ? to : s->gate[to]);
		}
		if (next->first[b] == next->first[b + 1])
			connect(g, b, g->nodes - 1);
		if (s->gate[b] != NONE) {
			connect(g, s->gate[b], b);
			connect(g, s->gate[b], g->nodes - 1);
		}
	}
	graph_finish(g);
}

/* --- the algorithm --- */

/* Nodes are meant by their rank in reverse postorder here, the exit has 0. */
static uint32_t intersect(const uint32_t *parent, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (a > b)
			a = parent[a];
		while (b > a)
			b = parent[b];
	}
	return a;
}

static uint32_t join_ways(const struct graph *g, uint32_t node, const uint32_t *rank,
                          const uint32_t *parent)
{
	uint32_t joined = NONE;

	for (uint32_t i = g->next.first[node]; i < g->next.first[node + 1]; i++) {
		uint32_t way = rank[g->next.at[i]];

		if (parent[way] != NONE)
			joined = joined == NONE ? way : intersect(parent, joined, way);
	}
	return joined;
}

/* The node at each rank goes to `node`, the rank of its post-dominator to `parent`. */
static void solve(const struct graph *g, uint32_t *node, uint32_t *parent)
{
	uint32_t *rank = mem_alloc(g->nodes * sizeof(*rank));
	uint32_t *work = mem_alloc(2 * ((size_t)g->nodes + 1) * sizeof(*work));
	uint8_t *marks = mem_alloc(g->nodes);
	uint32_t *order = mem_alloc(g->nodes * sizeof(*order));
	uint32_t count = flood(&g->previous, g->nodes - 1, marks, order, 0, work);
	bool changed = true;

	assert(count == g->nodes); /* all reach the exit now */
	for (uint32_t i = 0; i < count; i++) {
		node[i] = order[count - 1 - i];
		rank[node[i]] = i;
		parent[i] = i ? NONE : 0;
	}
	while (changed) {
		changed = false;
		for (uint32_t i = 1; i < count; i++) {
			uint32_t joined = join_ways(g, node[i], rank, parent);

			changed |= joined != parent[i];
			parent[i] = joined;
		}
	}
	free(order);
	free(marks);
	free(work);
	free(rank);
}

static uint32_t *postdominators(const struct plan_function *function, bool early)
{
	uint32_t blocks = function->blocks.size;
	uint32_t *result = mem_alloc(blocks * sizeof(*result));
	uint32_t *node, *parent, *behind;
	struct shape s;
	struct graph g;

	shape_init(&s, function, early);
	build(&s, &g);
	node = mem_alloc(g.nodes * sizeof(*node));
	parent = mem_alloc(g.nodes * sizeof(*parent));
	behind = mem_alloc(g.nodes * sizeof(*behind)); /* of a node, the block that it stands for */
	solve(&g, node, parent);
	for (uint32_t b = 0; b < blocks; b++) {
		behind[b] = b;
		if (s.gate[b] != NONE)
			behind[s.gate[b]] = b;
	}
	behind[g.nodes - 1] = CONTROL_EXIT;
	for (uint32_t i = 0; i < g.nodes; i++)
		if (node[i] < blocks)
			result[node[i]] = behind[node[parent[i]]];
	free(behind);
	free(parent);
	free(node);
	graph_deinit(&g);
	shape_deinit(&s);
	return result;
}

uint32_t *control_postdominators(const struct plan_function *function)
{
	return postdominators(function, false);
}

uint32_t *control_regions(const struct plan_function *function)
{
	return postdominators(function, true);
}
