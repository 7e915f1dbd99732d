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

# same NAME: the next two runs of the session.
same() {
	local out
	compared=$((compared + 1))
	out=$(./naive "$B/models" "$PWD/session" $((2 * compared - 2)) $((2 * compared - 1)) 2>&1) && return
	echo "$1: $out"
	failures=$((failures + 1))
}

# run_program FOLDER: its failing and its passing input.
run_program() {
	local words arguments=() pass='' input=/dev/null other='' i
	cd "$1" || exit 1
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

# Within a session of hence, in which each run of a program has a tape, there are only the runs. The session removes its
# tapes at its end, so they are copied; what runs in it is under ptrace, where a sanitized tool cannot look for leaks.
if [[ ${HENCE_SESSION-} ]]; then
	for seed in "${seeds[@]}"; do
		for part in 0 1 2 3; do
			timeout 20 "./program$seed" "$part" $((seed % 3)) >/dev/null 2>&1
			timeout 20 "./program$seed" "$part" 3 >/dev/null 2>&1
		done
	done
	for use in "${uses[@]}"; do
		./data "$use" 0 >/dev/null
		./data "$use" "$use" >/dev/null
	done
	for program in "${programs[@]}"; do
		run_program "programs/$program"
	done
	exec cp -r --sparse=always "$HENCE_SESSION" session
fi

"$SRC/scripts/build-tool" "$B" naive "$CASE/naive.c" || fail "cannot build naive"
gcc -o generate "$SRC/tests/align/generate.c" || fail "cannot build generate"
"$HENCE_CC" -w "$CASE/data.c" -o data || fail "cannot build data"
for seed in "${seeds[@]}"; do
	./generate "$seed" 4 >"program$seed.c"
	"$HENCE_CC" -w "program$seed.c" -o "program$seed" || fail "$seed: hence cc"
done
for program in "${programs[@]}"; do
	mkdir -p "programs/$program"
	cp "$SRC/tests/explain/$program"/* "programs/$program" || fail "cannot copy $program"
	(cd "programs/$program" && "$HENCE_CC" -w ./*.c -o prog) || fail "$program: hence cc"
done
"$HENCE" run --no-walk --account /dev/null -- "$CASE/test.sh" >run.log 2>&1
[[ -d session ]] || fail "cannot record: $(<run.log)"

for seed in "${seeds[@]}"; do
	for part in 0 1 2 3; do
		same "program $seed, part $part"
	done
done
for use in "${uses[@]}"; do
	same "data $use"
done
for program in "${programs[@]}"; do
	same "$program"
done
echo "$compared pairs of runs, $failures differ"
((failures == 0))
