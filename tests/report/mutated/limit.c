/* Adds numbers and stops at a limit, wrongly. Nothing that it is given makes it long. */
#include <stdio.h>
#include <stdlib.h>

static int capped(int sum, int limit)
{
	if (sum >= limit)
		sum -= 1;
	return sum;
}

int main(int argc, char **argv)
{
	int sum = 0;

	for (int i = 1; i < argc && i < 5; i++)
		sum += atoi(argv[i]) % 1000;
	printf("%d\n", capped(sum, 10));
	return 0;
}
