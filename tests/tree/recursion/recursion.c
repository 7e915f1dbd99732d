/* In how many ways can an amount be paid with coins? */
#include <stdio.h>
#include <stdlib.h>

static const int coins[] = {1, 2, 5, 10};

static long ways(int amount, int largest)
{
	if (amount == 0)
		return 1;
	if (amount < 0 || largest == 0)
		return 0;
	return ways(amount - coins[largest], largest) + ways(amount, largest - 1);
}

int main(int argc, char **argv)
{
	int amount = argc > 1 ? atoi(argv[1]) : 10;
	printf("%d: %ld ways\n", amount, ways(amount, 3));
	return 0;
}
