/* Shares money out: prog CENTS PERSONS ... */
#include <stdio.h>

#include "shares.h"

int main(int argc, char **argv)
{
	long paid = 0;

	for (int i = 1; i + 1 < argc; i += 2)
		paid += pay(argv[i], argv[i + 1]);
	printf("%ld\n", paid);
	return 0;
}
