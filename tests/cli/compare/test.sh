#!/bin/bash
# The command line of `hence compare`. What it shares with `hence explain` is tested there; chains are in tests/compare.
source "$SRC/tests/run/lib.sh"

# compare CODE ARGS...
compare() {
	hence_exits "$1" compare "${@:2}"
}

build scale -g <"$SRC/tests/cli/explain/scale.c"
build confounded -g <"$SRC/tests/compare/confounded/confounded.c"
"$CLANG" -O1 "$SRC/tests/chop/flatten.c" -o flatten || fail "cannot build flatten"

# --- text and JSON ---
compare 0 --expect-text 'result 24' --pass 8 -- ./scale 12
like out ' *[0-9]+\. result is 36 \(not 16\).*'
like out ' *[0-9]+\. n > 9 is true \(not false\).*'
compare 0 --json --expect-text 'result 24' --pass 8 -- ./scale 12
./flatten <out >flat || fail "this is no JSON"
like flat '\.verdict	explained'
like flat '\.steps\[0\]\.method	compare'
like flat '\.stats\.experiments	[0-9]+'
! grep -q '^\.counts' flat || fail "counts nobody asked for"

# --- rails: z is needed only without them ---
compare 0 --expect-text 100 --pass 4 -- ./confounded 5
! grep -q 'z is' out || fail "z has no part in it"
compare 0 --no-rails --expect-text 100 --pass 4 -- ./confounded 5
like out '.*z is 18 \(not 15\).*'

# --- the exact model: it needs no rails ---
compare 0 --exact --expect-text 100 --pass 4 -- ./confounded 5
like out '- the exact model finds what experiments do at [1-9][0-9]* points, something else at 0,'
compare 0 --exact --no-rails --expect-text 100 --pass 4 -- ./confounded 5
! grep -q 'z is' out || fail "z has no part in it, whatever experiments say"
like out '- at statement [0-9]+ of the failing run the exact model finds y, experiments y, z'

# --- counts ---
compare 0 --count --json --expect-text 100 --pass 4 -- ./confounded 5
./flatten <out >flat || fail "this is no JSON"
like flat '\.counts\.points	4'
like flat '\.counts\.cut\.candidates	4'
like flat '\.counts\.cut\.experiments	8'
like flat '\.counts\.plain\.candidates	1[0-9]'
compare 0 --count --expect-text 100 --pass 4 -- ./confounded 5
like out '- at the 4 points above, the cut of the dual slice has 4 variables; it took 8'

# --- the dual slice ---
compare 0 --dual-slice --expect-text 'result 24' --pass 8 -- ./scale 12
like out 'failing +scale\.c:7 +scale: n > 9 is true'
like out 'reference +scale\.c:7 +scale: n > 9 is false'
compare 0 --dual-slice --json -o slice --expect-text 'result 24' --pass 8 -- ./scale 12
./flatten <slice >flat || fail "this is no JSON"
like flat '\.dual_slice\[0\]\.failing\.statement	[0-9]+'

# --- exit codes and messages of its own ---
compare 1 -- ./scale 12
like err 'hence: \./scale does not fail: .*'
compare 2
only err "hence: no program given; use 'hence compare [OPTIONS] -- ./prog ARGS'"
compare 2 scale.c -- 12
only err "hence: scale.c is a source file; 'hence explain' compiles sources, this command wants a program"
compare 2 --dual-slices -- ./scale
only err 'hence: hence compare has no option --dual-slices; did you mean --dual-slice?'
compare 2 --all-points -- ./scale
like err 'hence: hence compare has no option --all-points.*'
compare 0 --help
like out '  --dual-slice .*'

# --- a loop that propagates the cause from iteration to iteration is not told iteration by iteration ---
build loop -g <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int step = atoi(argv[1]), sum = 0;
	for (int i = 0; i < 2000; i++)
		sum = sum + step;
	printf("%d\n", sum);
	return 0;
}
C
compare 0 --json --no-reduce --expect-text 4000 --pass 2 -- ./loop 3
./flatten <out >flat || fail "this is no JSON"
like flat '\.steps\[0\]\.(values\[0\]\.)?variable	argv\[1\]'
(($(grep -c '^\.steps\[[0-9]*\]\.method' flat) < 60)) || fail "each iteration is a step"
like out '.*of a loop that hands causes on.*'
