#!/bin/bash
# Programs that handle SIGSEGV themselves are not disturbed; a handler that dies of the signal is no
# hiding place.
source "$SRC/tests/run/lib.sh"
build handler -w <<'END'
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>

static sigjmp_buf back;
static char *page;
static int fixed;

static void jump(int n) { siglongjmp(back, n); }
static void fix(int n, siginfo_t *info, void *context)
{
	if (info->si_addr != page)
		_exit(9);
	mprotect(page, 4096, PROT_READ | PROT_WRITE);
	fixed++;
}
static void again(int n)
{
	signal(n, SIG_DFL);
	raise(n);
}
static void refault(int n) { signal(n, SIG_DFL); }

static int crash(int *p) { return *p; } /* the place */

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_sigaction = fix, .sa_flags = SA_SIGINFO};

	switch (argv[1][0]) {
	case 'j':
		signal(SIGSEGV, jump);
		for (volatile int i = 0; i < 3; i++)
			if (!sigsetjmp(back, 1))
				crash(0);
		puts("survived");
		return 0;
	case 'f':
		page = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		sigaction(SIGSEGV, &action, 0);
		*page = 1;
		printf("fixed %d\n", fixed);
		return 0;
	case 'r':
		signal(SIGSEGV, again);
		return crash(0);
	case 'd':
		signal(SIGSEGV, refault);
		return crash(0);
	case 'i':
		signal(SIGTERM, SIG_IGN);
		raise(SIGTERM);
		puts("ignored");
		return 0;
	}
}
END
run 0 -- ./handler j
only out survived
run 0 -- ./handler f
only out "fixed 1"
run 0 -- ./handler i
only out ignored
at=$(grep -n 'the place' handler.c | cut -d: -f1)
run 139 -- ./handler r
like err "hence: \./handler was killed by SIGSEGV \(invalid address 0x0\) at handler\.c:$at:[0-9]+ in crash\(\)"
run 139 -- ./handler d
like err "hence: \./handler was killed by SIGSEGV \(invalid address 0x0\) at handler\.c:$at:[0-9]+ in crash\(\)"
