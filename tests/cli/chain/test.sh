#!/bin/bash
# The command line of `hence chain`. What it shares with `hence explain` is tested there.
source "$SRC/tests/run/lib.sh"

# chain CODE ARGS...
chain() {
	hence_exits "$1" chain "${@:2}"
}

build scale -g <"$SRC/tests/cli/explain/scale.c"
"$CLANG" -O1 "$SRC/tests/chop/flatten.c" -o flatten || fail "cannot build flatten"

# --- both algorithms ---
chain 0 --expect-text 'result 24' --pass 8 -- ./scale 12
like out ' *[0-9]+\. result is 36 \(not 16\).*'
chain 0 --json --expect-text 'result 24' --pass 8 -- ./scale 12
cp out ideal.json
./flatten <out >flat || fail "this is no JSON"
like flat '\.verdict	explained'
like flat '\.steps\[0\]\.method	chain'
! grep -q '^\.quality' flat || fail "a measure nobody asked for"
chain 0 --json --algorithm hierarchical --expect-text 'result 24' --pass 8 -- ./scale 12
./flatten <out >flat.other || fail "this is no JSON"
for part in variable failing reference cause.line; do
	cmp -s <(grep "^\.steps.*\.$part	" flat) <(grep "^\.steps.*\.$part	" flat.other) || fail "another $part"
done
chain 0 --algorithm=dependence --expect-text 'result 24' --pass 8 -- ./scale 12

# --- against a chain: its own ---
chain 0 --against ideal.json --expect-text 'result 24' --pass 8 -- ./scale 12
like out '- against ideal\.json: coverage 100 % .*, relevance 100 %.*'
chain 0 --json --against ideal.json --expect-text 'result 24' --pass 8 -- ./scale 12
./flatten <out >flat || fail "this is no JSON"
like flat '\.quality\.coverage	1\.00'
like flat '\.quality\.relevance	1\.00'
like flat '\.quality\.edit_distance	0'
like flat '\.quality\.root	true'

# --- exit codes and messages of its own ---
chain 1 -- ./scale 12
like err 'hence: \./scale does not fail: .*'
chain 2
only err "hence: no program given; use 'hence chain [OPTIONS] -- ./prog ARGS'"
chain 2 scale.c -- 12
only err "hence: scale.c is a source file; 'hence explain' compiles sources, this command wants a program"
chain 2 --algorithm fast -- ./scale 12
like err 'hence: .*--algorithm.*fast.*'
chain 2 --agains ideal.json -- ./scale 12
only err 'hence: hence chain has no option --agains; did you mean --against?'
chain 2 --against missing.json -- ./scale 12
like err 'hence: cannot read missing\.json: .*'
echo '{"steps": []}' >other.json
chain 2 --against other.json -- ./scale 12
like err 'hence: other\.json is no report of hence: .*'
chain 2 --all-points -- ./scale 12
like err 'hence: hence chain has no option --all-points.*'
hence_exits 0 chain --help
like out '.*--against FILE.*'
