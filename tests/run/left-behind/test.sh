#!/bin/bash
# Processes that go on after the program has ended get two seconds, then they are killed and counted.
source "$SRC/tests/run/lib.sh"
build daemon <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	if (fork())
		return 4;
	setsid();
	usleep(200000);
	puts("later");
	fflush(stdout);
	if (argc > 1) {
		FILE *f = fopen("pid", "w");
		fprintf(f, "%d\n", (int)getpid());
		fclose(f);
		for (;;)
			pause();
	}
	return 0;
}
END
run 4 -- ./daemon
only out later
run 4 -- ./daemon stay
only out later
has err "hence: 1 process still ran when ./daemon had ended, and was killed"
gone "$(<pid)" || fail "it still runs"
