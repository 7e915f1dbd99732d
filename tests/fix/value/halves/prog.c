/* Cuts a row in two halves, the smaller one first, and prints the sum of each. */
#include <stdio.h>
#include <stdlib.h>

static int row[32];

static int add_up(int first, int count)
{
	int sum = 0;

	for (int i = first; i < first + count; i++)
		sum += row[i];
	return sum;
}

int main(int argc, char **argv)
{
	int size = 0, left, right;

	for (int i = 1; i < argc && size < 32; i++)
		row[size++] = atoi(argv[i]);
	left = size / 2;
	right = left; /* what is left of a row of odd length, too */
	printf("%d of %d, %d of %d\n", add_up(0, left), left, add_up(left, right), right);
	return 0;
}
