/* The fewest coins, as in ../coins; there is nothing that rules accidents out. */
#include <stdio.h>
#include <stdlib.h>

static const int coins[] = {5, 4, 1};

int main(int argc, char **argv)
{
	int sum = atoi(argv[1]), count = 0;

	for (int i = 0; i < 3; i++)
		while (sum >= coins[i]) {
			sum -= coins[i];
			count++;
		}
	printf("%d\n", count);
	return 0;
}
