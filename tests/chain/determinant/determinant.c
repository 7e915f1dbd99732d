/* The determinant of nine numbers, by the first row. */
#include <stdio.h>
#include <stdlib.h>

#define SIZE 3

static long m[SIZE][SIZE];

static long minor(int column)
{
	int left = column == 0 ? 1 : 0;
	int right = column == SIZE - 1 ? SIZE - 2 : SIZE - 1;
	return m[1][left] * m[2][right] - m[1][right] * m[2][left];
}

static long determinant(void)
{
	long sum = 0;
	int sign = 1;
	for (int column = 0; column < SIZE; column++) {
		sum += sign * m[0][column] * minor(column);
		sign = -1;
	}
	return sum;
}

int main(int argc, char *argv[])
{
	if (argc != SIZE * SIZE + 1)
		return 2;
	for (int i = 0; i < SIZE * SIZE; i++)
		m[i / SIZE][i % SIZE] = atol(argv[i + 1]);
	printf("%ld\n", determinant());
	return 0;
}
