#!/bin/bash
# What hence's decoder says about runs must be what a slow, independent implementation says: which
# instance wrote each byte that is loaded or copied, on which branch each block hangs, frames, objects, values.
# facts.h has the text that both write. The programs are ours (programs/) and csmith's (seeds;
# with `make test-long` also seeds-long).
set -u

FACTS=$CASE/facts.c
export ORACLE=$PWD
failures=0

fail() {
	echo "$*"
	exit 1
}

# --- the tools ---

warnings=(-Wall -Wextra -Wshadow -Wno-unused-parameter)
flags=(-std=gnu11 -O2 -g "${warnings[@]}" -D_GNU_SOURCE)

gcc "${flags[@]}" -o rewrite "$CASE/rewrite.c" "$CASE/text.c" || fail "cannot build rewrite"
gcc "${flags[@]}" -o oracle "$CASE/oracle.c" "$CASE/shadow.c" "$CASE/graph.c" "$FACTS" || fail "cannot build oracle"
gcc "${flags[@]}" -c -o log.o "$CASE/log.c" || fail "cannot build log.o"
"$SRC/scripts/build-tool" "$B" dump "$CASE/dump.c" "$FACTS" || fail "cannot build dump"

# --- one program ---

complain() {
	echo "$name: $*"
	failures=$((failures + 1))
}

# first_difference A B: with the line before, which tells where it is.
first_difference() {
	local at
	at=$(cmp "$1" "$2" 2>&1 | sed -n 's/.* line \([0-9]*\)$/\1/p')
	[[ $at ]] || at=$(($(wc -l <"$1") < $(wc -l <"$2") ? $(wc -l <"$1") : $(wc -l <"$2")))
	for file in "$1" "$2"; do
		echo "--- $file, from line $at of $(wc -l <"$file")"
		sed -n "$at,$((at + 3))p" "$file" | cut -c -200
	done
}

# check NAME FILE.c [FLAG...]
check() {
	name=$1
	local source=$2
	shift 2
	rm -rf logging* plain* run.* session theirs ours log
	"$CASE/oracle-cc" "$source" logging -w "$@" >build.log 2>&1 ||
		{ complain "oracle-cc: $(head -n 3 build.log)"; return; }
	"$HENCE_CC" -w "$@" "$source" -o plain -lm >build.log 2>&1 ||
		{ complain "hence cc: $(head -n 3 build.log)"; return; }
	ORACLE_LOG=log timeout 20 ./logging >logging.out
	# 'hence run' removes its tapes, so they are copied.
	# shellcheck disable=SC2016 # expanded by the inner shell
	timeout 20 "$HENCE" run --no-walk --account /dev/null -- bash -c \
		'./plain >plain.out; cp -r --sparse=always "$HENCE_SESSION" session' >run.log 2>&1
	cmp -s logging.out plain.out || { complain "the two builds do not print the same"; return; }
	./oracle logging.map log >theirs 2>oracle.err || { complain "$(head -n 3 oracle.err)"; return; }
	./dump "$B/models" session >ours 2>dump.err || { complain "$(head -n 3 dump.err)"; return; }
	facts=$((facts + $(wc -l <theirs)))
	cmp -s theirs ours && return
	complain "hence (ours) and the oracle (theirs) say different things:"
	first_difference theirs ours
}

# --- all ---

facts=0 programs=0 lists=("$CASE/seeds")
[[ ! ${HENCE_TEST_LONG-} ]] || lists+=("$CASE/seeds-long")
for source in "$CASE"/programs/*.c; do
	check "$(basename "$source")" "$source"
	programs=$((programs + 1))
	# the oracle itself: what was found by hand
	[[ $name != hand.c ]] || cmp "$CASE/programs/hand.facts" theirs || complain "the oracle is wrong"
done
while read -r seed options; do
	read -ra words <<<"$options"
	# shellcheck disable=SC2154
	csmith --quiet --seed "$seed" "${words[@]}" 2>/dev/null | sed 's|"csmith.h"|<csmith/csmith.h>|' >random.c
	check "csmith --seed $seed $options" random.c -Wno-incompatible-pointer-types -include "$SRC/tests/csmith/prelude.h"
	programs=$((programs + 1))
done < <(cat "${lists[@]}")
echo "$programs programs, $facts facts, $failures failures"
[[ $failures == 0 && $facts -gt 10000 ]]
