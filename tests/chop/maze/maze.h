/* The shortest way through a maze. */
#ifndef MAZE_H
#define MAZE_H

#include <stdio.h>

#define SIDE 32

struct place {
	signed char x, y;
};

struct maze {
	char cells[SIDE][SIDE + 2];
	int width, height;
	struct place start, goal;
};

struct way {
	struct place places[SIDE * SIDE];
	int count; /* 0: there is none */
};

/* False: it is no maze. */
int maze_read(struct maze *maze, FILE *in);
void maze_solve(const struct maze *maze, struct way *out);
void maze_print(struct maze *maze, const struct way *way);

#endif
