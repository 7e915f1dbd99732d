/* Powers: prog BASE EXPONENT ... */
#include <stdio.h>
#include <stdlib.h>

static long power(int base, int exponent)
{
	if (exponent == 0)
		return 1;
	return base * power(base, exponent - 1);
}

int main(int argc, char **argv)
{
	long sum = 0;

	for (int i = 1; i + 1 < argc; i += 2) {
		int base = atoi(argv[i]), exponent = atoi(argv[i + 1]);
		long value = power(exponent, base);

		printf("%d^%d = %ld\n", base, exponent, value);
		sum += value;
	}
	printf("%ld\n", sum);
	return 0;
}
