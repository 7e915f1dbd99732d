#!/bin/bash
# Where and why a program died. Its own output stays as it is, and comes before the account.
source "$SRC/tests/run/lib.sh"
build list -w <<'END'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>

struct node { int value; struct node *next; };

static int find(struct node *n, const char *how)
{
	static int zero;
	switch (*how) {
	case 'a':
		assert(zero > 0);
	case 'l':
		return n->next->value;
	case 's':
		n->next->value = 1;
	case 'd':
		return 5 / zero;
	case 'p':
		return strlen((char *)0x10);
	case 'c':
		((void (*)(void))0)();
	case 'f':
		free((char *)malloc(20) + 1);
	case 'b':
		abort();
	case 'k':
		raise(SIGTERM);
	case 'r':
		((char *)"text")[0] = 'x';
	case 'i':
		__builtin_trap();
	}
	return 0;
}

static int deep(int n)
{
	volatile char space[1000];
	space[n % 1000] = n;
	return deep(n + 1) + space[0];
}

int main(int argc, char **argv)
{
	struct node n = {1, 0};
	printf("working\n");
	fflush(stdout);
	if (argv[1][0] == 'o')
		deep(1);
	return find(&n, argv[1]);
}
END

dies() { # LETTER CODE LINE-AFTER-NAME KEY
	run "$2" -- ./list "$1"
	only out working
	like err "hence: \./list $3"
	like err 'hence: [0-9,]+ functions? called [0-9,]+ times?, [0-9,]+ statements?, [0-9,]+ instructions?; .*'
	like err 'hence: tape [0-9.]+ ?(bytes|KB|MB) \([0-9.]+ bytes per instruction\)'
	run "$2" --account account -- ./list "$1"
	like account "outcome: $4"
}

line() { grep -n -m1 -F "$1" list.c | cut -d: -f1; }

dies a 134 "failed the assertion 'zero > 0' at list\.c:$(line 'assert(') in find\(\)" \
	"assert zero > 0 at list\.c:$(line 'assert(') in find"
like err "list: list.c:.*Assertion .zero > 0. failed\."
at=$(line 'return n->next->value')
dies l 139 "was killed by SIGSEGV \(invalid address 0x0\) at list\.c:$at:[0-9]+ in find\(\)" \
	"signal SIGSEGV at list\.c:$at:[0-9]+ in find"
at=$(line 'n->next->value = 1')
dies s 139 "was killed by SIGSEGV \(invalid address 0x0\) at list\.c:$at:[0-9]+ in find\(\)" \
	"signal SIGSEGV at list\.c:$at:[0-9]+ in find"
at=$(line '5 / zero')
dies d 136 "was killed by SIGFPE \(integer division\) at list\.c:$at:[0-9]+ in find\(\)" \
	"signal SIGFPE at list\.c:$at:[0-9]+ in find"
at=$(line 'strlen(')
dies p 139 "was killed by SIGSEGV \(invalid address 0x10\) at list\.c:$at:[0-9]+ in find\(\), inside .*libc.*" \
	"signal SIGSEGV at list\.c:$at:[0-9]+ in find"
at=$(line '(void))0')
dies c 139 "was killed by SIGSEGV \(call of the invalid address 0x0\) at list\.c:$at:[0-9]+ in find\(\)" \
	"signal SIGSEGV at list\.c:$at:[0-9]+ in find"
at=$(line 'free(')
dies f 134 "was killed by SIGABRT \(free\(\): invalid pointer\) at list\.c:$at:[0-9]+ in find\(\), inside .*libc.*" \
	"signal SIGABRT at list\.c:$at:[0-9]+ in find"
at=$(line 'abort()')
dies b 134 "was killed by SIGABRT at list\.c:$at:[0-9]+ in find\(\), inside .*libc.*" \
	"signal SIGABRT at list\.c:$at:[0-9]+ in find"
at=$(line 'raise(')
dies k 143 "was killed by SIGTERM \(sent by itself\) at list\.c:$at:[0-9]+ in find\(\), inside .*libc.*" \
	"signal SIGTERM at list\.c:$at:[0-9]+ in find"
at=$(line '"text"')
dies r 139 "was killed by SIGSEGV \(no permission for address 0x[0-9a-f]+\) at list\.c:$at:[0-9]+ in find\(\)" \
	"signal SIGSEGV at list\.c:$at:[0-9]+ in find"
at=$(line '__builtin_trap')
dies i 132 "was killed by SIGILL \(illegal instruction\) at list\.c:$at:[0-9]+ in find\(\)" \
	"signal SIGILL at list\.c:$at:[0-9]+ in find"
ulimit -s 512
# Which instruction of the prologue meets the end of the stack depends on the length of the environment; some have no column.
dies o 139 "was killed by SIGSEGV \(stack overflow, address 0x[0-9a-f]+\) at list\.c:[0-9]+(:[0-9]+)? in deep\(\)" \
	"signal SIGSEGV at list\.c:[0-9]+(:[0-9]+)? in deep"

# Without debug information the function is still known, in a stripped program nothing.
strip -g -o stripped list
run 139 -- ./stripped l
like err 'hence: \./stripped was killed by SIGSEGV \(invalid address 0x0\) in find\(\)'
