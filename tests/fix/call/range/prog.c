/* The least and the greatest of numbers, by functions that are passed. */
#include <stdio.h>
#include <stdlib.h>

typedef int choose(int, int);

static int least(int a, int b)
{
	return a < b ? a : b;
}

static int greatest(int a, int b)
{
	return a > b ? a : b;
}

static int fold(choose *which, const int *numbers, int count)
{
	int value = numbers[0];

	for (int i = 1; i < count; i++)
		value = which(value, numbers[i]);
	return value;
}

static int low(const int *numbers, int count)
{
	return fold(least, numbers, count);
}

static int high(const int *numbers, int count)
{
	return fold(greatest, numbers, count);
}

int main(int argc, char **argv)
{
	static int numbers[32];
	int count = argc - 1;

	for (int i = 0; i < count && i < 32; i++)
		numbers[i] = atoi(argv[i + 1]);
	printf("from %d\n", low(numbers, count));
	printf("to %d\n", low(numbers, count));
	printf("span %d of %d numbers\n", high(numbers, count) - low(numbers, count), count);
	return 0;
}
