/* The game of life on a small board without edges. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 6
#define COLUMNS 8

typedef unsigned char board[ROWS][COLUMNS];

static int neighbours(board cells, int row, int column)
{
	int count = 0;
	for (int dr = -1; dr <= 1; dr++)
		for (int dc = -1; dc <= 1; dc++)
			if (dr || dc)
				count += cells[(row + dr + ROWS) % ROWS][(column + dc + ROWS) % COLUMNS];
	return count;
}

static void step(board cells)
{
	board next;
	for (int row = 0; row < ROWS; row++)
		for (int column = 0; column < COLUMNS; column++) {
			int n = neighbours(cells, row, column);
			next[row][column] = n == 3 || (n == 2 && cells[row][column]);
		}
	memcpy(cells, next, sizeof next);
}

static void print(board cells)
{
	for (int row = 0; row < ROWS; row++) {
		for (int column = 0; column < COLUMNS; column++)
			putchar(cells[row][column] ? '#' : '.');
		putchar('\n');
	}
}

int main(int argc, char **argv)
{
	board cells;
	memset(cells, 0, sizeof cells);
	for (int i = 2; i + 1 < argc; i += 2)
		cells[atoi(argv[i]) % ROWS][atoi(argv[i + 1]) % COLUMNS] = 1;
	for (int i = argc > 1 ? atoi(argv[1]) : 0; i > 0; i--)
		step(cells);
	print(cells);
	return 0;
}
