#!/bin/bash
# A program that does not always behave the same: verdicts that do not agree are reported and not used.
. "$SRC/tests/reduce/lib.sh"

# It fails for sure with an 'x'; with a 'y' and no 'x' it fails in about half of its runs.
both dice <<'END'
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	for (int i = 1; i < argc; i++)
		if (strchr(argv[i], 'x'))
			return 6;
	for (int i = 1; i < argc; i++)
		if (strchr(argv[i], 'y'))
			return (now.tv_nsec / 100 % 7 + getpid()) % 2 ? 6 : 0;
	return 0;
}
END
for program in ./dice ./dice.h; do
	reduce 0 --repeat 12 -o small -- $program ayyb yyxc dy
	# Whatever is left fails always.
	printf 'x\0' | cmp - small || fail "left: $(tr '\0' ' ' <small)"
	like out 'runs of the same input did not agree for [0-9]+ inputs?; of the first, one run exited with status [06], another exited with status [06]'
	reduce 0 --json --repeat 12 -- $program ayyb yyxc dy
	grep -q '"flaky":{"inputs":[1-9]' out || fail "nothing about it in the JSON"
done

# It fails only sometimes: nothing can be said.
for ((i = 0; i < 20; i++)); do
	"$HENCE" reduce --repeat 20 -- ./dice y </dev/null >out 2>err
	code=$?
	[[ $code != 1 ]] || continue # the first run happened to pass
	[[ $code == 3 ]] || fail "exit code $code, not 3"
	like err 'hence: \./dice fails only sometimes: one run exited with status [06], another exited with status [06]; .*'
	exit 0
done
fail "in $i runs it never failed at first"
