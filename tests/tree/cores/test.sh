#!/bin/bash
# The contradictions behind the causes of the programs beside this folder, confirmed by another solver: each is one, and none without any of
# its assertions. Very large ones, and those with much floating point, are left out; `make test-long` takes all programs.
set -u
command -v cvc5 >/dev/null || {
	echo "there is no cvc5"
	exit 77
}
failures=0

complain() {
	echo "$*"
	failures=$((failures + 1))
}

# check FILE.smt2...: says what is wrong with them, and then a line: files, questions, unknown.
check() {
	awk -f "$CASE/questions.awk" "$@" >questions.smt2
	timeout 100 cvc5 --incremental --tlimit-per=4000 questions.smt2 2>&1 | awk -f "$CASE/answers.awk"
}

# --- lies ---

head='(set-logic QF_BV)
(declare-const v1 (_ BitVec 8))
(assert (! (= v1 #x05) :named a0))'
printf '%s\n' "$head" '(assert (! (= v1 #x06) :named a1))' '(check-sat)' >right.smt2
printf '%s\n' "$head" '(assert (! (bvult v1 #x06) :named a1))' '(check-sat)' >possible.smt2
printf '%s\n' "$head" '(assert (! (= v1 #x06) :named a1))' '(assert (! (bvult v1 #xf0) :named a2))' '(check-sat)' >more.smt2
printf '%s\n' "$head" '(assert (! (= v2 #x06) :named a1))' '(check-sat)' >broken.smt2

expect() { # WORDS FILE...
	local words=$1
	shift
	[[ $(check "$@") == *"$words"* ]] || complain "the check of $* does not say '$words' but '$(check "$@")'"
}
expect '1 3 0 files' right.smt2
[[ $(check right.smt2 | wc -l) == 1 ]] || complain "something is wrong with right.smt2: $(check right.smt2)"
expect 'possible.smt2: all together they are sat' possible.smt2
expect 'more.smt2: without a2 they are unsat' more.smt2
expect 'possible.smt2: all together they are sat' right.smt2 possible.smt2
expect 'the solver says' broken.smt2
[[ $failures == 0 ]] || exit 1

# --- the programs ---

build_and_ask() { # NAME: the trees' contradictions lie in NAME/smt
	local words
	cp -r "$SRC/tests/tree/$1" . && cd "$1" || exit 1
	"$HENCE_CC" -O0 -g -w ./*.c -o prog -lm || complain "$1: cannot be built"
	eval "words=($(<command))"
	"$HENCE" tree --no-experiments --smt smt -o text "${words[@]}" </dev/null >log 2>&1
	compgen -G "smt/*.smt2" >/dev/null || complain "$1: no contradiction was written: $(<log)"
	cd ..
}

is_small() {
	[[ $(stat -c %s "$1") -lt 60000 && $(grep -c 'fp\.\(add\|sub\|mul\|div\|sqrt\)' "$1") -lt 4 ]]
}

files=0 questions=0 unknown=0
names=(aliases bits compare critical grid table triangle trusted) wanted=40
if [[ ${HENCE_TEST_LONG-} ]]; then
	names=("$SRC"/tests/tree/*/command) wanted=200
	names=("${names[@]%/command}")
	names=("${names[@]##*/}")
fi
for name in "${names[@]}"; do
	[[ $name != endless ]] || continue # a million instances
	build_and_ask "$name"
	small=()
	for file in "$name"/smt/*.smt2; do
		is_small "$file" && small+=("$file")
	done
	[[ ${#small[@]} -gt 0 ]] || continue
	said=$(check "${small[@]}")
	[[ $said != *$'\n'* ]] || complain "${said%$'\n'*}"
	read -r f q u _ <<<"${said##*$'\n'}"
	[[ $f == "${#small[@]}" ]] || complain "$name: $f of ${#small[@]} files were checked"
	files=$((files + f)) questions=$((questions + q)) unknown=$((unknown + u))
done
echo "$files contradictions, $questions questions, $unknown without an answer"
[[ $files -ge $wanted ]] || complain "only $files contradictions"
[[ $((100 * unknown)) -le $((2 * questions)) ]] || complain "too many questions without an answer"
[[ $failures == 0 ]]
