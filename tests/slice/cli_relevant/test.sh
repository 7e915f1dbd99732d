#!/bin/bash
# --relevant: branches that, taken the other way, could have changed what was read. They are marked.
source "$SRC/tests/slice/cli_lib.sh"
build prog <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
	int limit = 1, other = 2;
	int many = argc > 3;
	if (many)
		limit = 10;
	if (argc > 4)
		other = 3;
	printf("%d\n", limit);
	return other - 2;
}
END
slice_is 'prog.c:4,10' --output 0 -- ./prog
slice_is 'prog.c:4,5,6,10' --output 0 --relevant -- ./prog
like out '.*"line":6,"function":"main","count":1,"potential":true,.*'
like out '.*"line":4,"function":"main","count":1,"instances".*'
slice 0 --output 0 --relevant -- ./prog
like out '\?   6 if \(many\) .*'
has out '? taken the other way, this could have changed what a line of the slice read'
slice 0 --output 0 -- ./prog
grep -q '^?' out && fail "marks without --relevant"
slice 0 --output 0 --relevant --format gcc -- ./prog
like out 'prog\.c:6:6: note: many != 0 is false \[in main, 1 of 1\] \(potential\)'
slice 0 --output 0 --relevant --format dot -- ./prog
grep -qE -- '-> n[0-9]+ \[style=dotted\];' out || fail "no dotted edge"
# Taken, the branch is an ordinary one.
slice_is 'prog.c:5,6,7,10' --output 0 --relevant -- ./prog a b c
slice 0 --output 0 --relevant -- ./prog a b c
grep -q '^?' out && fail "a branch that was taken is not potential"
exit 0
