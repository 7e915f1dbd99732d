#!/bin/bash
# `hence rank`: the file of tests, the ranking, each form of the answer, exit codes and messages. The format of the file is in unit/spectra_suite, the
# formulas in unit/spectra.
source "$SRC/tests/run/lib.sh"

rank() { # CODE ARGS...
	hence_exits "$1" rank "${@:2}"
}

"$CLANG" -O1 "$SRC/tests/chop/flatten.c" -o flatten || fail "cannot build flatten"
mkdir suite
cp "$CASE/middle.c" suite/
(cd suite && "$HENCE_CC" -g -o middle middle.c) || fail "cannot build middle.c"
fault=$(grep -n 'should be x' suite/middle.c | cut -d : -f 1)
cat >suite/tests <<'END'
# numbers and their middle
./middle 3 3 5 => "3\n"
./middle 1 2 3 => "2"
./middle 3 2 1 => "2\n"
./middle 5 5 5 => "5\n"
./middle 5 3 4 => @four
./middle 2 1 3 => "2\n"
./middle 7     => passes
END
echo 4 >suite/four

# --- the fault comes first, though the tests are in another folder ---
rank 0 --tests suite/tests
has out '7 tests of ./middle: 1 fails, 6 pass'
has out '  test 6 (line 7): ./middle 2 1 3: prints "1", not "2" (line 1)'
like out " 1\. middle\.c:$fault:[0-9]+ in middle\(\)  \(0\.[0-9]+\)"
has out '      m = y; /* should be x */'
has out '    - executed by 1 of 1 failing and 1 of 6 passing tests (Ochiai 0.71)'
has out '    - with m = 2 the run passes'
like out 'test 6 was explained, compared with .*: [0-9]+ experiments'
like out '[0-9.]+ seconds'
[[ ! -s err ]] || fail "something on stderr"

# --- JSON: numbers by hand: 1 / sqrt(1 * (1 + 1)) ---
rank 0 --json --no-explain --tests suite/tests
./flatten <out >flat || fail "this is no JSON"
like flat '\.hence	1'
like flat '\.formula	ochiai'
like flat '\.failing	1'
like flat '\.passing	6'
like flat "\.suspects\[0\]\.line	$fault"
like flat '\.suspects\[0\]\.evidence\[0\]\.kind	spectra'
like flat '\.suspects\[0\]\.spectra\.failed	1'
like flat '\.suspects\[0\]\.spectra\.passed	1'
like flat '\.spectra\[0\]\.score	0\.7071'
like flat '\.spectra\[0\]\.worst	1'
like flat '\.tests\[5\]\.verdict	fails'
like flat '\.tests\[6\]\.verdict	passes'
like flat '\.tests\[5\]\.command\[3\]	3'
! grep -q '^\.explained' flat || fail "explained though nobody wants it"
# The line that adds the middle when x > y: one passing test, no failing one.
line=$(grep -n 'x > y' suite/middle.c | cut -d : -f 1)
awk -F '\t' -v line="$line" '$1 ~ /^\.spectra/ { sub(/.*\./, "", $1); if ($1 == "line") here = $2 == line; if (here && $1 == "failed") f = $2; if (here && $1 == "passed") p = $2 }
	END { exit !(f == 0 && p == 2) }' flat || fail "line $line is not executed by two passing tests only"

# --- other formulas, fewer lines, for editors, to a file ---
rank 0 --no-explain --formula tarantula --most 1 --tests suite/tests
has out '    - executed by 1 of 1 failing and 1 of 6 passing tests (Tarantula 0.86)'
[[ $(grep -c '^ *[0-9]*\. ' out) == 1 ]] || fail "more than one line"
rank 0 --no-explain --formula dstar --most 1 --format gcc --tests suite/tests -o answer
[[ ! -s out ]] || fail "output in spite of -o"
# d = 1 / (1 + 1 - 1); a line of all tests has 1 / 7; so (0.1 / 2 + 0.9 * (1/2 - 1/7) / (1 - 1/7)) * 0.84 = 0.357
like answer "middle\.c:$fault: warning: suspect 1 \(0\.3[56]\): executed by 1 of 1 failing and 1 of 6 passing tests \(DStar 0\.50\)"
[[ $(grep -c '' answer) == 1 ]] || fail "more than one line"

# --- as evidence of an explanation ---
hence_exits 0 explain --json --tests suite/tests --expect-text 2 --pass '3 3 5' -- suite/middle 2 1 3
./flatten <out >flat || fail "this is no JSON"
like flat "\.suspects\[0\]\.line	$fault"
like flat '\.suspects\[0\]\.evidence\[[0-9]\]\.kind	spectra'
hence_exits 2 explain --tests suite/none -- suite/middle 2 1 3
only err 'hence: --tests: cannot read suite/none: No such file or directory'

# --- standard input; two programs; two files of source; words for what is known ---
cat >sum.c <<'C'
#include <stdio.h>
int limit(int n);
int main(int argc, char **argv)
{
	int n, sum = 0;
	while (scanf("%d", &n) == 1)
		sum += limit(n);
	printf("%d\n", sum);
	if (argc > 1)
		fclose(fopen("written", "w"));
	return sum > 90;
}
C
cat >limit.c <<'C'
int limit(int n)
{
	if (n > 9)
		return 90; /* should be 9 */
	return n;
}
C
"$HENCE_CC" -g -o sum sum.c limit.c || fail "cannot build sum"
echo 1 2 3 >small
echo 4 50 >large
echo 'it is' >quoted
cat >tests <<'END'
./sum < small => "6\n"
./sum < large => "13\n"   # this one fails
./sum 'an argument' < small
suite/middle 2 1 3 => fails
./sum < 'small' \
	=> passes
END
rank 0 --no-explain --tests tests
has out '4 tests of ./sum: 1 fails, 3 pass'
like out ' 1\. limit\.c:4 in limit\(\)  \([0-9.]+\)'
has out '- tests of suite/middle fail as well: --failing 4 ranks its lines'
[[ ! -e written ]] || fail "a test wrote a file"
rank 0 --failing 4 --tests tests
has out '1 test of suite/middle: 1 fails, 0 pass'
has out '- no test of suite/middle passes, so what tests execute says little'
has out '- only the file says that test 4 fails, so its failure cannot be explained: give the right output instead, => "TEXT" or => @FILE'

# --- crashes, runs without end, tests that do not always do the same ---
build odd -g <<'C'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	if (!strcmp(argv[1], "dies"))
		abort();
	if (!strcmp(argv[1], "waits"))
		pause();
	if (!strcmp(argv[1], "turns"))
		return getenv("HENCE_SESSION") ? 1 : 0;
	return 0;
}
C
printf '%s\n' './odd dies' './odd waits' './odd turns' './odd well' './odd dies => passes' >tests
rank 0 --no-explain --timeout 0.5 --tests tests
has out '4 tests of ./odd: 3 fail, 1 passes'
like out '  test 1 \(line 1\): \./odd dies: dies of SIGABRT.*'
like out '  test 2 \(line 2\): \./odd waits: .*'
has out '- test 3 is flaky: it passes and fails by turns, so it does not count'
like out '- test 5 is said to pass, but the program dies of SIGABRT.*'
abort=$(grep -n 'abort()' odd.c | cut -d : -f 1)
pause=$(grep -n 'pause()' odd.c | cut -d : -f 1)
like out " [12]\. odd\.c:$abort in main\(\)  .*"
like out " +[0-9]+\. odd\.c:$pause in main\(\)  .*"

# --- ended from outside: nobody goes on, and nothing is left ---
ln odd "waits$$"
echo "./waits$$ waits" >tests
"$HENCE" rank --tests tests >out 2>err &
for ((i = 0; i < 100; i++)); do
	! pgrep -x "waits$$" >/dev/null || break
	sleep 0.05
done
kill -TERM $!
wait $!
for ((i = 0; i < 100; i++)); do
	[[ $(pgrep -x "waits$$") || $(ls -A "$HENCE_TAPE_DIR") ]] || break
	sleep 0.05
done
! pgrep -x "waits$$" || fail "a test goes on"
nothing_left

# --- what a terminal would obey is not printed ---
printf './middle 2 1 3 "\033[31m" => "2"\n' >suite/hostile
rank 0 --no-explain --tests suite/hostile
! grep -q $'\033' out || fail "an escape sequence came through"

# --- nothing fails, nothing can be ranked ---
echo './middle 1 2 3 => "2\n"' >suite/good
rank 1 --tests suite/good
only err 'hence: no test of suite/good fails: 1 of 1 pass'
printf '%s\n' "sh -c 'exit 1'" './middle 1 2 3 => "2"' >suite/unknown
rank 3 --tests suite/unknown
like err 'hence: test 1 could not be recorded: nothing that sh ran was built with hence cc;.*'
has err 'hence: no test of suite/unknown is known to fail: 1 of 2 pass'

# --- messages ---
rank 2
only err "hence: no tests given; use 'hence rank --tests FILE', with a test in each line of the file"
rank 2 --tests suite/tests ./middle
only err "hence: './middle': commands stand in the file of --tests, not on the command line"
rank 2 --tests none
only err 'hence: --tests: cannot read none: No such file or directory'
rank 2 --tests suite
only err 'hence: --tests: cannot read suite: Is a directory'
rank 2 --tests suite/tests --formula best
like err 'hence: --formula best: give ochiai, tarantula or dstar'
rank 2 --tests suite/tests --failing 9
only err 'hence: --failing 9: suite/tests has 7 tests'
rank 2 --tests suite/tests --failing 1
only err 'hence: --failing 1: that test does not fail; test 6 does'
rank 2 --tests suite/tests --pass 1
like err "hence: .*--pass.*"
printf './middle 1\n./middle 2 => @nothing\n' >suite/bad
rank 2 --tests suite/bad
only err 'hence: suite/bad:2: cannot read nothing: No such file or directory'
printf './middle 1 < nothing\n' >suite/bad
rank 2 --tests suite/bad
only err 'hence: suite/bad:1: cannot read nothing: No such file or directory'
printf './middle 1\n\n./middle 1 > out\n' >suite/bad
rank 2 --tests suite/bad
like err "hence: suite/bad:3: '>' is not understood: .*"
printf './gone 1\n' >suite/bad
rank 2 --tests suite/bad
like err 'hence: suite/bad:1: .*\./gone.*'
cp "$(type -P true)" suite/plain
printf './plain\n' >suite/bad
rank 2 --tests suite/bad
like err 'hence: suite/bad:1: .*\./plain was not built with hence cc.*'
rank 0 --help
like out 'hence rank \[OPTIONS\] --tests FILE'
