/* Bits of a number from the lowest on, and how many are set. */
#include <stdio.h>
#include <stdlib.h>

static int count(unsigned word)
{
	int bits = 0;

	for (int i = 0; word && i < 40; i++) {
		bits += word & 1;
		word = word << 1;
	}
	return bits;
}

int main(int argc, char **argv)
{
	int even = 0;

	for (int i = 1; i < argc; i++) {
		int bits = count((unsigned)atoi(argv[i]));

		printf("%s has %d\n", argv[i], bits);
		even += bits % 2 == 0;
	}
	printf("%d even\n", even);
	return 0;
}
