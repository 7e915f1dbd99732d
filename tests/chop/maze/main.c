/* maze FILE: prints the shortest way from S to G. */
#include "maze.h"

int main(int argc, char **argv)
{
	static struct maze maze;
	static struct way way;
	FILE *in = argc == 2 ? fopen(argv[1], "r") : NULL;
	if (!in || !maze_read(&maze, in)) {
		fprintf(stderr, "usage: maze FILE\n");
		return 2;
	}
	fclose(in);
	maze_solve(&maze, &way);
	if (!way.count) {
		puts("there is no way");
		return 1;
	}
	maze_print(&maze, &way);
	printf("%d steps\n", way.count - 1);
	return 0;
}
