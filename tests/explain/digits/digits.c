/* The number of digits of a number, by recursion. */
#include <stdio.h>
#include <stdlib.h>

static int digits(int n)
{
	if (n < 9)
		return 1;
	int rest = digits(n / 10);
	return rest + 1;
}

int main(int argc, char *argv[])
{
	if (argc != 2)
		return 2;
	int number = atoi(argv[1]);
	int count = digits(number);
	printf("%d has %d digits\n", number, count);
	return 0;
}
