#!/bin/bash
# Signals to hence. Ctrl-C goes to the whole process group; the account still comes, and nothing stays.
source "$SRC/tests/run/lib.sh"
build sleeper <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void clean(int n) { printf("cleaned up after %s\n", n == SIGINT ? "SIGINT" : "SIGTERM"); exit(7); }
int main(int argc, char **argv)
{
	if (!strcmp(argv[1], "ignore"))
		signal(SIGINT, SIG_IGN);
	if (!strcmp(argv[1], "handle")) {
		signal(SIGINT, clean);
		signal(SIGTERM, clean);
	}
	FILE *f = fopen("pid", "w");
	fprintf(f, "%d\n", (int)getpid());
	fclose(f);
	for (;;)
		pause();
}
END

start() { # HOW
	rm -f pid
	session "$HENCE" run -- ./sleeper "$1"
	await 20 test -s pid
	pid=$(<pid)
}

ended() { # CODE
	wait "$leader"
	local code=$?
	[[ $code == "$1" ]] || fail "exit code $code, not $1"
	gone "$pid" || fail "the program still runs"
	nothing_left
}

start default
kill -INT -- -"$leader"
ended 130
like err 'hence: \./sleeper was killed by SIGINT .*'
like err 'hence: tape .*'

start handle
kill -INT -- -"$leader"
ended 7
has out "cleaned up after SIGINT"
has err "hence: ./sleeper exited with status 7"

# One that does not listen is killed by the second.
start ignore
kill -INT -- -"$leader"
sleep 0.3
gone "$pid" && fail "the first SIGINT killed it"
kill -INT -- -"$leader"
ended 137
has err "hence: ./sleeper was killed by SIGKILL"

# SIGTERM to hence alone is handed on.
start handle
kill -TERM "$leader"
ended 7
has out "cleaned up after SIGTERM"

start default
kill -HUP "$leader"
ended 129

# SIGKILL to hence: the program dies too, and a guard removes the session.
is_clean() {
	[[ -z $(ls -A "$HENCE_TAPE_DIR") ]]
}
start default
kill -KILL "$leader"
wait "$leader" 2>/dev/null
await 10 gone "$pid"
await 10 is_clean
nothing_left
