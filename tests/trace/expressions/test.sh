#!/bin/bash
# The evaluator against the machine: random programs (gen.c) that compute with all scalar types and print every
# result. hence predicts what they print from the tape alone, and what it evaluates is what was recorded.
set -u

# shellcheck source=tests/trace/predict/lib.sh
source "$SRC/tests/trace/predict/lib.sh"
failures=0 lines=0 count=5
[[ ! ${HENCE_TEST_LONG-} ]] || count=300

complain() {
	echo "seed $seed: $*"
	failures=$((failures + 1))
}

check_seed() {
	./gen "$seed" >prog.c || { complain "gen fails"; return; }
	"$HENCE_CC" -w prog.c -o prog >log 2>&1 || { complain "hence cc: $(head -n 3 log)"; return; }
	if predicts ./prog; then
		lines=$((lines + $(wc -l <actual)))
		return
	fi
	complain "the decoder predicts something else:"
	head -n 5 run.log complaints
	diff --text actual predicted | head -n 6
}

gcc -std=gnu11 -O2 -Wall -Wextra -D_GNU_SOURCE "$CASE/gen.c" -o gen || exit
"$SRC/scripts/build-tool" "$B" predict "$SRC/tests/trace/predict/predict.c" || exit
for ((seed = 1; seed <= count && failures < 10; seed++)); do
	check_seed
done
echo "$lines expressions, $failures failures; again: gen SEED"
[[ $failures == 0 && $lines -gt $((count * 300)) ]]
