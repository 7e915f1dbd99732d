/* Sums so far. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int sum = 0, count = 0;

	for (int i = 1; i < argc; i++) {
		int value = atoi(argv[i]);

		sum += value;
		count++;
		if (value > 5)
			sum = value;
		printf("%d: %d\n", count, sum);
		if (value % 2)
			sum--;
	}
	printf("%d\n", sum);
	return 0;
}
