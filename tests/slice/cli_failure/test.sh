#!/bin/bash
# Without options the failure is the criterion, whatever kind of failure it is.
source "$SRC/tests/slice/cli_lib.sh"

# --- crashes ---
build list <<'END'
#include <stdlib.h>
struct node { struct node *next; int val; };
static struct node *push(struct node *head, int val)
{
	struct node *n = malloc(sizeof(*n));
	n->val = val;
	n->next = head;
	return n;
}
static int total(struct node *list)
{
	int t = 0;
	while (list->val != 0) {
		t += list->val;
		list = list->next;
	}
	return t;
}
int main(int argc, char **argv)
{
	struct node *head = NULL;
	int seen = 0;
	for (int i = 1; i < argc; i++) {
		head = push(head, atoi(argv[i]));
		seen++;
	}
	return total(head) + seen;
}
END
# Which pointer it was, and why the loop went on: not the sum nor the count.
slice_is 'list.c:5,6,7,8,13,15,21,23,24,27' -- ./list 1 2
slice 0 -- ./list 1 2
has out 'backward slice of SIGSEGV at list.c:13 in total(): 10 of 14 executed lines (of 15)'
has out 'the program died when it read list->val, 4 bytes at 0x8'
like out '>  13 while \(list->val != 0\) \{ .*; the program died when it read list->val, 4 bytes at 0x8'
like err 'hence: \./list was killed by SIGSEGV .*'

# Of a store that faults only the pointer matters, not the value.
build store <<'END'
#include <stdlib.h>
int main(int argc, char **argv)
{
	int value = argc * 7;
	int *where = NULL;
	if (argc > 1)
		where = &value;
	*where = value + 1;
	return 0;
}
END
slice_is 'store.c:5,8' -- ./store
slice 0 -- ./store
has out 'the program died when it wrote *where, 4 bytes at 0x0'
like out '>   8 \*where = value \+ 1;  +the program died .*'

# Of a division the divisor.
build divide <<'END'
#include <stdlib.h>
int main(int argc, char **argv)
{
	int a = argc + 4;
	int b = atoi(argv[1]);
	int c = a / b;
	return c;
}
END
slice_is 'divide.c:5,6' -- ./divide 0
slice 0 -- ./divide 0
like out 'backward slice of SIGFPE at divide\.c:6 in main\(\): 2 of 3 executed lines \(of 4\)'

# Of code[length] the access to the text is what fails, not that to the variable code; of a call the pointer.
build wild <<'END'
#include <stddef.h>
static const char *text;
static void (*function)(int);
static size_t length_of(const char *code)
{
	size_t length = 0;
	while (code[length])
		length++;
	return length;
}
int main(int argc, char **argv)
{
	int other = argc + 1;
	if (argc > 1) {
		function = (void (*)(int))0x1000000f;
		function(other);
	}
	text = (const char *)0x100000000;
	return (int)length_of(text);
}
END
slice_is 'wild.c:6,7,18,19' -- ./wild
slice 0 -- ./wild
has out 'the program died when it read code[0], 1 byte at 0x100000000'
slice_is 'wild.c:14,15,16' -- ./wild x
slice 0 -- ./wild x
has out 'the program died when it called a pointer that leads to no function'

# Inside the library: the call.
build library <<'END'
#include <string.h>
static char text[4];
int main(int argc, char **argv)
{
	char *to = text;
	int other = argc;
	if (argc > 1)
		to = argv[argc];
	other++;
	strcpy(to, "abc");
	return other;
}
END
slice_is 'library.c:7,8,10' -- ./library x
slice 0 -- ./library x
has out 'the program died in a call of strcpy()'
like out '>  10 strcpy\(to, "abc"\);  +strcpy\(.*\) did not return'

# What destroyed memory before the crash belongs to it.
build corrupt <<'END'
#include <stdio.h>
#include <stdlib.h>
static char name[8];
static void take(const char *from)
{
	int i = 0;
	while (from[i]) {
		name[i] = from[i];
		i++;
	}
}
int main(int argc, char **argv)
{
	int *p = NULL, lines = 3;
	take(argv[1]);
	lines++;
	*p = lines;
	return 0;
}
END
slice_is 'corrupt.c:6,7,8,9,14,15,17' -- ./corrupt abcdefghij
slice 0 -- ./corrupt abcdefghij
like out 'before that, at corrupt\.c:8 in take\(\): writes name\[8\], 1 byte past the end of name \(8 bytes, corrupt\.c:3\).*'
like out '>   8 +name\[i\] = from\[i\]; .*'
slice_is 'corrupt.c:14,17' -- ./corrupt abc

# --- memory errors without a crash ---
build freed <<'END'
#include <stdlib.h>
int main(int argc, char **argv)
{
	char *p = malloc(4), *q = malloc(4);
	int n = argc;
	if (n > 1)
		free(p);
	free(q);
	p[1] = 'x';
	return 0;
}
END
slice_is 'freed.c:4,5,6,7,9' -- ./freed x
slice 0 -- ./freed x
has out 'writes p[1], 1 byte of freed memory: a heap block of 4 bytes (allocated at freed.c:4, freed at freed.c:7)'
slice 1 -- ./freed
has err 'hence: ./freed does not fail (exit status 0); choose what to slice from with --at FILE:LINE[:VAR] or --output BYTE, or say what it should print with --expect FILE'

# --- asserts, abort(), exit() ---
build check <<'END'
#include <assert.h>
#include <stdlib.h>
static int half(int x) { return x / 2; }
int main(int argc, char **argv)
{
	int x = atoi(argv[1]), y = 7;
	y++;
	x = half(x);
	assert(x != 1);
	if (x == 2)
		abort();
	if (x == 3)
		exit(y);
	return x == 4 ? x + 1 : 0;
}
END
slice_is 'check.c:3,6,8,9' -- ./check 2
slice 0 -- ./check 2
like out "backward slice of the failed assertion 'x != 1' at check\.c:9 in main\(\): .*"
slice_is 'check.c:3,6,8,10,11' -- ./check 4
slice_is 'check.c:3,6,7,8,12,13' -- ./check 6
slice 0 -- ./check 6
like out 'backward slice of exit status 8 at check\.c:13 in main\(\): .*'
slice_is 'check.c:3,6,8,14' -- ./check 8
slice 0 -- ./check 8
has out 'main() returned it'

# --- a hang ---
build hang <<'END'
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int step = atoi(argv[1]), other = 1, i = 0;
	other++;
	while (i < 10) {
		usleep(50000);
		i += step;
	}
	return other;
}
END
slice_is 'hang.c:5,7,8,9' --timeout 0.4 -- ./hang 0
slice 0 --timeout 0.4 -- ./hang 0
like out 'backward slice of the hang at hang\.c:[789] in main\(\): 4 of 5 executed lines \(of 6\)'
slice 2 --timeout 5 --at hang.c:99 -- ./hang 1
