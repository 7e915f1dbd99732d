/* Sorts numbers with qsort(). */
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	int x = *(const int *)a;
	int y = *(const int *)b;
	int difference = x - y;
	return difference;
}

int main(int argc, char *argv[])
{
	int numbers[16];
	int count = argc - 1;
	if (count > 16)
		return 2;
	for (int i = 0; i < count; i++)
		numbers[i] = atoi(argv[i + 1]);
	qsort(numbers, count, sizeof numbers[0], compare);
	for (int i = 0; i < count; i++)
		printf("%d\n", numbers[i]);
	return 0;
}
