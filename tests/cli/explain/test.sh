#!/bin/bash
# The command line of `hence explain`: formats, references, messages, exit codes. Whether explanations are right, tests/explain shows.
source "$SRC/tests/run/lib.sh"

# explain CODE ARGS...
explain() {
	hence_exits "$1" explain --no-edits "${@:2}"
	nothing_runs
}

# No process of a program under test is left, nor a directory of ours.
nothing_runs() {
	local running
	running=$(find /proc/[0-9]*/exe -maxdepth 0 -lname "$PWD/*" 2>/dev/null)
	[[ ! $running ]] || fail "still running: $running"
	[[ ! $(ls -A "$TMPDIR") ]] || fail "left in TMPDIR: $(ls "$TMPDIR")"
}

build scale -g <"$SRC/tests/cli/explain/scale.c"

# --- the chain ---
explain 0 --expect-text 'result 24' --pass 8 -- ./scale 12
like out '\./scale prints "result 36", not "result 24" \(line 1\).*'
like out 'compared with: \./scale 8 \(given with --pass\)'
like out ' *[0-9]+\. result is 36 \(not 16\).*'
like out ' *[0-9]+\. the program prints 36 \(not 16\)'
like out '    because .* \(step [0-9]+\); proven both ways \[[0-9]+, [0-9]+\]'
like out 'values in brackets are those of that run'
like out 'look first at'
like out '[0-9]+ experiments, 1 run on other input, [0-9.]+ seconds; the failing run .*'
[[ ! -s err ]] || fail "something on standard error"

# --- as JSON, to a file ---
"$CLANG" -O1 "$SRC/tests/chop/flatten.c" -o flatten || fail "cannot build flatten"
explain 0 --json -o report --expect-text 'result 24' --pass 8 -- ./scale 12
[[ ! -s out ]] || fail "something was printed though -o was given"
./flatten <report >flat || fail "this is no JSON"
like flat '\.hence	1'
like flat '\.verdict	explained'
like flat '\.command\[1\]	12'
like flat '\.failure\.kind	wrong-output'
like flat '\.failure\.line	15'
like flat '\.reference\.kind	input'
like flat '\.reference\.command\[1\]	8'
like flat '\.steps\[0\]\.proven	true'
like flat '\.steps\[0\]\.proof\[0\]\.outcome	(pass|fail)'
like flat '\.steps\[[0-9]\]\.observed	true'
like flat '\.suspects\[0\]\.score	0\.[0-9]+'
like flat '\.stats\.experiments	[0-9]+'

# --- how often the recordings were read ---
build shellsort -g <"$SRC/tests/explain/shellsort/sample.c"
explain 0 --json -o report --expect-text '11 14 ' --pass '9 8 7' -- ./shellsort 11 14
./flatten <report >flat || fail "this is no JSON"
like flat '\.stats\.decodes	[1-9][0-9]*'
explain 0 --full --expect-text '11 14 ' --pass '9 8 7' -- ./shellsort 11 14
tr '\n' ' ' <out >joined
grep -qE '; [1-9][0-9]* decodes? of recordings' joined || fail "--full does not say how often recordings were decoded"

# --- for editors ---
explain 0 --format gcc --expect-text 'result 24' --pass 8 -- ./scale 12
like out 'scale\.c:15:[0-9]+: error: \./scale prints "result 36", not "result 24" \(line 1\).*'
like out 'scale\.c:[0-9]+:[0-9]+: note: result is 36 \(not 16\).* \[experiment [0-9, ]+\]'
like out 'scale\.c:[0-9]+:[0-9]+: warning: look here: .*'

# --- colours ---
explain 0 --color --expect-text 'result 24' --pass 8 -- ./scale 12
grep -q $'\x1b\\[1;31m36\x1b\\[0m' out || fail "no colours"
explain 0 --color=never --expect-text 'result 24' --pass 8 -- ./scale 12
! grep -q $'\x1b' out || fail "colours"

# --- the reference: of several the one with the shortest chain, which is that of 10: it goes the same way; one that is found ---
explain 0 --expect-text 'result 24' --pass 8 --pass 10 --pass 2 -- ./scale 12
like out 'compared with: \./scale 10 \(given with --pass\)'
like out '- compared with \./scale 2 \(given with --pass\) as well: explained, [0-9]+ steps'
like out '- compared with \./scale 8 \(given with --pass\) as well: explained, [0-9]+ steps'
explain 0 --json --expect-text 'result 24' --pass 8 --pass 10 -- ./scale 12
like out '.*"references":.*'
explain 0 --args -- ./scale 77
like out '\./scale dies of SIGABRT.*'
like out 'compared with: \./scale 7 \(an input near the failing one that was found to pass\)'

# --- the input as it is; a line of the reference that is wrong in the failing run ---
# The failing run without its fault prints what is expected, which no input that was found does.
explain 0 --no-reduce --expect-text 'result 24' -- ./scale 12
like out 'compared with: the failing run with the branch at scale\.c:7 going the other way'
# No branch makes 25 of 12, and the output for an input that is found may be wrong as well: the failing run alone is examined first, and proves a
# value.
explain 0 --no-reduce --expect-text 'result 25' -- ./scale 12
like out ' *[0-9]+\. result is [0-9]+ \(not 25\).*'
like out '.*proven: with the value in brackets the failing run passes \[[0-9]+\]'
! grep -q 'compared with' out || fail "it was compared with what nobody knows to be right"
# Nor does any value make another word: then an input is searched for.
explain 3 --no-reduce --expect-text 'outcome 24' -- ./scale 12
like out 'compared with: \./scale .* \(an input near the failing one that was found to pass\)'
like out '- the reference was found, not given, .*'
! grep -q 'was reduced first' out || fail "it was reduced"
build twice -g <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int n = atoi(argv[1]);
	printf("%d\n%d\n", n, n > 9 ? 5 : 7);
	return 0;
}
END
explain 0 --expect-text $'12\n7\n' --pass 5 -- ./twice 12
like out 'compared with: \./twice 5 \(given with --pass\)'
like out ' *[0-9]+\. the program prints 5 \(not 7\)'

# --- sources are compiled; options for the compiler stand among them ---
explain 0 --expect-text 'result 24' --pass 8 scale.c -lm -- 12
like out 'scale prints "result 36", not "result 24" \(line 1\).*'
like out 'compared with: scale 8 \(given with --pass\)'
echo 'int main(void) { return x; }' >broken.c
explain 2 broken.c
like err "broken\.c:1:25: error: use of undeclared identifier 'x'"
explain 2 nowhere.c
like err '.*nowhere\.c.*'
explain 2 scale.c -c -- 12
only err 'hence: the compiler made no program of scale.c; give only sources and options for linking before --'

# --- it does not fail ---
explain 1 -- ./scale 12
only err 'hence: ./scale does not fail: exited with status 0; say with --expect, --test or --timeout what is wrong with it'
explain 1 --expect-text 'result 36' -- ./scale 12
only err 'hence: ./scale does not fail: exited with status 0; its output is what is expected'
[[ ! -s out ]] || fail "something was printed"

# --- bad input ---
explain 2
only err "hence: no program given; use 'hence explain [OPTIONS] -- ./prog ARGS'"
explain 2 -- ./nowhere
only err 'hence: cannot run ./nowhere: no such file'
"$CLANG" scale.c -o plain || fail "cannot build plain"
explain 2 --expect-text 1 -- ./plain 1
like err 'hence: \./plain was not built with hence cc; .*'
printf '#!/bin/sh\nexec ./scale "$@"\n' >script
chmod +x script
explain 2 --expect-text 1 -- ./script 1
like err 'hence: \./script is a script that runs other programs .*; give the one that fails'
explain 2 --exect x -- ./scale
only err 'hence: hence explain has no option --exect; did you mean --expect?'
explain 2 --all-points -- ./scale
like err 'hence: hence explain has no option --all-points; .*'
explain 2 --format xml -- ./scale
only err 'hence: --format xml: give text, json, sarif, html, dot or gcc'
explain 1 --pass-prog ./scale -- ./scale 12
only err 'hence: ./scale does not fail: it exited with status 0 and prints the same as ./scale; give a build that does something else with --pass-prog'
explain 2 -o nowhere/file -- ./scale 12
like err 'hence: -o: cannot write nowhere/file: .*'
explain 2 --pass 1 --pass-stdin a --pass-stdin b -- ./scale 12
like err 'hence: there are 1 --pass and 2 --pass-stdin; .*'

# --- the reference fails as well ---
explain 2 --pass 77 -- ./scale 77
like err 'hence: the passing input 1 is the same as the failing one; .*'
# It goes on as if it were not there; a single method cannot.
explain 0 --pass 52 -- ./scale 51
like out '- the passing input does not pass: ./scale fails with it, too \(it exited with'
like out 'compared with: .*an input near the failing one that was found to pass.*'
explain 2 --method chain --pass 52 -- ./scale 51
like err 'hence: the passing input does not pass: ./scale fails with it, too \(it exited with status 4\); give one with which it does not fail'
# It prints what the failing one prints.
cat >same.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	printf("%d\n", atoi(argv[1]) / 10);
	return 0;
}
END
"$HENCE_CC" same.c -o same || fail "cannot build same.c"
explain 2 --method chain --expect-text 2 --pass 11 -- ./same 12
only err 'hence: the passing input is of no use: with it ./same prints the same as with the failing one, or does not exit normally; give one with which it does neither'
# It is no reference, but edits must leave it as it is: with '/ 6' it would print 1, too, with '/ 5' 2.
hence_exits 3 explain --expect-text 2 --pass 11 -- ./same 12
tr '\n' ' ' <out | tr -s ' ' | grep -qF "the passing input cannot be compared with, since ./same prints the same as with the failing one; changes of the code must leave it as it is" ||
	fail "it is not said that the passing input is no reference"
tr '\n' ' ' <out | tr -s ' ' | grep -qF 'and the passing run stays as it was' || fail "no edit was tried on the passing input"
! grep -qF '/ 5' out || fail "an edit that changes the passing run is the best"

# --- a program with a temporary file: confined runs have one, too ---
cat >keeps.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	FILE *f = tmpfile();
	int n = 0;
	if (!f)
		return 9;
	fprintf(f, "%d\n", atoi(argv[1]) + 1);
	rewind(f);
	if (fscanf(f, "%d", &n) != 1)
		return 8;
	printf("%d\n", n * 2);
	return 0;
}
END
"$HENCE_CC" keeps.c -o keeps || fail "cannot build keeps.c"
hence_exits 3 explain --no-edits --expect-text 11 -- ./keeps 5
like out './keeps prints "12", not "11" .line 1.'
grep -q 'n is 6' out || fail "what was read from the temporary file is not in the text"

# --- nothing to compare with ---
explain 0 --expect-text 'result 1' -- ./scale
like out ' 1\. result is 0 \(not 1\)'
explain 3 --expect-text 'outcome 1' -- ./scale
like out '\./scale prints "result 0", not "outcome 1" \(line 1\)'
like out 'no cause could be proven'
like out '- \./scale has no arguments and no input that could be varied, so there is no.*'
like out "What may help: an input that passes, with --pass 'ARGS' or --pass-stdin FILE; or.*"
# --- an input that was reduced: the tree is of the one that was given ---
build minus -g <<'END'
#include <stdio.h>
int main(void)
{
	int a, b, total;
	while (scanf("%d %d", &a, &b) == 2) {
		total = a - b;
		printf("%d\n", total);
	}
	return 0;
}
END
echo "1 2" >two
echo 3 >three
explain 0 --stdin two --expect three -- ./minus
like out ' *[0-9]+\. total is -?[0-9]+ \(not 3\).*'
like out '.*proven: with the value in brackets the failing run passes \[[0-9]+\]'
build both -g <<'END'
#include <stdlib.h>
int main(int argc, char **argv)
{
	abort();
}
END
explain 3 -- ./both x
like out '\./both dies of SIGABRT.*'
like out '- no input that passes was found near the failing one; give one with --pass or.*'

# --- it does not always do the same ---
build flip -g <<'END'
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int p = getpid();
	printf("%d\n", argc > 1 ? p : 0);
	return 0;
}
END
explain 3 --expect-text 1 --pass '' -- ./flip x
like err 'hence: \./flip does not always do the same: .*'

# --- the time is over: what is known is told ---
build slow -g <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int list[64];
	int sum = 0;
	for (int i = 0; i < 64; i++)
		list[i] = argc > 1 ? atoi(argv[1]) + i : 0;
	usleep(50000);
	for (int i = 0; i < 64; i++)
		sum += list[i];
	usleep(50000);
	printf("%d\n", sum);
	return 0;
}
END
explain 3 --time 2 -j 1 --expect-text 0 --pass 1 -- ./slow 7
like out '\./slow prints "[0-9]+", not "0" \(line 1\)'
like out 'incomplete: the search was ended early; this is what was known'
explain 3 --time 0.05 -j 1 --json --expect-text 0 --pass 1 -- ./slow 7
like err 'hence: the time was up in the first run of \./slow, .*'

# --- an interrupt, when the failing run is known and the other one is recorded: the same; nothing is left ---
second_tape() {
	compgen -G "$HENCE_TAPE_DIR/*/00000001.tape" >/dev/null
}
for signal in INT TERM HUP; do
	session "$HENCE" explain -j 1 --expect-text 0 --pass 1 -- ./slow 7
	await 60 second_tape
	kill -$signal $leader
	wait $leader
	[[ $? == 3 ]] || fail "another exit code after SIG$signal"
	like out 'incomplete: the search was ended early; this is what was known'
	nothing_left
	nothing_runs
done

# --- help ---
hence_exits 0 explain --help
like out 'hence explain \[OPTIONS\] -- PROGRAM ARGS\.\.\.'
like out '  --pass .*'
