#!/bin/bash
# Which statements are shown; and when there are none, what is near.
source "$SRC/tests/trace/lib.sh"
build sort <<'END'
#include <stdio.h>
static int moves;
static void swap(int *a, int *b)
{
	int old = *a;
	*a = *b;
	*b = old;
	moves++;
}
static void unused(void)
{
	moves = 0;
}
struct pair { int left, right; };
int main(int argc, char **argv)
{
	int list[3] = {3, 1, 2};
	struct pair pair = {0, 1};
	if (argc > 5)
		unused();
	for (int i = 0; i < 2; i++)
		for (int k = 0; k < 2; k++)
			if (list[k] > list[k + 1])
				swap(&list[k], &list[k + 1]);
	pair.left = list[0];
	printf("%d\n", moves);
	return 0;
}
END

statements() { # NUMBERS...: just these were shown
	[[ $(awk '{ print $1 }' out | xargs) == "$*" ]] || fail "not the statements $*"
}

trace 0 -- ./sort
cp out all
last=$(tail -n 1 all | awk '{ print $1 }')
[[ $(wc -l <all) == "$last" ]] || fail "numbers do not count up"
has err 2

trace 0 --from 5 --to 7 -- ./sort
statements 5 6 7
trace 0 --from "$last" -- ./sort
statements "$last"
trace 0 --function swap -- ./sort
[[ $(wc -l <out) == 10 ]] || fail "swap() has five statements and ran twice"
! grep -v ' swap ' out || fail "not of swap()"
trace 0 --line sort.c:8 -- ./sort
[[ $(wc -l <out) == 2 ]] || fail "line 8 ran twice"
trace 0 --line=./sort.c:8 -- ./sort
[[ $(wc -l <out) == 2 ]] || fail "line 8 ran twice"
trace 0 --function swap --line sort.c:8 --from 20 -- ./sort
like out ' +[0-9]+  sort\.c:8 +swap +moves = 2   \(read moves = 1\)'

# A variable: itself, its parts, and what pointers do to it.
trace 0 --variable pair -- ./sort
like out ' +[0-9]+  sort\.c:18 +main +pair = \{left = 0, right = 1\}'
like out ' +[0-9]+  sort\.c:25 +main +pair\.left = 1   \(read list\[0\] = 1\)'
[[ $(wc -l <out) == 2 ]] || fail "two statements use pair"
trace 0 --variable pair.left -- ./sort
[[ $(wc -l <out) == 1 ]] || fail "one statement uses pair.left"
trace 0 --variable 'list[1]' --function swap -- ./sort
[[ $(wc -l <out) == 4 ]] || fail "four statements of swap() use list[1]"
like out ' +[0-9]+  sort\.c:7 +swap +\*b = 3   \(read old = 3\)'
trace 0 --variable moves -- ./sort
[[ $(wc -l <out) == 3 ]] || fail "three statements use moves"

nothing() { # MESSAGE ARGS...
	local message=$1
	shift
	trace 2 "$@" -- ./sort
	[[ ! -s out ]] || fail "something was shown"
	has err "hence: $message"
}
nothing "the program has no function swop(); did you mean swap()?" --function swop
nothing "unused() was not executed" --function unused
nothing "no function qqqqqqqq() was built with hence cc in this program" --function qqqqqqqq
nothing "no statement of sort.c:12 was executed; the nearest that was: lines 9 and 17" --line sort.c:12
nothing "no statement of sort.c:999 was executed; the nearest that was: line 27" --line sort.c:999
nothing "nothing of other.c was executed; name the file as it was compiled" --line other.c:3
nothing "no function that was executed has a variable move; did you mean moves?" --variable move
nothing "no function that was executed has a variable qqqqqqqq; there are: argc, argv, list, pair, i, k, a, b, ..." \
	--variable qqqqqqqq
nothing "no statement of what was chosen read or wrote pair" --variable pair --function swap
nothing "no such statement is in the range of --from and --to; $last statements were executed" --from 1000
