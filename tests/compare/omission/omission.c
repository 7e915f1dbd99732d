/* A discount that is not given: the wrong value stands because nothing is done about it. */
#include <stdio.h>
#include <stdlib.h>

static int limit, discount;

int main(int argc, char *argv[])
{
	if (argc != 2)
		return 2;
	int total = atoi(argv[1]);
	limit = 10 * 10;
	discount = 0;
	if (total > limit)
		discount = total / 10;
	int price = total - discount;
	printf("%d\n", price);
	return 0;
}
