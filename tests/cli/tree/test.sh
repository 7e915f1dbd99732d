#!/bin/bash
# The command line of `hence tree`: formats, ends, bad input. What it finds, tests/tree shows.
source "$SRC/tests/run/lib.sh"

# tree CODE ARGS...
tree() {
	hence_exits "$1" tree "${@:2}"
}

# Line 9 should say `a >= 0`; the assert at 11 fails for 0.
build sign -g <<'END_C'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int a = atoi(argv[1]);
	int sign = -1;
	printf("number\n");
	if (a > 0)
		sign = 1;
	assert(sign == 1);
	printf("%d\n", sign);
	return 0;
}
END_C

# --- the formats ---
"$CLANG" -O1 "$SRC/tests/chop/flatten.c" -o flatten || fail "cannot build flatten"
tree 0 -- ./sign 0
like out '\./sign: .*sign == 1.*'
like out '1\. sign\.c:11(:[0-9]+)? in main\(\).*'
like out ' +sign == 1 is false: -1 == 1'
like out ' +[0-9]+\. sign\.c:9:[0-9]+ in main\(\) PROVEN'
like out ' +proven: .* the run passes .*'
tree 0 -o file -- ./sign 0
[[ ! -s out ]] || fail "something was printed though -o was given"
cmp <(sed 's/[0-9.]* seconds//' file) <(tree 0 -j1 -- ./sign 0; sed 's/[0-9.]* seconds//' out) || fail "not the same with one worker"
tree 0 --json -- ./sign 0
./flatten <out >flat || fail "this is no JSON"
like flat '\.hence	1'
like flat '\.verdict	explained'
like flat '\.failure\.kind	assert'
like flat '\.tree\.nodes\[0\]\.line	11'
like flat '\.tree\.nodes\[0\]\.level	0'
like flat '\.tree\.complete	true'
tree 0 --format dot -- ./sign 0
like out 'digraph causes \{'
like out '.*color=green.*'
tree 0 --format gcc -- ./sign 0
like out 'sign\.c:9:[0-9]+: note: cause [0-9]+, level 1, proven: .*'
tree 0 --color=always -- ./sign 0
grep -q $'\x1b\\[32mPROVEN' out || fail "no colours"
tree 0 sign.c -- 0
like out 'sign: .*'

# --- what was tried without success is printed in short ---
build sum -g <<'END_C'
#include <assert.h>
int main(void)
{
	int a = 2;
	int b = 1;
	int c = 1;
	int d = 0;
	if (b < 0)
		c = 2;
	if (a > 0)
		d = c + 3;
	assert(d == 5);
	return 0;
}
END_C
tree 0 -- ./sum
has out '   2. sum.c:10  a <= 0 is false: 2 <= 0; decides line 11'
grep -q 'a = 2' out && fail "it is not told in short"
# The branch, which is the fault, then values, the earliest first.
[[ $(grep -A4 '^look first at$' out | grep -o 'c:[0-9]*' | tr '\n' ' ') == 'c:8 c:5 c:6 c:11 ' ]] || fail "not where to look"
tree 0 --full -- ./sum
has out '   2. sum.c:10:8 in main()'
has out '        sum.c:4  a = 2'

# --- without experiments, levels, files for solvers ---
tree 0 --no-experiments --smt smt -- ./sign 0
grep -q PROVEN out && fail "proven without an experiment"
like out '.* 0 experiments, .*'
[[ -s smt/1.smt2 ]] || fail "no file for solvers"
grep -q check-sat smt/1.smt2 || fail "nothing to check in smt/1.smt2"
tree 3 --expect-text none -- ./sign 0
tree 0 --no-experiments --nodes 1 -- ./sign 0
like out '1 cause, .*'
like out 'the tree is not complete'
like out 'note: there are more causes .*'
tree 0 --no-experiments --show 1 --levels 1 -- ./sign 0
grep -q 'more cause' out && fail "something is folded"

# --- conditions of the user ---
tree 0 --check 'sign.c:12: a == 3' -- ./sign 5
like out '\./sign: .*'
like out ' +a == 3 is false: 5 == 3'
like out 'note: no experiments were made: .*'
tree 1 --check 'sign.c:12: a == 5' -- ./sign 5
like err 'hence: .*a == 5.*'
for bad in 'a ==' 'sign.c: a' 'sign.c:9: a ==' 'sign.c:9: nobody > 0' 'sign.c:9: a )' 'other.c:9: a' 'sign.c:9000: a' 'sign.c:9:' 'sign.c:10: a'; do
	tree 2 --check "$bad" -- ./sign 0
	like err 'hence: .+'
	[[ $(wc -l <err) == 1 ]] || fail "not one line for --check '$bad'"
done
tree 2 --check 'sign.c:9: nobody > 0' -- ./sign 0
like err '.*nobody.*'
tree 2 --check 'sign.c:9: a' --check 'sign.c:9: a' -- ./sign 0
only err 'hence: --check is given twice; join the conditions with &&'

# --- a test judges, but does not say what is wrong ---
tree 2 --test false -- ./sign 5
like err 'hence: the test calls the run a failure, but the run exits with 0: .*'
cat >judge <<'END_SH'
#!/bin/sh
[ "$("$@")" = 1 ]
END_SH
chmod +x judge
build grade -g <<'END_C'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int grade = 1;
	if (atoi(argv[1]) > 3)
		grade = 2;
	printf("%d\n", grade);
	return 0;
}
END_C
tree 0 --test ./judge --check 'grade.c:8: grade == 1' -- ./grade 5
like out ' +grade == 1 is false: 2 == 1'
like out ' +2\. grade\.c:6:.* PROVEN'

# --- functions that are correct ---
build calls -g <<'END_C'
#include <assert.h>
#include <stdlib.h>
static int twice(int n)
{
	if (n > 2)
		return n + 1;
	return n + n;
}
int main(int argc, char **argv)
{
	int a = atoi(argv[1]);
	assert(twice(a) == 6);
	return 0;
}
END_C
tree 0 --no-experiments -- ./calls 3
grep -q 'in twice()' out || fail "nothing in twice()"
tree 0 --no-experiments --correct twice -- ./calls 3
grep -q 'in twice()' out && fail "a cause in a function that is correct"
printf '# ours\n\n  twice()  # well tested\n' >good
tree 0 --no-experiments --correct-file good -- ./calls 3
grep -q 'in twice()' out && fail "the file is not read"
cp good hence.correct
tree 0 --no-experiments -- ./calls 3
grep -q 'in twice()' out && fail "hence.correct is not read"
rm hence.correct
printf 'twice\nint twice(int)\n' >bad
tree 2 --correct-file bad -- ./calls 3
only err 'hence: bad:2: give one name of a function a line; # begins a comment'
printf 'tw\0ice\n' >bad
tree 2 --correct-file bad -- ./calls 3
like err 'hence: bad:1: this is no text; .*'
tree 2 --correct-file nowhere -- ./calls 3
only err 'hence: --correct-file: cannot read nowhere: No such file or directory'
tree 2 --correct-file . -- ./calls 3
like err 'hence: --correct-file: cannot read \.: .*'
tree 2 --correct 'twice,,main' -- ./calls 3
like err "hence: --correct twice,,main: '' is no name of a function; .*"

# --- ends ---
tree 1 -- ./sign 5
like err 'hence: \./sign does not fail: .*'
build forever -g <<'END_C'
#include <stdlib.h>
int main(int argc, char **argv)
{
	unsigned long sum = 0;
	for (unsigned long i = 0; i < 400000; i++)
		sum = sum * 31 + i;
	if (sum % 2 < 2)
		abort();
	return 0;
}
END_C
tree 3 --time 0.2 -- ./forever
"$HENCE" tree --time 60 -- ./forever >out 2>err &
job=$!
sleep 1
kill -INT $job
wait $job
[[ $? == 3 ]] || fail "exit code $? after an interrupt"
nothing_left

# --- bad input ---
tree 2
only err "hence: no program given; use 'hence tree [OPTIONS] -- ./prog ARGS'"
tree 2 --levels x -- ./sign 0
only err 'hence: --levels x: give a whole number above 0'
tree 2 --levels 100000 -- ./sign 0
only err 'hence: --levels 100000: give at most 1000'
tree 2 --lvels 3 -- ./sign 0
only err 'hence: hence tree has no option --lvels; did you mean --levels?'
tree 2 --format xml -- ./sign 0
only err 'hence: --format xml: give text, json, dot or gcc'
tree 2 --pass-prog ./sign -- ./sign 0
only err 'hence: hence tree compares with no other program; give what is right with --expect FILE instead of --pass-prog'
tree 2 -- ./nowhere
like err 'hence: .*nowhere.*'
"$CLANG" -g sign.c -o plain || fail "cannot build plain"
tree 2 -- ./plain 0
like err 'hence: \./plain was not built with hence cc; .*'
tree 2 nowhere.c -- 0
tree 2 -o nowhere/file -- ./sign 0
only err 'hence: -o: cannot write nowhere/file: No such file or directory'
tree 2 -o /dev/full -- ./sign 0
like err 'hence: -o: cannot write /dev/full: .*'
tree 2 --smt sign.c -- ./sign 0
only err 'hence: --smt: sign.c is no directory'
tree 2 --answers nowhere -- ./sign 0
only err 'hence: --answers: cannot read nowhere: No such file or directory'
tree 2 --session file -- ./sign 0
only err 'hence: --session is about answers; add -i'

# What was not recorded cannot be explained.
build long -g -DROUNDS=3000000 <<'END_C'
#include <stdlib.h>
int main(void)
{
	unsigned sum = 0;
	for (int i = 0; i < ROUNDS; i++)
		sum += i % 7;
	if (sum != 1)
		abort();
	return 0;
}
END_C
tree 2 --tape-limit 1M -- ./long
like err 'hence: the recording ends before the failure: the tape is full .1 MB; raise --tape-limit .*'

# More than can be followed is followed in part, and values are found all the same.
"$HENCE_CC" -g -DROUNDS=150000 long.c -o shorter || fail "cannot build shorter"
tree 0 -- ./shorter
like out " *proven: with sum = 1 after long.c:6, execution 150000, the run passes"
like out ' *not all that it was made of could be followed'

# --- help and manual say the same ---
tree 0 --help
page=$(sed 's/\\-/-/g; s/\\fP//g' "$SRC/docs/man/hence-tree.1")
options=$(sed '/--format FORMAT/,$d' out | grep -oE '^  -[^ ]*(, -[^ ]*)?' | tr -d ,)
[[ $options == *--check*--save* ]] || fail "no options in the help"
for option in $options; do
	grep -qE -- "^\.B[RI]* (.*\" )?$option( |\$)" <<<"$page" || fail "the manual page lacks $option"
done
