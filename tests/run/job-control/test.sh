#!/bin/bash
# Job control: the terminal stops the job, hence stops with it, and both go on.
source "$SRC/tests/run/lib.sh"
build ticker <<'END'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	FILE *f = fopen("pid", "w");
	fprintf(f, "%d\n", (int)getpid());
	fclose(f);
	while (access("stop", F_OK))
		usleep(1000);
	puts("done");
	return 0;
}
END
both_are() { # LETTER
	state_is "$leader" "$1" && state_is "$pid" "$1"
}

session "$HENCE" run -- ./ticker
await 20 test -s pid
pid=$(<pid)

# A signal for the group, as Ctrl-Z sends it. (An orphaned group ignores SIGTSTP, so this is SIGSTOP for
# the program and SIGTSTP for hence.)
kill -STOP "$pid"
kill -TSTP "$leader"
await 10 state_is "$leader" T
await 10 state_is "$pid" '[Tt]'
kill -CONT -- -"$leader"
await 10 both_are S

# Only hence is told to go on.
kill -STOP "$pid"
kill -TSTP "$leader"
await 10 state_is "$leader" T
kill -CONT "$leader"
await 10 both_are S

# Only the program is stopped and goes on: hence just waits.
kill -STOP "$pid"
await 10 state_is "$pid" '[Tt]'
sleep 0.2
! state_is "$leader" T || fail "hence stopped too"
kill -CONT "$pid"
await 10 state_is "$pid" S

touch stop
wait "$leader" || fail "exit code $?"
has out done
has err "hence: ./ticker exited with status 0"
nothing_left
