/* The greatest common divisor of two numbers, by taking the smaller from the larger. */
#include <stdio.h>
#include <stdlib.h>

static int gcd(int a, int b)
{
	while (a != b) {
		if (a > b)
			a -= b;
		else
			b -= a;
	}
	return a;
}

int main(int argc, char *argv[])
{
	if (argc != 3)
		return 2;
	int left = atoi(argv[1]);
	int right = atoi(argv[2]);
	int divisor = gcd(left, right);
	printf("%d\n", divisor);
	return 0;
}
