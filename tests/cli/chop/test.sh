#!/bin/bash
# The command line of `hence chop`: formats, criteria, ends, and bad input. Whether chops are right, tests/chop shows.
source "$SRC/tests/run/lib.sh"

# chop CODE ARGS...
chop() {
	hence_exits "$1" chop "${@:2}"
}

# The second number is taken from the wrong place when there are three.
build sum -g <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int second(int count)
{
	if (count > 2)
		return 2;
	return 1;
}
int main(void)
{
	int v[8], n = 0, limit = 90;
	while (n < 8 && scanf("%d", &v[n]) == 1)
		n++;
	if (n == 0)
		return 0;
	printf("%d\n", v[0] + v[second(n)]);
	if (v[second(n)] > limit)
		abort();
	return v[0] == 77 ? 4 : 0;
}
END
echo 5 6 99 8 >in

# --- a crash: text, from the failure back to the input ---
chop 0 --stdin in -- ./sum
like out '\./sum dies of SIGABRT at sum\.c:19 in main.*'
like out 'lines: [0-9]+ in the chop, [0-9]+ of them \(marked =\) reached by no input; .*'
like out 'from the failure back to the input:'
like out '> sum\.c:19 +main +abort\(\); .*'
like out '= sum\.c:12 +main +int v\[8\], n = 0, limit = 90; .*limit = 90.*'
[[ $(grep -n 'sum.c:19' out | head -1 | cut -d: -f1) -lt $(grep -n 'sum.c:13' out | head -1 | cut -d: -f1) ]] ||
	fail "the input comes before the failure"

# --- other formats, a file ---
chop 0 --format gcc --stdin in -- ./sum
like out '.*sum\.c:19:[0-9]+: note: .*abort.*'
chop 0 --json --stdin in -o json -- ./sum
[[ ! -s out ]] || fail "something was printed though -o was given"
"$CLANG" -O1 "$SRC/tests/chop/flatten.c" -o flatten || fail "cannot build flatten"
./flatten <json >flat || fail "this is no JSON"
like flat '\.failure\.kind	crash'
like flat '\.failure\.line	19'

# --- the input as it is; a passing input; a test ---
chop 0 --no-reduce --stdin in -- ./sum
like out 'what matters: standard input'
chop 0 --stdin in -- ./sum
like out 'what matters: standard input'
chop 0 --isolate --stdin in -- ./sum
like out 'what (decides: .* of standard input|matters: standard input)'
echo 5 6 >pass
chop 0 --stdin in --pass-stdin pass -- ./sum
like out 'what decides: .* of standard input'
printf '#!/bin/sh\n[ "$("$@")" != 12 ]\n' >check.sh && chmod +x check.sh
echo 5 6 7 >in3
chop 0 --by tokens --stdin in3 --test ./check.sh -- ./sum
like out 'only the test knows what is wrong; the first byte of output .* passing input is taken for it'
chop 0 --no-reduce --stdin in3 --test ./check.sh -- ./sum
like out 'only the test knows what is wrong; the last output is taken for it'
like out '. sum\.c:7 .*return 2;.*'

# --- expected output, and an exit status ---
chop 0 --stdin in3 --expect-text $'11\n' -- ./sum
like out '\./sum prints "12", not "11" \(line 1\)'
like out '. sum\.c:6 .*if \(count > 2\).*'
# A line may be given without its end, as for hence slice.
chop 1 --stdin in3 --expect-text 12 -- ./sum
chop 1 --stdin in3 --expect-text $'12\n' -- ./sum
chop 0 --stdin in3 --expect-text 1 -- ./sum
echo 77 1 >in77
chop 0 --stdin in77 -- ./sum
like out '\./sum exits with 4'
like out '. sum\.c:20 .*'

# --- no end ---
build spin -g <<'END'
#include <stdio.h>
int main(void)
{
	int c, n = 0;
	while ((c = getchar()) != 'x')
		n++;
	return 0;
}
END
echo abx >good
printf ab >bad
chop 0 --timeout 0.3 --stdin bad --pass-stdin good -- ./spin
like out '\./spin does not end'
like out '. spin\.c:5 .*while .*'
like out 'of the run without end, [0-9]+ statements were recorded'

# --- bad input ---
chop 1 --stdin pass -- ./sum
only err "hence: ./sum does not fail: exited with status 0; say with --expect, --test or --timeout what is wrong with it"
"$CLANG" sum.c -o plain || fail "cannot build plain"
chop 2 --stdin in -- ./plain
like err 'hence: \./plain was not built with hence cc; .*'
chop 2 --stdin in --relevent -- ./sum
like err "hence: .*--relevent.*--relevant.*"
chop 2 --format dot --stdin in -- ./sum
only err 'hence: --format dot: give text, json or gcc'
chop 2
like err 'hence: .*'
chop 2 -o nowhere/file --stdin in -- ./sum
like err 'hence: .*nowhere.*'

# --- the time is over: what is known is told ---
build slow -g <<'END'
#include <stdlib.h>
#include <unistd.h>
#include <stdio.h>
int main(void)
{
	int c, bad = 0;
	while ((c = getchar()) != EOF)
		bad += c == 'x';
	usleep(100000);
	if (bad > 2)
		abort();
	return 0;
}
END
printf '%300s' '' | tr ' ' x >many
chop 3 --time 0.5 -j 1 --by bytes --stdin many -- ./slow
like out 'the search ended early: the input may not be minimal'
