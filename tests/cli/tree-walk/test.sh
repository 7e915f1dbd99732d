#!/bin/bash
# The dialogue of `hence tree -i`: what is shown, answers from a file, sessions, reports.
source "$SRC/tests/run/lib.sh"

# A chain of conditions, each false since the one before was.
build steps -g <<'END_C'
#include <assert.h>
int main(void)
{
	int start = 7;
	int first = 0;
	int second = 0;
	int third = 1;
	if (start > 9)
		first = 1;
	if (first)
		second = 1;
	if (second)
		third = 3;
	assert(third == 3);
	return 0;
}
END_C
# Two conditions lead to the failure; only turning round the one at 8 mends it.
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

# talk CODE 'ANSWERS' ARGS...: the answers are words, _ is a space; the dialogue is in out, in short in short: answers, and the
# place of each cause that is shown.
talk() {
	local code=$1 answers=$2
	shift 2
	tr ' _' '\n ' <<<"$answers" >answers
	hence_exits "$code" tree --answers answers "$@"
	sed -nE 's/^hence> (.*)/> \1/; s/^> $/>/; /^>( [^ ]|$)/p; s/^[0-9]+\. ([a-z]+\.c:[0-9]+).*/\1/p' out >short
}

# says TEXT: the dialogue in short, with its lines joined.
says() {
	[[ $(tr '\n' ' ' <short) == "$1 " ]] || fail "not '$1' but '$(tr '\n' ' ' <short)'"
}

# --- answers ---
# The proven cause comes first. Marks: n leaves it out, b takes that back, s stays where nothing leads to it.
talk 0 's n b s q' -- ./sum
says 'sum.c:12 > s sum.c:8 > n sum.c:10 > b sum.c:8 > s > q'
has out '>     8      if (b < 0)'
has out '   b < 0 is false: 1 < 0'
has out '     sum.c:5  b = 1'
has out 'nothing is known that leads to it: if it is the cause, answer y; n goes on'
talk 0 's n n l g_2 x h' -- ./sum
says 'sum.c:12 > s sum.c:8 > n sum.c:10 > n > l > g 2 sum.c:10 > x > h >'
has out 'no unmarked cause is left; l lists all, b takes the answer back'
like out ' \? 1\. sum\.c:12:.*'
like out ' -   3\. sum\.c:8:.* PROVEN'
like out '>-   2\. sum\.c:10:.*'
like out 'answer n \(not it\), .*'
like out '  b        back: .*'

# --- on demand ---
talk 0 's s s s s y' --levels 1 -- ./steps
says 'steps.c:14 > s steps.c:12 > s steps.c:10 > s steps.c:8 > s > s > y steps.c:14 steps.c:12 steps.c:10 steps.c:8'
has out '   level 1; what led to it is not computed yet'
has out 'nothing is known that leads to it: if it is the cause, answer y; n goes on'
# What is cut off: all that leads only to what is not it.
talk 0 's s s b b n l q' -- ./steps
says 'steps.c:14 > s steps.c:12 > s steps.c:10 > s steps.c:8 > b steps.c:10 > b steps.c:12 > n > l > q'
like out '>-   2\. .*'
like out ' \.     3\. .*'
like out ' \.       4\. .*'

# --- the report ---
talk 0 's s y' -o report -- ./steps
has out 'hence> y'
grep -q 'steps.c:10' report || fail "the cause is not in the report"
grep -q 'steps.c:8' report && fail "the report has more than the way to the cause"
talk 0 's s y' --json -o report -- ./steps
"$CLANG" -O1 "$SRC/tests/chop/flatten.c" -o flatten || fail "cannot build flatten"
./flatten <report >flat || fail "this is no JSON"
like flat '\.chosen	3'
like flat '\.path\[0\]	1'
like flat '\.path\[1\]	2'
like flat '\.path\[2\]	3'

# --- sessions ---
talk 0 's s q' --levels 1 --session one -- ./steps
talk 0 'l s b b w_two' --levels 1 --session one -- ./steps
says 'steps.c:10 > l > s steps.c:8 > b steps.c:10 > b steps.c:12 > w two >'
like out '>      3\. .*'
has out 'saved'
cmp one two || fail "the end of the answers does not save"
talk 0 'q' --levels 1 --session two -- ./steps
says 'steps.c:12 > q'
talk 2 'q' --session two -- ./steps
only err 'hence: two is a session with --levels 1; give the same'
talk 2 'q' --levels 1 --session two -- ./sum
only err 'hence: two is the session of another command; give another file'
talk 2 'q' --session steps.c -- ./steps
like err 'hence: steps\.c is no session of hence tree: .*'
# The program has changed: a line more.
cp steps.c old.c
sed -i 's/int start/\n&/' steps.c
"$HENCE_CC" -g steps.c -o steps || fail "cannot build steps"
talk 2 'q' --levels 1 --session two -- ./steps
like err 'hence: two does not fit: cause 1 is not where it was; .*'
cp two before
talk 0 'w_nowhere/file w q' -- ./steps
has out 'cannot save the session to nowhere/file: No such file or directory'
has out 'w needs the name of a file'
cmp two before || fail "a session that was refused was changed"

# --- on a terminal, a dumb one ---
printf 's\nn\nq\n' >answers
command -v script >/dev/null || skip "there is no script(1)"
TERM=dumb script -qec "'$HENCE' tree -i -- ./sum" /dev/null <answers >out 2>err || fail "exit code $?"
grep -q 'sum.c:10:8 in main' out || fail "the terminal's answers are not read"
grep -q $'\x1b' out && fail "a dumb terminal got escape sequences"

# --- without a terminal ---
setsid -w "$HENCE" tree -i -- ./steps >out 2>err </dev/null
[[ $? == 2 ]] || fail "not refused without a terminal"
only err 'hence: -i needs a terminal for the answers; give them with --answers FILE'
