#!/bin/bash
# SIGKILL of the program, by itself and by another: the recording up to there is read all the same.
source "$SRC/tests/run/lib.sh"
build killed <<'END'
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static int step(int i) { return i + 1; }
int main(int argc, char **argv)
{
	int n = 0;
	for (int i = 0; i < 100; i++)
		n = step(n);
	if (argc > 1) {
		FILE *f = fopen(argv[1], "w");
		fprintf(f, "%d\n", (int)getpid());
		fclose(f);
		pause();
	}
	kill(getpid(), SIGKILL);
	return 0;
}
END
run 137 --account account -- ./killed
has account "outcome: signal SIGKILL"
has account "functions: 101"
has account "state: recording"
run 137 -- ./killed
has err "hence: ./killed was killed by SIGKILL"

"$HENCE" run -- ./killed pid 2>err &
await 20 test -s pid
kill -KILL "$(<pid)"
wait $!
[[ $? == 137 ]] || fail "exit code"
nothing_left
has err "hence: ./killed was killed by SIGKILL"
