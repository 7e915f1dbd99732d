/* Seconds as hours, minutes and seconds; the arithmetic is in a shared library. */
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct clock t = clock_of(atoi(argv[i]));

		printf("%02d:%02d:%02d\n", t.hours, t.minutes, t.seconds);
	}
	return 0;
}
