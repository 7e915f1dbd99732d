/* Functions, blocks and control dependence: see graph.h. */
#include "graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the map --- */

static void die(const char *line)
{
	fprintf(stderr, "oracle: the map has: %s\n", line);
	exit(1);
}

static void *grow(void *list, uint32_t count, size_t size)
{
	if (count & (count - 1))
		return list;
	list = realloc(list, (count ? 2 * (size_t)count : 1) * size);
	if (!list)
		abort();
	return list;
}

static void read_block(struct function *f, char *text)
{
	static const char *const ends[] = {"goto", "branch", "return", "stop"};
	struct block *b;
	char *word = strtok(text, " ");

	f->blocks = grow(f->blocks, f->block_count, sizeof(*f->blocks));
	b = &f->blocks[f->block_count++];
	*b = (struct block){.instructions = (uint32_t)atoi(word)};
	word = strtok(NULL, " ");
	while (b->end < 4 && strcmp(word, ends[b->end]))
		b->end++;
	if (b->end == 4)
		die(word);
	while ((word = strtok(NULL, " "))) {
		b->next = grow(b->next, b->next_count, sizeof(*b->next));
		b->next[b->next_count++] = (uint32_t)atoi(word);
	}
}

static void read_line(struct map *map, char *line)
{
	char *text = strchr(line, ' ');

	if (!text)
		die(line);
	*text++ = 0;
	if (!strcmp(line, "global")) {
		map->globals = grow(map->globals, map->global_count, sizeof(*map->globals));
		map->globals[map->global_count++] = strdup(text);
	} else if (!strcmp(line, "function")) {
		map->functions = grow(map->functions, map->function_count, sizeof(*map->functions));
		map->functions[map->function_count++] = (struct function){.name = strdup(text)};
	} else if (!strcmp(line, "block") && map->function_count) {
		read_block(&map->functions[map->function_count - 1], text);
	} else {
		die(line);
	}
}

void map_read(struct map *map, const char *path)
{
	FILE *in = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	ssize_t got;

	*map = (struct map){0};
	if (!in)
		die(path);
	while ((got = getline(&line, &room, in)) > 0) {
		line[got - 1] = 0;
		read_line(map, line);
	}
	free(line);
	fclose(in);
}

/* --- reachability, as a matrix --- */

struct matrix {
	uint32_t size;
	bool *at;
};

static struct matrix matrix_create(uint32_t size)
{
	return (struct matrix){size, calloc((size_t)size * size, 1)};
}

static bool *cell(const struct matrix *m, uint32_t from, uint32_t to)
{
	return &m->at[(size_t)from * m->size + to];
}

/* Marks what can be reached from `from`, itself too, without going through `without`. */
static void flood(const struct matrix *m, uint32_t from, uint32_t without, bool *marks)
{
	if (from == without || marks[from])
		return;
	marks[from] = true;
	for (uint32_t to = 0; to < m->size; to++)
		if (*cell(m, from, to))
			flood(m, to, without, marks);
}

static struct matrix transpose(const struct matrix *m)
{
	struct matrix t = matrix_create(m->size);

	for (uint32_t a = 0; a < m->size; a++)
		for (uint32_t b = 0; b < m->size; b++)
			*cell(&t, b, a) = *cell(m, a, b);
	return t;
}

/* reach[a][b]: b can be reached from a. */
static struct matrix reachability(const struct matrix *m)
{
	struct matrix reach = matrix_create(m->size);

	for (uint32_t a = 0; a < m->size; a++)
		flood(m, a, UINT32_MAX, cell(&reach, a, 0));
	return reach;
}

/* --- the rules --- */

static bool is_trap(const struct function *f, const struct matrix *reach, uint32_t b)
{
	for (uint32_t e = 0; e < f->block_count; e++)
		if (!f->blocks[e].next_count && *cell(reach, b, e))
			return false;
	return true;
}

static bool goes_on(const struct function *f, const struct matrix *reach, const bool *trap,
                    uint32_t b)
{
	for (uint32_t e = 0; e < f->block_count; e++)
		if ((trap[e] || f->blocks[e].end == END_RETURN) && *cell(reach, b, e))
			return true;
	return false;
}

/* Is it the first block of a loop that nothing leaves? */
static bool is_first(const struct function *f, const struct matrix *reach, uint32_t b)
{
	for (uint32_t o = 0; o < f->block_count; o++)
		if (*cell(reach, b, o) && (o < b || !*cell(reach, o, b)))
			return false;
	return true;
}

static uint32_t node_of(const struct function *f, uint32_t block)
{
	return f->gated[block] ? f->block_count + block : block;
}

/* The edges that count for post-dominance. */
static struct matrix counting_edges(const struct function *f, const bool *on)
{
	uint32_t count = f->block_count, exit = 2 * count;
	struct matrix m = matrix_create(exit + 1);

	for (uint32_t b = 0; b < count; b++) {
		const struct block *block = &f->blocks[b];
		bool choosy = false;

		for (uint32_t i = 0; i < block->next_count; i++)
			choosy |= on[block->next[i]];
		for (uint32_t i = 0; i < block->next_count; i++)
			if (!choosy || on[block->next[i]])
				*cell(&m, b, node_of(f, block->next[i])) = true;
		if (!block->next_count)
			*cell(&m, b, exit) = true;
		if (f->gated[b]) {
			*cell(&m, count + b, b) = true;
			*cell(&m, count + b, exit) = true;
		}
	}
	return m;
}

/* dominates[x][n]: every way from n to the exit goes through x. */
static struct matrix postdominance(const struct matrix *edges)
{
	struct matrix back = transpose(edges), dominates = matrix_create(edges->size);
	bool *marks = malloc(edges->size);

	for (uint32_t x = 0; x < edges->size; x++) {
		memset(marks, 0, edges->size);
		flood(&back, edges->size - 1, x, marks);
		for (uint32_t n = 0; n < edges->size; n++)
			*cell(&dominates, x, n) = !marks[n];
	}
	free(marks);
	free(back.at);
	return dominates;
}

static bool is_dependent(const struct matrix *dominates, uint32_t on, uint32_t way, uint32_t node)
{
	return *cell(dominates, node, way) && (node == on || !*cell(dominates, node, on));
}

static void find_dependences(struct function *f, const struct matrix *dominates)
{
	uint32_t count = f->block_count;

	f->depends = calloc((size_t)2 * count * 2 * count, 1);
	for (uint32_t on = 0; on < 2 * count; on++)
		for (uint32_t node = 0; node < 2 * count; node++) {
			bool *depends = &f->depends[(size_t)on * 2 * count + node];
			const struct block *b = &f->blocks[on % count];

			if (on >= count) {
				*depends = f->gated[on - count] &&
				           is_dependent(dominates, on, on - count, node);
				continue;
			}
			for (uint32_t i = 0; b->end == END_BRANCH && i < b->next_count; i++)
				*depends |=
					is_dependent(dominates, on, node_of(f, b->next[i]), node);
		}
}

void graph_analyse(struct function *f)
{
	uint32_t count = f->block_count;
	struct matrix plain, reach, edges, dominates;
	bool *trap, *on;

	if (f->gated)
		return;
	plain = matrix_create(count);
	trap = calloc(count, 1);
	on = calloc(count, 1);
	f->gated = calloc(count, 1);
	for (uint32_t b = 0; b < count; b++)
		for (uint32_t i = 0; i < f->blocks[b].next_count; i++)
			*cell(&plain, b, f->blocks[b].next[i]) = true;
	reach = reachability(&plain);
	for (uint32_t b = 0; b < count; b++) {
		trap[b] = is_trap(f, &reach, b);
		f->gated[b] = trap[b] && is_first(f, &reach, b);
	}
	for (uint32_t b = 0; b < count; b++)
		on[b] = goes_on(f, &reach, trap, b);
	edges = counting_edges(f, on);
	dominates = postdominance(&edges);
	find_dependences(f, &dominates);
	free(plain.at);
	free(reach.at);
	free(edges.at);
	free(dominates.at);
	free(trap);
	free(on);
}

bool graph_gated(const struct function *f, uint32_t block)
{
	return f->gated[block];
}

bool graph_depends(const struct function *f, uint32_t on, uint32_t node)
{
	return f->depends[(size_t)on * 2 * f->block_count + node];
}
