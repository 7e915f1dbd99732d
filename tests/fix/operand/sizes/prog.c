/* A box: edges, base, surface and volume. */
#include <stdio.h>
#include <stdlib.h>

static int surface(int width, int height, int depth)
{
	return 2 * (width * height + width * depth + height * depth);
}

int main(int argc, char **argv)
{
	int width = atoi(argv[1]), height = atoi(argv[2]), depth = atoi(argv[3]);
	int base = width * height;
	int volume = base;

	printf("edges %d\n", 4 * (width + height + depth));
	printf("base %d, surface %d\n", base, surface(width, height, depth));
	printf("volume %d\n", volume);
	printf("half of it %d\n", volume / 2);
	return 0;
}
