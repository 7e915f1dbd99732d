#!/bin/bash
# Random programs with a planted fault, and the program without it as the reference: the states are equal before the planted statement
# makes a difference, so the chain begins there. Those whose output is right all the same do not count. SEED=N tries that one.
. "$SRC/tests/faulty.sh"
. "$SRC/tests/explain/lib.sh"
. "$SRC/tests/chain/references.sh"

wanted=4 seed=1 last=200
[[ ! ${HENCE_TEST_LONG-} ]] || wanted=300 last=3000
[[ ! ${SEED-} ]] || wanted=1 seed=$SEED last=$SEED
given=() qualified=0 tried=0

# The program of this seed, in hence/, and without the fault, in fixed-hence/. Exit code 1: they print the same.
make_programs() {
	local kind
	for kind in hence fixed-hence; do
		"$CLANG" -O0 -w $kind/prog.c -o $kind/prog || give_up "$seed: cannot build"
		timeout 10 $kind/prog >$kind/out || give_up "$seed: exit code $?"
	done
	! cmp -s hence/out fixed-hence/out || return
	for kind in hence fixed-hence; do
		"$HENCE_CC" -O0 -g -w $kind/prog.c -o $kind/prog || give_up "$seed: cannot build with hence cc"
	done
}

check_first() { # METHOD
	local first
	options_for ideal
	rm -f steps
	(ask "$1") || { complain "SEED=$seed: $1"; return; }
	steps >steps
	first=$(sed -n '1s/ .*//p' steps)
	[[ $first == "prog.c:$planted" ]] || {
		complain "SEED=$seed: $1 begins at $first and not at line $planted: $(sed -n "${planted}p" hence/prog.c)"
		cat steps
	}
}

"$CLANG" -O1 "$CASE/generate.c" -o generate || give_up "cannot build generate.c"
mkdir hence fixed-hence
for (( ; qualified < wanted && seed <= last; seed++)); do
	planted=$(./generate "$seed" fixed-hence/prog.c hence/prog.c) || give_up "$seed: generate"
	tried=$((tried + 1))
	make_programs || continue
	qualified=$((qualified + 1))
	check_first chain
	check_first compare
done
echo "$qualified of $tried programs print something wrong"
((qualified >= wanted)) || complain "too few programs print something wrong"
[[ $failures == 0 ]]
