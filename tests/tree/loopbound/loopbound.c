/* Counts the primes up to a limit with a sieve. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4000

static char composite[MOST + 1];

static void strike_out(int p, int limit)
{
	for (int i = p * p; i <= limit; i += p)
		composite[i] = 1;
}

static int count_primes(int limit)
{
	int count = 0;
	for (int p = 2; p * p < limit; p++)
		if (!composite[p])
			strike_out(p, limit);
	for (int p = 2; p <= limit; p++)
		if (!composite[p])
			count++;
	return count;
}

int main(int argc, char **argv)
{
	int limit = argc > 1 ? atoi(argv[1]) : 100;
	if (limit > MOST)
		return 2;
	printf("%d primes up to %d\n", count_primes(limit), limit);
	return 0;
}
