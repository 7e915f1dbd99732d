#!/bin/bash
# A handler that interrupts another one's instrumented code: the program goes on, recording stops.
source "$SRC/tests/run/lib.sh"
build prog <<'END'
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
static volatile sig_atomic_t outer, inner;
static volatile unsigned work;
static void in(int sig)
{
	for (int i = 0; i < 100000; i++)
		work += (unsigned)i;
	inner += sig == SIGVTALRM;
}
static void out(int sig)
{
	struct itimerval once = {{0, 0}, {0, 1000}};

	setitimer(ITIMER_VIRTUAL, &once, NULL);
	while (!inner)
		work = work * 3 + 1;
	outer += sig == SIGALRM;
}
int main(void)
{
	struct itimerval once = {{0, 0}, {0, 1000}};

	signal(SIGALRM, out);
	signal(SIGVTALRM, in);
	setitimer(ITIMER_REAL, &once, NULL);
	while (!outer)
		work++;
	printf("%d %d\n", (int)outer, (int)inner);
	return 7;
}
END
run 7 -- ./prog
only out "1 1"
like err 'hence: a signal handler that interrupted another one is not supported yet; recorded up to there'
