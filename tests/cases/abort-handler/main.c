/* abort with a handler for SIGABRT that writes and returns: the program dies all the same. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t seen;

static void on_abort(int sig)
{
	seen = sig;
	if (seen == SIGABRT)
		write(2, "handler\n", 8);
}

static void never(void)
{
	write(1, "never\n", 6);
}

int main(void)
{
	atexit(never);
	signal(SIGABRT, on_abort);
	raise(SIGABRT);
	printf("still here %d\n", seen == SIGABRT);
	fflush(stdout);
	abort();
}
