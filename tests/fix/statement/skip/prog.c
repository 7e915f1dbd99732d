/* What is not negative counts: how many, the sum, and the last. */
#include <stdio.h>
#include <stdlib.h>

static int sum, count, last;

static void add(int value)
{
	count++;
	sum += value;
	last = value;
	printf("%d\n", value);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		add(atoi(argv[i]));
	printf("%d of sum %d, last %d\n", count, sum, last);
	return 0;
}
