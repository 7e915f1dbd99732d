/* What parcels cost, from their weights: members pay half. Arguments: m or g (member or guest), then weights. */
#include <stdio.h>
#include <stdlib.h>

static int price(int weight)
{
	return 4 + weight * 2;
}

static int cost(int member, int weight)
{
	return member && weight > 3 ? price(weight) / 2 : price(weight);
}

int main(int argc, char **argv)
{
	int sum = 0;

	for (int i = 2; i < argc; i++) {
		int one = cost(argv[1][0] == 'm', atoi(argv[i]));

		printf("%s kg: %d\n", argv[i], one);
		sum += one;
	}
	printf("%d\n", sum);
	return 0;
}
