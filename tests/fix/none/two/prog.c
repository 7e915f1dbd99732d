/* Squares and cubes: both are wrong. */
#include <stdio.h>
#include <stdlib.h>

static int square(int n)
{
	return n + n;
}

static int cube(int n)
{
	return n * n + n;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		int n = atoi(argv[i]);

		printf("%d %d %d\n", n, square(n), cube(n));
	}
	return 0;
}
