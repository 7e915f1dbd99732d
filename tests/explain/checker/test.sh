#!/bin/bash
# The checker itself: it accepts an answer for ../shellsort that was made by hand, and none of the lies in another.
set -u
export most_proofs=6 # all that the two answers have

# check_answer FILE: what the checker says to it is in the file `said`.
check_answer() {
	rm -rf work
	mkdir work
	printf '#!/bin/bash\n[[ $1 != explain ]] || exec cat "%s"\nexec "%s" "$@"\n' "$1" "$HENCE" >fake
	chmod +x fake
	(cd work && CASE=$SRC/tests/explain/shellsort HENCE=$OLDPWD/fake exec "$SRC/tests/explain/check") >said 2>&1
}

says() {
	grep -qF -- "$1" said && return
	echo "the checker does not say '$1':"
	cat said
	exit 1
}

check_answer "$CASE/good.json" || { cat said; exit 1; }
says '5 proofs checked with gdb, 0 not'
! check_answer "$CASE/lies.json" || { echo "the lies are accepted"; cat said; exit 1; }
says 'another chain than the expected one'
says 'step 1 has no proof'
says 'the fault is not among the suspects'
says 'gives pass: with gdb it is fail'
says 'gives fail: with gdb it is pass'
says 'gives fail: with gdb it is unresolved (5)'
says 'gdb does not come there'
says '3 proofs checked with gdb, 0 not'
exit 0
