#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static volatile sig_atomic_t seen;
static void on_signal(int number)
{
	seen = number;
}
static void at_end(void)
{
	puts("end");
}
int main(void)
{
	atexit(at_end);
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	if (seen == SIGUSR1)
		puts("seen");
	exit(0);
}
