#!/bin/bash
# -v: times, and the slowdown when the program can be run again.
source "$SRC/tests/run/lib.sh"
build busy <<'END'
#include <stdio.h>
int main(void)
{
	volatile unsigned n = 1;
	for (int i = 0; i < 3000000; i++)
		n = n * 3 + (n >> 3 & 1);
	puts("result");
	return 0;
}
END
run 0 -v --stdin /dev/null -- ./busy
only out result
like err 'hence: recorded in [0-9.]+ s \(CPU [0-9.]+ s\), [0-9.]+ ?[KMG]B/s of tape'
like err 'hence: not recording: [0-9.]+ s \(CPU [0-9.]+ s\); recording takes [0-9.]+ times the CPU time'
echo x | "$HENCE" run -v -- ./busy >out 2>err || fail "exit code $?"
has err "hence: the slowdown is not measured, since standard input is not a file; use --stdin FILE"
run 0 --no-walk --account account -- ./busy
like account 'tape-bytes: [0-9]+'
! grep -q '^instructions' account || fail "it walked"

# A tape that takes too long to read: the account says how much of it was counted.
build long <<'END'
int main(void)
{
	volatile int n[4] = {0};
	for (int i = 0; i < 30000000; i++)
		n[i & 3] += i;
	return n[1] == 0;
}
END
run 0 --time 0.001 -- ./long
like err 'hence: tape 0 is long: only its first [0-9]+ % were counted; --time SECONDS allows more'
