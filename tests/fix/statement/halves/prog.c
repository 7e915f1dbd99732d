/* Numbers above and below a limit: how many of each, and their sums. */
#include <stdio.h>
#include <stdlib.h>

struct half {
	int count;
	long sum;
};

int main(int argc, char **argv)
{
	struct half above = {0, 0}, below = {0, 0};
	int limit = atoi(argv[1]);

	for (int i = 2; i < argc; i++) {
		int value = atoi(argv[i]);

		if (value > limit) {
			above.sum += value;
			above.count++;
		} else {
			below.sum += value;
		}
	}
	printf("%d above: %ld\n", above.count, above.sum);
	printf("%d below: %ld\n", below.count, below.sum);
	return 0;
}
