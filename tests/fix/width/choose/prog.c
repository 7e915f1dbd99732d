/* In how many ways can so many things be chosen? */
#include <stdio.h>
#include <stdlib.h>

static int choose(int n, int k)
{
	int i, value = 1; /* should be wider: it is multiplied before it is divided */

	for (i = 1; i <= k; i++) {
		value *= n - i + 1;
		value /= i;
	}
	return value;
}

int main(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2)
		printf("%d\n", choose(atoi(argv[i]), atoi(argv[i + 1])));
	return 0;
}
