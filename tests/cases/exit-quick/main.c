/* quick_exit: its own handlers run, those of atexit do not, and buffers are not flushed by it. */
#include <stdio.h>
#include <stdlib.h>

static void quick_one(void)
{
	printf("quick one\n");
	fflush(stdout);
}

static void quick_two(void)
{
	printf("quick two\n");
	fflush(stdout);
}

static void never(void)
{
	printf("never\n");
}

static void leave(int n)
{
	if (n > 0)
		leave(n - 1);
	quick_exit(21);
}

int main(void)
{
	at_quick_exit(quick_one);
	at_quick_exit(quick_two);
	atexit(never);
	printf("begin\n");
	leave(5);
	return 1;
}
