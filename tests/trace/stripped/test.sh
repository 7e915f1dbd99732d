#!/bin/bash
# A program without debug information (strip, strip -g): where it died is found from the tape, or said to be not known; a
# wrong line is never named.
source "$SRC/tests/run/lib.sh"
build dies <<'END'
#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node last = {7, NULL};
static struct node *find(int n)
{
	struct node *p = NULL;
	if (n > 3)
		p = malloc(sizeof(*p));
	return p;
}
int main(int argc, char **argv)
{
	struct node *p = find(argc);
	int k = 3, how = argv[1][0];
	if (how == 'w') {
		k += argc;
		last.value = 4;
		k = k + how;
		p->value = k; /* 20 */
	} else if (how == 'r') {
		k = last.next->value; /* 22 */
	} else if (how == 'd') {
		k -= 3;
		k = argc / k; /* 25 */
	} else if (how == 'u') {
		p = (struct node *)atol(argv[2]);
		k++;
		p->value = k;
	}
	printf("%d\n", k);
	return 0;
}
END
cp dies whole
cp dies less && strip -g less
cp dies none && strip none

# slice OUT PROGRAM ARG...
slice() {
	local out=$1
	shift
	"$HENCE" slice -- ./"$@" >"$out" 2>/dev/null || true
	[[ -s $out ]] || fail "no slice of $*"
}

for how in r:22 d:25; do
	for program in whole less none; do
		slice out $program ${how%:*}
		grep -q "^backward slice of SIG[A-Z]* at dies.c:${how#*:} in main()" out ||
			fail "$program $how: $(head -1 out)"
	done
	slice expected whole ${how%:*}
	slice out none ${how%:*}
	cmp -s expected out || fail "$how: stripped (>) or not (<): $(diff expected out)"
done

# After a store to a global it is not certain; nor with a pointer to nowhere.
for how in w u; do
	for program in less none; do
		slice out $program $how 1234567
		! grep -q '^backward slice of SIGSEGV at' out || grep -q 'at dies.c:20 ' out ||
			fail "$program $how: a place that is not known: $(head -1 out)"
		grep -q 'dies.c:20 \|the place where it died is not known' out || fail "$program $how: $(head -2 out)"
	done
done
