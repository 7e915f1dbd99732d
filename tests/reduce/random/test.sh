#!/bin/bash
# Random rules and random inputs: what is left fails and is 1-minimal by bytes, and the passing neighbour passes. Rules are not
# monotone, and some inputs are unresolved.
. "$SRC/tests/reduce/lib.sh"
"$CLANG" -w "$SRC/tests/reduce/output/json.c" -o json || fail "cannot build the reader of JSON"
both rule <"$CASE/rule.c"

rounds=30
[[ ! ${HENCE_TEST_LONG-} ]] || rounds=600
RANDOM=7
letters='aabbccdde (){}[];,x1 '
reduced=0 neighbours=0
for ((seed = 0; seed < rounds; seed++)); do
	for ((i = 0; i < 150; i++)); do
		printf %s "${letters:RANDOM % ${#letters}:1}"
		((RANDOM % 9)) || echo
	done >in
	[[ $(status in ./rule $seed) == 7 ]] || continue
	program=./rule by=auto
	((seed % 2)) || program=./rule.h
	((seed % 3)) || by=bytes
	reduce 0 --json --by $by --stdin in -o small -- $program $seed
	./rule $seed minimal <small || fail "seed $seed by $by: not minimal: $(<small)"
	reduced=$((reduced + 1))
	[[ $(./json out passing) != null ]] || continue
	neighbours=$((neighbours + 1))
	./json out passing.parts.1.text >neighbour
	[[ $(status neighbour ./rule $seed) == 0 ]] || fail "seed $seed: the neighbour does not pass: $(<neighbour)"
done
((reduced >= rounds / 2 && neighbours >= rounds / 3)) || fail "only $reduced inputs failed, $neighbours had a neighbour"
exit 0
