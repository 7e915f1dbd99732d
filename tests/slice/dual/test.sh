#!/bin/bash
# What dual slices have must be what the definition says, which naive.c follows slowly: random programs whose way depends
# on their input, a program that uses all kinds of data, and the programs of tests/explain. `make test-long` does
# ten times as many.
set -u

seeds=(1 2) uses=({1..8}) programs=(badge bank dispatch fields hash list names order packet tree)
[[ ${HENCE_TEST_LONG-} != 1 ]] || seeds=({1..20}) uses=({1..80})
failures=0 compared=0

fail() {
	echo "$*"
	exit 1
}

# same NAME: the last two runs of the session.
same() {
	local out
	compared=$((compared + 1))
	out=$(./naive "$B/models" "$HENCE_SESSION" $((2 * compared - 2)) $((2 * compared - 1)) 2>&1) && return
	echo "$1: $out"
	failures=$((failures + 1))
}

# run_program FOLDER: its failing and its passing input.
run_program() {
	local words arguments=() pass='' input=/dev/null other='' i
	mkdir -p programs/"${1##*/}" && cp "$1"/* programs/"${1##*/}" && cd programs/"${1##*/}" || fail "cannot copy $1"
	"$HENCE_CC" -w ./*.c -o prog || fail "$1: hence cc"
	eval "words=($(<command))"
	for ((i = 0; i < ${#words[@]}; i++)); do
		case ${words[i]} in
		--pass) pass=${words[i + 1]} ;;
		--stdin) input=${words[i + 1]} ;;
		--pass-stdin) other=${words[i + 1]} ;;
		--) arguments=("${words[@]:i+1}") && break ;;
		esac
	done
	timeout 20 "${arguments[@]}" <"$input" >/dev/null 2>&1
	[[ ! $pass ]] || eval "arguments=(${arguments[0]} $pass)"
	timeout 20 "${arguments[@]}" <"${other:-$input}" >/dev/null 2>&1
	cd ../.. || exit 1
}

# The rest runs within a session, in which each run of a program has a tape.
if [[ ! ${HENCE_SESSION-} ]]; then
	"$SRC/scripts/build-tool" "$B" naive "$CASE/naive.c" || fail "cannot build naive"
	gcc -o generate "$SRC/tests/align/generate.c" || fail "cannot build generate"
	"$HENCE_CC" -w "$CASE/data.c" -o data || fail "cannot build data"
	exec "$HENCE" run --no-walk --account /dev/null -- "$CASE/test.sh"
fi

for seed in "${seeds[@]}"; do
	./generate "$seed" 4 >program.c
	"$HENCE_CC" -w program.c -o program || fail "$seed: hence cc"
	for part in 0 1 2 3; do
		timeout 20 ./program "$part" $((seed % 3)) >/dev/null 2>&1
		timeout 20 ./program "$part" 3 >/dev/null 2>&1
		same "program $seed, part $part"
	done
done
for use in "${uses[@]}"; do
	./data "$use" 0 >/dev/null
	./data "$use" "$use" >/dev/null
	same "data $use"
done
for program in "${programs[@]}"; do
	run_program "$SRC/tests/explain/$program"
	same "$program"
done
echo "$compared pairs of runs, $failures differ"
((failures == 0))
