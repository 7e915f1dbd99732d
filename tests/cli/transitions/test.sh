#!/bin/bash
# The command line of `hence transitions`. What it shares with `hence explain` is tested there.
source "$SRC/tests/run/lib.sh"

# transitions CODE ARGS...
transitions() {
	hence_exits "$1" transitions "${@:2}"
}

build scale -g <"$SRC/tests/cli/explain/scale.c"

# --- text, and the table of points ---
transitions 0 --expect-text 'result 24' --pass 8 -- ./scale 12
like out ' *[0-9]+\. result is 36 \(not 16\).*'
! grep -q '^  failing' out || fail "a table nobody asked for"
transitions 0 --all-points --expect-text 'result 24' --pass 8 -- ./scale 12
like out '  failing  reference  place .* cause'
like out ' +[0-9]+ +[0-9]+  scale\.c:15 +printf.* result = 36'
like out '-{20,}'

# --- JSON, messages ---
"$CLANG" -O1 "$SRC/tests/chop/flatten.c" -o flatten || fail "cannot build flatten"
transitions 0 --json --all-points --expect-text 'result 24' --pass 8 -- ./scale 12
./flatten <out >flat || fail "this is no JSON"
like flat '\.verdict	explained'
like flat '\.steps\[0\]\.method	transitions'
like flat '\.points\[0\]\.failing_time	[0-9]+'
like flat '\.points\[0\]\.variables\[0\]\.failing	.+'
transitions 0 --format gcc --expect-text 'result 24' --pass 8 -- ./scale 12
like out 'scale\.c:15:[0-9]+: error: .*'

# --- exit codes and messages of its own ---
transitions 1 -- ./scale 12
like err 'hence: \./scale does not fail: .*'
transitions 2
only err "hence: no program given; use 'hence transitions [OPTIONS] -- ./prog ARGS'"
transitions 2 scale.c -- 12
only err "hence: scale.c is a source file; 'hence explain' compiles sources, this command wants a program"
transitions 2 --all-point -- ./scale
only err 'hence: hence transitions has no option --all-point; did you mean --all-points?'
transitions 1 --pass-prog ./scale -- ./scale 12
only err 'hence: ./scale does not fail: it exited with status 0 and prints the same as ./scale; give a build that does something else with --pass-prog'
transitions 3 --expect-text 'result 1' -- ./scale
like out 'no cause could be proven'
hence_exits 0 transitions --help
like out '  --all-points .*'
