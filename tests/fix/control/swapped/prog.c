/* Moves on a grid: u, d, l, r. */
#include <stdio.h>

int main(int argc, char **argv)
{
	int x = 0, y = 0, moves = 0;

	for (const char *at = argv[1]; *at; at++) {
		switch (*at) {
		case 'u': y++; break;
		case 'd': y--; break;
		case 'r': x--; break;
		case 'l': x++; break;
		}
		moves++;
		printf("%c%d,%d ", *at, x, y);
	}
	printf("after %d\n", moves);
	return 0;
}
