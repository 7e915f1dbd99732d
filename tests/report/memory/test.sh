#!/bin/bash
# Memory graphs and sources in the report of `hence explain`. What is drawn, tests/unit/explain_memory.c shows; here: where it is drawn, with
# and without a reference, and where the failure shows.
source "$SRC/tests/run/lib.sh"

"$CLANG" -O1 "$SRC/tests/chop/flatten.c" -o flatten || fail "cannot build flatten"
build find -g <<'END'
#include <stdlib.h>
struct node {
	int key;
	struct node *next;
};
static struct node *find(struct node *n, int key)
{
	while (n->key != key)
		n = n->next;
	return n;
}
int main(int argc, char **argv)
{
	struct node b = {2, NULL}, a = {1, &b};
	int key = atoi(argv[1]);
	return find(&a, key)->key - 1;
}
END


# --- with a reference, and at the crash ---
hence_exits 0 explain --no-edits --json --pass 1 -- ./find 7
./flatten <out >flat || fail "this is no JSON"
steps=$(grep -c '^\.steps\[[0-9]*\]\.line' flat)
like flat '\.steps\[0\]\.memory\.boxes\[0\]\.name	argv\[\]'
like flat '\.steps\[0\]\.memory\.boxes\[0\]\.cells\[1\]\.value	.*7.*'
like flat '\.steps\[0\]\.memory\.boxes\[0\]\.cells\[1\]\.reference	.*1.*'
like flat '\.steps\[0\]\.memory\.boxes\[0\]\.cells\[1\]\.decides	true'
# The last step is where it dies: n has become NULL. The reference was never there.
last=$((steps - 1))
like flat "\.steps\[$last\]\.observed	true"
like flat "\.steps\[$last\]\.memory\.boxes\[0\]\.name	find\(\)"
like flat "\.steps\[$last\]\.memory\.boxes\[0\]\.cells\[0\]\.name	n"
like flat "\.steps\[$last\]\.memory\.boxes\[0\]\.cells\[0\]\.value	NULL"
! grep -q "^\.steps\[$last\]\.memory.*\.reference" flat || fail "the crash is compared with something"
# Some step lies where find() begins: an arrow from n leads to a, from there to b.
grep -q '\.name	main\.a$' flat || fail "what n points to is not there"
like flat '\.sources\[0\]\.file	find\.c'
like flat '\.sources\[0\]\.first	1'
like flat '\.sources\[0\]\.lines\[15\]	.*return find\(&a, key\)->key - 1;'

# --- from the failing run alone: values are those behind the statement that made them ---
build scale -g <"$SRC/tests/cli/explain/scale.c"
hence_exits 0 explain --json --method tree --expect-text 'result 25' -- ./scale 12
./flatten <out >flat || fail "this is no JSON"
like flat '\.steps\[[0-9]+\]\.memory\.boxes\[0\]\.cells\[[0-9]\]\.decides	true'
! grep -q '^\.steps.*memory.*\.reference' flat || fail "there is a reference"
# Each variable that decides has the value that the step tells.
steps=$(grep -c '^\.steps\[[0-9]*\]\.variable' flat)
((steps)) || fail "no steps"
for ((i = 0; i < steps; i++)); do
	cell=$(sed -n "s/^\(\.steps\[$i\]\.memory\.boxes\[[0-9]*\]\.cells\[[0-9]*\]\)\.decides	true/\1/p" flat | head -1)
	told=$(grep -F ".steps[$i].failing	" flat | cut -f 2)
	drawn=$(grep -F "$cell.value	" flat | cut -f 2)
	[[ $cell && $told == "$drawn" ]] || fail "step $i tells $told, and $drawn is drawn"
done

# --- only where it is shown ---
hence_exits 0 explain --no-edits --format gcc --save saved --pass 1 -- ./find 7
./flatten <saved >flat || fail "this is no JSON"
like flat '\.steps\[0\]\.memory\.boxes\[0\]\.name	argv\[\]'
like flat '\.sources\[0\]\.file	find\.c'
exit 0
