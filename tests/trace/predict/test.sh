#!/bin/bash
# What a program prints to stdout and stderr is predicted from its tape: all conversions of printf, and the other
# functions that print. And an argument that was never given a value is not.
set -u

# shellcheck source=tests/trace/predict/lib.sh
source "$CASE/lib.sh"
KEEP=1
export KEEP

fail() {
	echo "$*"
	exit 1
}

"$SRC/scripts/build-tool" "$B" predict "$CASE/predict.c" || fail "cannot build predict"
"$HENCE_CC" -w "$CASE/formats.c" -o formats || fail "cannot build formats"
predicts ./formats || fail "stdout: $(cat run.log complaints; diff --text actual predicted | head -n 10)"
[[ $(wc -l <actual) -gt 30 ]] || fail "the program printed too little"
./predict "$B/models" session 2 >predicted.err 2>complaints || fail "stderr: $(cat complaints)"
diff --text actual.err predicted.err || fail "stderr is not as predicted"

"$HENCE_CC" -w -x c -o unset - <<'END' || fail "cannot build unset"
#include <stdio.h>
int main(void)
{
	int value[2], known = 5;
	printf("%d\n", value[known & 1]);
	printf("%d\n", known);
	return 0;
}
END
rm -rf session
predicts ./unset && fail "predicts a value that was never set"
grep -q 'bytes of output at 0 are not known' complaints || fail "not said: $(cat complaints)"
[[ $(tail -n 1 predicted) == 5 ]] || fail "the rest is not predicted: $(cat predicted)"
