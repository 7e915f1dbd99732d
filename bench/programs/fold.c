/* A loop in which nearly all that is done comes to the result, so that a slice of it is large. Its exit status is
   the result. The argument is a number of rounds of about a million IR instructions each. */
#include <stdlib.h>

#define STEPS 17700

static unsigned table[256];

static unsigned mix(unsigned a, unsigned b)
{
	return (a ^ b) * 31 + (a >> 7);
}

int main(int argc, char **argv)
{
	unsigned steps = (unsigned)(argc > 1 ? atoi(argv[1]) : 1) * STEPS, sum = (unsigned)argc;

	for (unsigned i = 0; i < steps; i++) {
		unsigned k = sum & 255;

		table[k] = mix(table[k], i);
		if (table[k] & 1)
			sum += table[(k + i) & 255];
		else
			sum = mix(sum, table[k]);
	}
	return (int)(sum & 127);
}
