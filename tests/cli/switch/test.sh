#!/bin/bash
# The command line of `hence switch`: formats, ends, and bad input. What it finds, tests/switch shows.
source "$SRC/tests/run/lib.sh"

# switches CODE ARGS...
switches() {
	hence_exits "$1" switch "${@:2}"
}

build scale -g <"$SRC/tests/cli/explain/scale.c"
build many -g <<'END_C'
#include <stdio.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int hits = 0, i = 0;
	while (i < 40) {
		if (i == 20)
			hits++;
		i++;
	}
	if (argc > 1)
		hits += getpid() % 2 + getpid();
	printf("%d\n", hits);
	return 0;
}
END_C

# --- five are enough, or all ---
switches 0 --expect-text 0 -- ./many
[[ $(grep -c 'would have passed' out) == 5 ]] || fail "not five: $(<out)"
# The loop ends early, at any of 21 tests, or the one hit is left out.
switches 0 --all --expect-text 0 -- ./many
[[ $(grep -c 'would have passed' out) == 22 ]] || fail "not all: $(<out)"
switches 0 --all -j1 --expect-text 0 -o other -- ./many
[[ ! -s out ]] || fail "something was printed though -o was given"
cmp <(grep 'would have' other) <(switches 0 --all -j2 --expect-text 0 -- ./many; grep 'would have' out) ||
	fail "the result depends on the number of workers"

# --- JSON and gcc ---
"$CLANG" -O1 "$SRC/tests/chop/flatten.c" -o flatten || fail "cannot build flatten"
switches 0 --json --first --expect-text 0 -- ./many
./flatten <out >flat || fail "this is no JSON"
like flat '\.failure\.kind	wrong-output'
like flat '\.predicates\[0\]\.line	7'
like flat '\.predicates\[0\]\.instance	1'
like flat '\.predicates\[0\]\.instances	41'
like flat '\.predicates\[0\]\.failing	true'
like flat '\.predicates\[0\]\.patched	false'
like flat '\.predicates\[0\]\.exact	true'
# The test of the loop and the if take turns: the fifth test is the ninth branch.
like flat '\.experiments	9'
like flat '\.complete	true'
switches 0 --format gcc --expect-text 0 -- ./many
like out 'many\.c:[0-9]+:[0-9]+: note: .* would have passed'

# --- the check that failed is shown, but is no answer ---
build checked -g <<'END'
#include <assert.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int sum = atoi(argv[1]);
	assert(sum == 12);
	return 0;
}
END
switches 3 -- ./checked 7
like out 'checked\.c:6:.* since it would not have been checked'
like out '.* none but these makes the program pass; .*'

# --- ends and bad input ---
switches 1 -- ./many
like err 'hence: \./many does not fail: .*'
switches 2
only err "hence: no program given; use 'hence switch [OPTIONS] -- ./prog ARGS'"
switches 2 --frist -- ./many
only err 'hence: hence switch has no option --frist; did you mean --first?'
switches 2 --pass-prog ./scale -- ./scale 12
only err 'hence: hence switch compares with no other program; give what is right with --expect FILE instead of --pass-prog'
switches 2 --expect-text 0 -- ./nowhere
like err 'hence: .*nowhere.*'
"$CLANG" -g many.c -o plain || fail "cannot build plain"
switches 2 --expect-text 0 -- ./plain
like err 'hence: \./plain was not built with hence cc; .*'
switches 3 --expect-text 7777 --time 0.01 -- ./many
# Its output is another one each time: nothing can be said.
switches 3 --expect-text 7 -- ./many x
hence_exits 0 switch --help
like out '  --first .*'
