#!/bin/bash
# Runs as terms (src/solve/symbolic.h), over the programs of tests/cases and some of csmith: each definition gives what
# the run had, each branch says what was true, and with everything replaced nothing is left but that (check.c). `make test-long`
# takes all programs, else every second one and fewer of csmith's.
set -u

# shellcheck source=tests/csmith/lib.sh
source "$SRC/tests/csmith/lib.sh"
failures=0 programs=0 symbols=0 number=0
every=2 seeds=3 least=45 # seeds: of each kind
[[ ! ${HENCE_TEST_LONG-} ]] || every=1 seeds=16 least=90

complain() {
	echo "$*"
	failures=$((failures + 1))
}

# checks NAME INPUT PROGRAM ARGUMENT...: `hence run` removes its tapes, so they are copied; what runs inside it is
# under ptrace, where a sanitized tool cannot look for leaks.
checks() {
	local name=$1 input=$2 count code
	shift 2
	rm -rf session found complaints
	# shellcheck disable=SC2016 # expanded by the inner shell
	timeout 200 "$HENCE" run --no-walk --account /dev/null -- bash -c \
		'"${@:2}" <"$1" >/dev/null 2>&1
		cp -r --sparse=always "$HENCE_SESSION" session' x "$input" "$@" >run.log 2>&1
	timeout 200 ./check "$B/models" "$PWD/session" >found 2>complaints
	code=$?
	[[ $code != 3 ]] || return
	if [[ $code != 0 ]]; then
		complain "$name: $(head -n 4 complaints run.log)"
		return
	fi
	programs=$((programs + 1))
	for count in $(grep -o '[0-9]*' found); do
		symbols=$((symbols + count))
	done
}

check_case() {
	local folder=$SRC/tests/cases/$1 arguments=() cflags=() ldflags=() input=/dev/null
	[[ ! -f $folder/cflags ]] || mapfile -t cflags < <(tr ' ' '\n' <"$folder/cflags")
	[[ ! -f $folder/ldflags ]] || mapfile -t ldflags < <(tr ' ' '\n' <"$folder/ldflags")
	[[ ! -f $folder/args ]] || mapfile -t arguments <"$folder/args"
	[[ ! -f $folder/stdin ]] || input=$folder/stdin
	[[ ! -d $folder/files ]] || cp -r "$folder/files/." .
	"$HENCE_CC" -w "${cflags[@]}" "$folder"/*.c -o prog "${ldflags[@]}" >log 2>&1 || { complain "$1: $(head -n 3 log)"; return; }
	checks "$1" "$input" ./prog "${arguments[@]}"
}

check_seed() {
	make_program "$1" "$2" prog.c || { complain "csmith makes no program of $1 $2"; return; }
	"$HENCE_CC" "${csmith_flags[@]}" prog.c -o prog >log 2>&1 || { complain "$1 $2: $(head -n 3 log)"; return; }
	checks "$1, seed $2" /dev/null ./prog
}

"$SRC/scripts/build-tool" "$B" check "$CASE/check.c" || exit

# Left out: what is not decoded whole (ifunc), what waits, and what takes long.
for folder in "$SRC"/tests/cases/*/; do
	name=$(basename "$folder")
	[[ -f $folder/build.sh || $name == ifunc || $name == signals-timer || $name == signals-fork || $name == threads* ]] && continue
	((number++ % every)) || check_case "$name"
done
for kind in plain floats builtins steps; do
	while read -r seed; do
		check_seed "$kind" "$seed"
	done < <(cat "$SRC/tests/csmith/$kind/seeds" "$SRC/tests/csmith/$kind/seeds-long" | head -n "$seeds")
done
echo "$programs programs, $symbols definitions, $failures failures"
[[ $failures == 0 && $programs -ge $least && $symbols -gt 1000000 ]]
