#!/bin/bash
# What a search for edits may cost: runs of the program, and work of one run.
source "$SRC/tests/run/lib.sh"

number() { # KEY: of the report in out
	grep -o "\"$1\":[0-9.]*" out | head -n 1 | cut -d: -f2
}

# --- runs: edits of a class that do the same are decided by one ---
build count -g <<'END'
#include <stdio.h>

int main(void)
{
	int n, i, p, q, most = 0, diff, k = 0;

	scanf("%d", &n);
	for (i = 0; i < n; i++) {
		scanf("%d %d", &p, &q);
		diff = q - p;
		if (diff > 0)
			k++;
	}
	printf("%d\n", k);
	return most;
}
END
echo '3 1 1 2 3 4 6' >fails
echo '2 5 5 3 9' >passes
hence_exits 0 fix --json --stdin fails --expect-text 1 --pass-stdin passes -- ./count
runs=$(number runs) tried=$(number edits_run)
((10 * runs < 13 * tried)) || fail "$runs runs for $tried edits"

# --- work: a loop without end is cut after a small multiple of what known runs do ---
build hang -g <<'END'
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int n = atoi(argv[1]), steps = 0;

	while (n != 1) {
		n = n % 2 ? n + 2 : n / 2;
		steps++;
	}
	printf("%d\n", steps);
	return 0;
}
END
began=${EPOCHREALTIME/./}
"$HENCE" fix --json --timeout 1 --time 60 --pass 8 --pass 4 -- ./hang 3 >out 2>err
took=$((${EPOCHREALTIME/./} - began)) tried=$(number edits_run)
((tried > 100)) || fail "only $tried edits were tried"
((took < 30000000 || ${HENCE_TEST_SLOW:-0})) || fail "it took $took microseconds"

exit 0
