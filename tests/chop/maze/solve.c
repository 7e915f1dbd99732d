/* Goes through all places in the order of their distance from the start. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "maze.h"

struct search {
	const struct maze *maze;
	struct place from[SIDE][SIDE]; /* where we came from */
	char seen[SIDE][SIDE];
	struct place queue[SIDE * SIDE];
	int first, end;
};

static int is_free(const struct maze *maze, int x, int y)
{
	return x >= 0 && x < maze->width && y >= 0 && y < maze->height && maze->cells[y][x] != '#';
}

static void visit(struct search *search, struct place from, int x, int y)
{
	if (!is_free(search->maze, x, y) || search->seen[y][x])
		return;
	struct place place = {x, y};
	search->seen[y][x] = 1;
	search->from[y][x] = from;
	search->queue[search->end++] = place;
}

static int is_same(struct place a, struct place b)
{
	return a.x == b.x && a.y == b.y;
}

/* The way back from the goal, reversed. */
static void collect(const struct search *search, struct way *out)
{
	struct place back[SIDE * SIDE] = {{0, 0}};
	int count = 0;
	struct place at = search->maze->goal;
	for (; !is_same(at, search->maze->start); at = search->from[at.y][at.x])
		back[count++] = at;
	back[count++] = at;
	for (int i = 0; i < count; i++)
		out->places[i] = back[count - i];
	out->count = count;
}

static void check(const struct way *way)
{
	for (int i = 1; i < way->count; i++) {
		struct place a = way->places[i - 1], b = way->places[i];
		assert(abs(a.x - b.x) + abs(a.y - b.y) == 1);
	}
}

void maze_solve(const struct maze *maze, struct way *out)
{
	static struct search search;
	memset(&search, 0, sizeof search);
	search.maze = maze;
	out->count = 0;
	visit(&search, maze->start, maze->start.x, maze->start.y);
	while (search.first < search.end) {
		struct place at = search.queue[search.first++];
		if (is_same(at, maze->goal)) {
			collect(&search, out);
			break;
		}
		visit(&search, at, at.x, at.y - 1);
		visit(&search, at, at.x + 1, at.y);
		visit(&search, at, at.x, at.y + 1);
		visit(&search, at, at.x - 1, at.y);
	}
	check(out);
}
