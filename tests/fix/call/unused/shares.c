/* Shares money out so that nothing is left to pay. */
#include "shares.h"

#include <stdio.h>
#include <stdlib.h>

long share_down(long cents, long persons)
{
	return cents / persons;
}

/* Nothing calls it, so the library's table of what it calls does not have it. */
long share_up(long cents, long persons)
{
	return (cents + persons - 1) / persons;
}

long pay(const char *cents, const char *heads)
{
	long persons = labs(atol(heads));
	long share = share_down(atol(cents), persons);

	printf("%ld persons pay %ld\n", persons, share);
	fflush(stdout);
	return persons * share;
}
