/* A rotation as a matrix: prog COS SIN */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int c = argc > 1 ? atoi(argv[1]) : 0, s = argc > 2 ? atoi(argv[2]) : 0;

	if (argc < 3)
		return 0;
	printf("%d %d\n0 0 \n%d \n0 %d\n", c, -s, s, c);
	return 0;
}
