#include <string.h>
#include "maze.h"

static void look_at(struct maze *maze, int x, int y)
{
	struct place place = {x, y};
	if (maze->cells[y][x] == 'S')
		maze->start = place;
	else if (maze->cells[y][x] == 'G')
		maze->goal = place;
}

int maze_read(struct maze *maze, FILE *in)
{
	memset(maze, 0, sizeof *maze);
	maze->start.x = maze->goal.x = -1;
	while (maze->height < SIDE && fgets(maze->cells[maze->height], SIDE + 2, in)) {
		int width = strcspn(maze->cells[maze->height], "\n");
		if (maze->height && width != maze->width)
			return 0;
		maze->width = width;
		for (int x = 0; x < width; x++)
			look_at(maze, x, maze->height);
		maze->height++;
	}
	return maze->start.x >= 0 && maze->goal.x >= 0;
}

void maze_print(struct maze *maze, const struct way *way)
{
	for (int i = 1; i < way->count - 1; i++)
		maze->cells[way->places[i].y][way->places[i].x] = '.';
	for (int y = 0; y < maze->height; y++)
		printf("%.*s\n", maze->width, maze->cells[y]);
}
