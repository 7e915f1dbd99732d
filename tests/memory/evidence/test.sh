#!/bin/bash
# The first memory error before another failure: at the top of the text, in the JSON, and as suspects. And what does not count.
source "$SRC/tests/run/lib.sh"

# line WORDS: of the program that was built last.
line() {
	grep -nF "$1" "$source" | head -1 | cut -d: -f1
}

# json EXPRESSION: must be true of the report `e`.
json() {
	python3 -c 'import json, sys; e = json.load(open("out")); m = e.get("memory_error"); sys.exit(not eval(sys.argv[1]))' "$1" ||
		fail "not so: $1: $(head -c 3000 out)"
}

# An array that is too small: its declaration is among the first two, though no statement is there.
source=small.c
build small -g <<'END'
#include <stdio.h>

int main(void)
{
	int total = 0, n;
	int parts[4];
	if (scanf("%d", &n) != 1)
		return 1;
	for (int i = 0; i < n; i++)
		if (scanf("%d", &parts[i]) != 1)
			return 1;
	for (int i = 0; i < n; i++)
		total += parts[i];
	printf("%d\n", total);
	return 0;
}
END
echo '5 1 1 1 1 1' >five
echo '3 1 2 3' >three
"$HENCE" explain --stdin five --expect-text 5 --pass-stdin three -- ./small >text 2>err
if grep -q 'does not fail' err; then
	# Whatever lies behind the array was not hit: the error alone is the failure then.
	"$HENCE" explain --stdin five -- ./small >text 2>err || fail "the memory error is no failure"
fi
sed -n 2,4p text | tr -s '\n ' ' ' | grep -qF "memory error: small.c:$(line '&parts[i]'): __isoc99_scanf() writes 4 bytes, 4 bytes past the end of parts (declared at small.c:$(line 'parts[4]'): int parts[4];)" ||
	fail "not told at the top: $(head -5 text)"
# A change of the line with the error fits, too.
sed -n '/look first at/,/^$/p' text | grep '^  small' | head -2 | grep -q "small.c:$(line 'parts[4]')" || fail "the declaration is not among the first suspects: $(grep -A4 'look first' text)"

# A wrong output: an error before its first wrong byte counts, a later one does not.
source=order.c
build order -g <<'END'
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int *a = calloc(4, sizeof(*a)), sum = 0;
	if (argc > 2)
		sum += a[4] > 0; /* before */
	printf("%d\n", argc + 1);
	if (a[argc + 2] > 0) /* after */
		puts("more");
	return 0;
}
END
hence_exits 0 explain --json --expect-text 2 -- ./order 1
json 'm is None'
"$HENCE" explain --json --expect-text 3 -- ./order 1 2 >out
json "m['kind'] == 'out-of-bounds' and m['line'] == $(line '/* before */') and m['allocated']['line'] == $(line calloc)"
json "any(x['kind'] == 'memory-object' and x['weight'] == 0.8 for s in e['suspects'] for x in s['evidence'] if s['line'] == $(line calloc))"

# A run that passes makes the same error: it is told, and weighs little.
source=usual.c
build usual -g <<'END'
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int *a = calloc(4, sizeof(*a)), n = atoi(argv[1]);
	int zero = a[4] > 0;
	if (n > 10)
		n = 10;
	printf("%d\n", n + 1 + zero);
	return 0;
}
END
hence_exits 0 explain --json --expect-text 12 --pass 5 -- ./usual 12
json "m['usual'] and m['line'] == $(line 'a[4]')"
json "e['suspects'][0]['line'] not in ($(line 'a[4]'), $(line calloc))"
hence_exits 0 explain --expect-text 12 --pass 5 -- ./usual 12
tr -s '\n ' ' ' <out | grep -q 'a run that passes makes it, too' || fail "the text does not say that it is usual"

# What a test of the user says is right stands: the run passes. Without that the error is a failure, though the output may be right.
hence_exits 0 explain --expect-text 6 -- ./usual 5
grep -qF "./usual exits with 0, but makes a memory error" out || fail "another failure: $(head -3 out)"
hence_exits 1 explain --test ./usual -- ./usual 5
hence_exits 0 explain --json -- ./usual 5
json "e['failure']['kind'] == 'memory' and e['failure']['line'] == $(line 'a[4]') and e['verdict'] == 'explained'"
hence_exits 0 explain --method tree --json -- ./usual 5
json "e['failure']['kind'] == 'memory'"
# Methods that compare two runs cannot judge by it.
hence_exits 1 compare --pass 6 -- ./usual 5

# The chain is proven by runs that are decoded, and can be made again.
source=chain.c
build chain -g <<'END'
#include <stdio.h>

int main(void)
{
	int squares[5], sum = 0;
	for (int i = 0; i <= 5; i++)
		squares[i] = i * i;
	for (int i = 0; i < 5; i++)
		sum += squares[i];
	printf("%s\n", sum > 20 ? "large" : "small");
	return 0;
}
END
hence_exits 0 explain --json --save chain.json -- ./chain
json "any(s['line'] == $(line 'i <= 5') and s.get('proven') and s['variable'] == 'i <= 5' for s in e['steps'])"
hence_exits 0 verify chain.json
grep -q ' hold$' out || fail "verify: $(cat out)"
hence_exits 0 tree -- ./chain
grep -q 'i <= 5' out || fail "no cause in the tree: $(cat out)"
