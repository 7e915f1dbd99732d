#!/bin/bash
# A program that dies in a handler which interrupted its own code: the tape is as long as what was
# written, and it can be read.
source "$SRC/tests/run/lib.sh"
build prog <<'END'
#include <signal.h>
#include <stdlib.h>
static volatile int *null, n;
static void die(int sig)
{
	n += sig;
	*null = n;
}
int main(void)
{
	signal(SIGSEGV, SIG_DFL);
	signal(SIGFPE, die);
	for (int i = 0; i < 100; i++)
		n++;
	return n / (n - 100);
}
END
run 139 --account account -- ./prog
has account "functions: 2"
like account 'outcome: signal SIGSEGV at .*prog.c:7:8 in die'
bytes=$(sed -n 's/^tape-bytes: //p' account)
((bytes > 500 && bytes < 100000)) || fail "$bytes bytes of tape"
