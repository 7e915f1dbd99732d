#!/bin/bash
# A handler that interrupts another one's instrumented code: the program goes on, recording stops.
# The signals come from stores to protected pages, so they come at the same statement each time.
source "$SRC/tests/run/lib.sh"
build prog <<'END'
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
static char *page[2];
static volatile sig_atomic_t depth, deepest;
static void allow(int sig)
{
	int level = depth;

	(void)sig;
	depth = level + 1;
	if (depth > deepest)
		deepest = depth;
	if (level == 0)
		page[1][0] = 'b';
	mprotect(page[level], 4096, PROT_READ | PROT_WRITE);
	depth = level;
}
int main(void)
{
	struct sigaction action = {.sa_handler = allow, .sa_flags = SA_NODEFER};

	for (int i = 0; i < 2; i++)
		page[i] = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaction(SIGSEGV, &action, NULL);
	page[0][0] = 'a';
	printf("%c%c %d\n", page[0][0], page[1][0], (int)deepest);
	return 7;
}
END
run 7 -- ./prog
only out "ab 2"
like err 'hence: a signal handler that interrupted another one is not supported yet; recorded up to there'
