#!/bin/bash
# Ends that leave a statement unfinished: a stack that is full, a line that the program died on, a loop without end.
source "$SRC/tests/slice/cli_lib.sh"

# --- recursion without end: in the call, in the callee's prologue, or in its first write, as frames happen to end ---
for pad in 0 16 24 32 48 64 80; do
	build deep.$pad <<END
static int down(int n, char *a, long b)
{
	char pad[$pad + 1];
	pad[0] = 1;
	if (n == 1)
		return 1;
	return down(n / 2, a + 1, b - 1) + pad[0];
}
int main(int argc, char **argv)
{
	int unused = argc + 5;
	return down(argc - 1, argv[0], 3);
}
END
	slice 0 -- ./deep.$pad
	like out "backward slice of SIGSEGV at deep\.$pad\.c:[457] in down\(\): .*"
	like out '.*stack overflow, address 0x.*'
	for line in 5 7 12; do
		lines=$(slice 0 --json -- ./deep.$pad; lines_of out)
		grep -qx "deep.$pad.c:$line" <<<"$lines" || fail "deep.$pad.c:$line is not in the slice"
	done
	grep -qx "deep.$pad.c:11" <<<"$lines" && fail "what does not matter is in the slice"
done

# --- the line that it died on was executed ---
build div <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
	int total = 3 + argc, count = argc - 1;
	int other = total;
	printf("%d\n", total / count);
	return other;
}
END
slice_is 'div.c:4,6' --at div.c:6 -- ./div
slice 0 --at div.c:6:other -- ./div
like out 'backward slice of other = 4 at div\.c:6 in main\(\): .*'
refused 'div.c:7 was not executed; executed lines nearby: 5, 6' --at div.c:7 -- ./div

# --- a loop that burns time: a part of what was recorded will do ---
build burn <<'END'
#include <stdlib.h>
int main(int argc, char **argv)
{
	int n = 10, step = 4, count = 0;
	for (int i = 0; i < 100; i++)
		count++;
	while (n != 0)
		n -= step;
	return count;
}
END
SECONDS=0
slice_is 'burn.c:4,7,8' --timeout 0.5 -- ./burn
((SECONDS < 20)) || fail "a hang took $SECONDS seconds"
like out '.*of the run without end, the first 2[0-9]{6} statements were looked at.*'
like out '.*"statement":[0-9]{7}[,}].*'
exit 0
