/* _exit from inside a call chain: no handlers, no flush; only what was written before appears. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void never(void)
{
	write(1, "never\n", 6);
}

static int factorial(int n)
{
	if (n == 0)
		_exit(77);
	return n * factorial(n - 1);
}

int main(void)
{
	atexit(never);
	printf("flushed\n");
	fflush(stdout);
	printf("lost in the buffer");
	return factorial(6);
}
