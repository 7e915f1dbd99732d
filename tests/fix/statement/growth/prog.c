/* A sum of steps, each twice as long as the one before it. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	long step = atol(argv[1]), total = 0;
	int count = atoi(argv[2]);

	for (int i = 0; i < count; i++) {
		printf("%ld ", total);
		step *= 2;
		total += step;
	}
	printf("total %ld, next %ld\n", total, step);
	return 0;
}
