#!/bin/bash
# Random programs, those of tests/csmith: from the tape alone, everything that they print is predicted (the last
# line is a checksum of all their variables), every load and branch is as evaluated, and no instruction is
# left out.
set -u

# shellcheck source=tests/trace/predict/lib.sh
source "$SRC/tests/trace/predict/lib.sh"
# shellcheck source=tests/csmith/lib.sh
source "$SRC/tests/csmith/lib.sh"
failures=0 programs=0 bytes=0

complain() {
	echo "$kind, seed $seed: $*"
	failures=$((failures + 1))
}

check_seed() {
	rm -f prog.c prog
	make_program "$kind" "$seed" prog.c || { complain "csmith makes no program"; return; }
	"$HENCE_CC" "${csmith_flags[@]}" prog.c -o prog >log 2>&1 || { complain "hence cc: $(head -n 3 log)"; return; }
	programs=$((programs + 1))
	if predicts ./prog 1; then
		bytes=$((bytes + $(stat -c %s actual)))
		return
	fi
	complain "the decoder predicts something else:"
	head -n 5 run.log complaints
	diff --text actual predicted | head -n 6
}

"$SRC/scripts/build-tool" "$B" predict "$SRC/tests/trace/predict/predict.c" || exit
for kind in plain floats builtins steps; do
	lists=("$SRC/tests/csmith/$kind/seeds")
	[[ ! ${HENCE_TEST_LONG-} ]] || lists+=("$SRC/tests/csmith/$kind/seeds-long")
	while read -r seed; do
		check_seed
		[[ $failures -lt 10 ]] || break 2
	done < <(cat "${lists[@]}")
done
echo "$programs programs, $bytes bytes of output, $failures failures"
[[ $failures == 0 && $programs -ge 20 && $bytes -gt 10000 ]]
