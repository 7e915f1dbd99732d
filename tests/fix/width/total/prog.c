/* Prices: prog COUNT PRICE ... */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	long total = 0;

	for (int i = 1; i + 1 < argc; i += 2) {
		unsigned count = (unsigned)atoi(argv[i]), price = (unsigned)atoi(argv[i + 1]);
		long sum = count * price;

		printf("%u at %u: %ld\n", count, price, sum);
		total += sum;
	}
	printf("%ld\n", total);
	return 0;
}
