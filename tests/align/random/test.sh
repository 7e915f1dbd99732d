#!/bin/bash
# How src/align aligns two runs of a random program must be what the definition says: paths.c. See ../README.md.
# `make test-long` does ten times as many.
set -u

seeds=({1..3})
[[ ${HENCE_TEST_LONG-} != 1 ]] || seeds=({1..50})
export COUNT=10
# shellcheck source=tests/align/tools.sh
. "$CASE/../tools.sh"

failures=0 compared=0 statements=0 together=0
for seed in "${seeds[@]}"; do
	./generate "$seed" $COUNT >program.c
	"$FOLDER/log-cc" program.c logging || fail "$seed: log-cc"
	"$HENCE_CC" -w program.c -o program || fail "$seed: hence cc"
	"$FOLDER/compare" "$seed" >result
	grep -v ' aligned$' result
	failures=$((failures + $(grep -c differ result)))
	compared=$((compared + $(grep -c ' aligned$' result)))
	read -r t s < <(awk '/ aligned$/ { t += $3; s += $5 } END { print t + 0, s + 0 }' result)
	together=$((together + t)) statements=$((statements + s))
done
echo "$compared pairs of runs, $together of $statements statements aligned, $failures differ"
((failures == 0 && compared == ${#seeds[@]} * COUNT && together * 20 > statements))
