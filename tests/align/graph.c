/*
 * Post-dominators by plain sets, from the words of src/model/control.h: a way that can only end in
 * `unreachable` does not count beside one that goes on; a loop that nothing leaves could end each time
 * that it comes to its first block, before that block. And of the blocks that go straight to one with
 * nothing but a return only the last counts; the others are as if they ended in `unreachable`.
 */
#include "graph.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nodes are the blocks, a gate for each block (used or not), and the exit. */
struct shape {
	const struct function *f;
	int nodes;
	bool *reach; /* [a * blocks + b]: b can be reached from a in any number of steps, 0 too */
	bool *edge;  /* [a * nodes + b] */
};

static bool reaches(const struct shape *s, int a, int b)
{
	return s->reach[a * s->f->count + b];
}

/* Has the block nothing but the return? */
static bool only_returns(const struct block *b)
{
	int statements = 0;

	for (const char *item = b->items; *item; item++)
		statements += *item != 'n';
	return b->end == 'r' && statements <= 1;
}

/* Does the block go straight to such a one, and a later block to the same one? */
static bool is_early(const struct shape *s, int block)
{
	const struct block *all = s->f->blocks;
	int to = all[block].end == 'g' ? all[block].next[0] : -1;

	if (to < 0 || !only_returns(&all[to]))
		return false;
	for (int b = block + 1; b < s->f->count; b++)
		if (all[b].end == 'g' && all[b].next[0] == to)
			return true;
	return false;
}

/* How the block ends, as far as it counts; how many ways lead on. */
static char end_of(const struct shape *s, int block)
{
	return is_early(s, block) ? 'u' : s->f->blocks[block].end;
}

static int ways(const struct shape *s, int block)
{
	return is_early(s, block) ? 0 : s->f->blocks[block].count;
}

static void find_reach(struct shape *s)
{
	int n = s->f->count;

	for (int a = 0; a < n; a++) {
		s->reach[a * n + a] = true;
		for (int i = 0; i < ways(s, a); i++)
			s->reach[a * n + s->f->blocks[a].next[i]] = true;
	}
	for (int k = 0; k < n; k++)
		for (int a = 0; a < n; a++)
			for (int b = 0; b < n; b++)
				s->reach[a * n + b] |= reaches(s, a, k) && reaches(s, k, b);
}

/* Can the block come to an end of one of these kinds? */
static bool comes_to(const struct shape *s, int block, const char *ends)
{
	for (int b = 0; b < s->f->count; b++)
		if (reaches(s, block, b) && strchr(ends, end_of(s, b)))
			return true;
	return false;
}

static bool goes_on(const struct shape *s, int block)
{
	for (int b = 0; b < s->f->count; b++)
		if (reaches(s, block, b) && (end_of(s, b) == 'r' || !comes_to(s, b, "ru")))
			return true;
	return false;
}

/* Is it the first block of a loop that nothing leaves? */
static bool has_gate(const struct shape *s, int block)
{
	if (comes_to(s, block, "ru"))
		return false;
	for (int b = 0; b < s->f->count; b++)
		if (reaches(s, block, b) && (!reaches(s, b, block) || b < block))
			return false;
	return true;
}

static void connect(struct shape *s, int from, int to)
{
	int n = s->f->count;

	s->edge[from * s->nodes + (has_gate(s, to) ? n + to : to)] = true;
}

static void find_edges(struct shape *s)
{
	int n = s->f->count, last = s->nodes - 1;

	for (int a = 0; a < n; a++) {
		const struct block *b = &s->f->blocks[a];
		bool choosy = false;

		for (int i = 0; i < ways(s, a); i++)
			choosy |= goes_on(s, b->next[i]);
		for (int i = 0; i < ways(s, a); i++)
			if (!choosy || goes_on(s, b->next[i]))
				connect(s, a, b->next[i]);
		if (!ways(s, a))
			s->edge[a * s->nodes + last] = true;
		if (has_gate(s, a)) {
			s->edge[(n + a) * s->nodes + a] = true;
			s->edge[(n + a) * s->nodes + last] = true;
		}
	}
}

/* Of all that follows the node directly, what do all of them have? */
static void meet(const struct shape *s, const bool *in, int node, bool *out)
{
	int n = s->nodes;

	memset(out, 1, (size_t)n);
	for (int c = 0; c < n; c++)
		for (int b = 0; b < n && s->edge[node * n + c]; b++)
			out[b] &= in[c * n + b];
	out[node] = true;
}

/* in[a * nodes + b]: b post-dominates a. The greatest solution, by repetition. */
static bool *find_sets(const struct shape *s)
{
	size_t n = (size_t)s->nodes;
	bool *in = malloc(n * n), *out = malloc(n), changed = true;

	memset(in, 1, n * n);
	memset(in + (n - 1) * n, 0, n - 1);
	while (changed) {
		changed = false;
		for (size_t a = n - 1; a-- > 0;) {
			meet(s, in, (int)a, out);
			changed |= memcmp(in + a * n, out, n) != 0;
			memcpy(in + a * n, out, n);
		}
	}
	free(out);
	return in;
}

/* The post-dominator, other than itself, that all others post-dominate. */
static int nearest(const struct shape *s, const bool *in, int a)
{
	int n = s->nodes;

	for (int b = 0; b < n; b++) {
		bool first = b != a && in[a * n + b];

		for (int c = 0; c < n && first; c++)
			first = c == a || !in[a * n + c] || in[b * n + c];
		if (first)
			return b;
	}
	return n - 1;
}

void graph_find(struct function *f)
{
	struct shape s = {.f = f, .nodes = 2 * f->count + 1};
	size_t blocks = (size_t)f->count, nodes = (size_t)s.nodes;
	bool *in;

	if (f->done)
		return;
	f->done = 1;
	s.reach = calloc(blocks * blocks, 1);
	s.edge = calloc(nodes * nodes, 1);
	find_reach(&s);
	find_edges(&s);
	in = find_sets(&s);
	for (int b = 0; b < f->count; b++) {
		int until = nearest(&s, in, b);

		f->blocks[b].until = until == s.nodes - 1 ? GRAPH_EXIT : until % f->count;
	}
	free(in);
	free(s.reach);
	free(s.edge);
}

static void read_block(struct block *b, char *line)
{
	char *word = strtok(line, " \n");

	b->items = strdup(word + 1);
	b->end = *strtok(NULL, " \n");
	while ((word = strtok(NULL, " \n"))) {
		b->next = realloc(b->next, (size_t)(b->count + 1) * sizeof(*b->next));
		b->next[b->count++] = atoi(word);
	}
}

struct function *graph_read(const char *path, int *count)
{
	struct function *all = NULL;
	FILE *file = fopen(path, "r");
	char *line = NULL, name[256];
	size_t room = 0;

	*count = 0;
	while (file && getline(&line, &room, file) > 0) {
		all = realloc(all, (size_t)(*count + 1) * sizeof(*all));
		struct function *f = &all[(*count)++];

		f->done = 0;
		if (sscanf(line, "function %255s %d", name, &f->count) != 2)
			exit(3);
		f->blocks = calloc((size_t)f->count, sizeof(*f->blocks));
		for (int b = 0; b < f->count && getline(&line, &room, file) > 0; b++)
			read_block(&f->blocks[b], line);
	}
	free(line);
	if (!file || !*count)
		exit(3);
	fclose(file);
	return all;
}
