#!/bin/bash
# Whatever `hence trace` prints as a name can be asked for, with the value that it has right after the line.
source "$SRC/tests/slice/cli_lib.sh"
build prog <<'END'
#include <stdlib.h>
struct point { int x, y; };
struct item { struct item *next; struct point at; unsigned low : 3, high : 5; int list[3]; };
union both { int n; char c[4]; };
static int count;
static int table[2][3];
static struct item *head;
static int depth(int n)
{
	static int calls;
	int here = n * 10;
	calls++;
	if (n > 0)
		depth(n - 1);
	return here;
}
static void fill(int *to, struct point by)
{
	to[0] = by.x;
	to[1] = by.y;
}
int main(int argc, char **argv)
{
	struct item second = {0}, *p;
	int pair[2];
	int *q = &pair[1];
	union both u;
	second.at.y = 8;
	second.high = 9;
	second.list[2] = 6;
	head = malloc(sizeof(*head));
	head->next = &second;
	head->at.x = 4;
	p = head;
	table[1][2] = 5;
	fill(pair, (struct point){3, 4});
	u.c[1] = 1;
	u.n = 258;
	depth(2);
	count++;
	for (int i = 0; i < 3; i++)
		count += i;
	return *q + p->next->at.y - 12;
}
END

# value NAME VALUE [LINE]: what the header says of a variable at line 43 (the return), or another.
value() {
	slice 0 --at "prog.c:${3:-43}:$1" -- ./prog
	grep -qF "backward slice of $1 = $2 at prog.c:${3:-43} in " out || fail "$1: $(head -1 out), not $2"
}
value count 4
value 'table[1][2]' 5
value 'table[1]' '{0, 0, 5}'
value 'pair[0]' 3
value '*q' 4
value 'q[-1]' 3
value 'p->at.x' 4
value '(*p).at.x' 4
value 'p->next->at' '{x = 0, y = 8}'
value 'head->next->list[2]' 6
value 'second.high' 9
value 'second.low' 0
value 'u.c[1]' 1
value u.n 258
value '*head->next' '{next = NULL, at = {x = 0, y = 8}, low = 0, high = 9, ...}'
value 'argv[0][0]' "'.'"
value 'table[argc][2]' 5
value 'depth.calls' 3
# In other functions: callers, recursion by the number of the call from main() on, and one's own.
value main.pair[1] 4 20
value by.y 4 19
value here 0 11
value depth@2.here 20 11
value depth@3.here 10 11
value calls 3 12

# A call changes the variable before the line has ended.
slice_is 'prog.c:19,20,36' --at prog.c:36:pair -- ./prog
slice_is 'prog.c:40' --at prog.c:40:count -- ./prog
slice_is 'prog.c:38' --at prog.c:38:u -- ./prog
# A bit-field shares its bytes with what was there before.
slice_is 'prog.c:24,29' --at prog.c:43:second.high -- ./prog
slice_is 'prog.c:28' --at prog.c:43:p-\>next-\>at.y --data -- ./prog
# Executions of a line: of the loop's head the first is `i = 0; i < 3`.
slice 0 --at prog.c:41:i --instance 1 -- ./prog; like out "backward slice of i = 0 at .*"; has out "execution 1 of 4 of the line"
slice 0 --at prog.c:41:i --instance -2 -- ./prog; like out "backward slice of i = 2 at .*"
slice 0 --at prog.c:42:count --instance 2 -- ./prog; like out "backward slice of count = 2 at .*"; has out "execution 2 of 3 of the line"
