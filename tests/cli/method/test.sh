#!/bin/bash
# `hence explain --method`: only that method has made the steps; and the best answer of each when there is no time.
source "$SRC/tests/run/lib.sh"

"$CLANG" -O1 "$SRC/tests/chop/flatten.c" -o flatten || fail "cannot build flatten"
build scale -g <"$SRC/tests/cli/explain/scale.c"

# methods: those that the steps of the report are from, but for the failure, which is seen by all.
methods() {
	./flatten <out >flat || fail "this is no JSON"
	sed -n 's/^\.steps\[[0-9]*\]\.\(method\|also\)	//p' flat | sort -u | xargs
}

for method in compare chain transitions; do
	hence_exits 0 explain --json --method $method --expect-text 'result 24' --pass 8 -- ./scale 12
	[[ $(methods) == "$method" ]] || fail "--method $method has steps of '$(methods)'"
	like flat '\.reference\.command\[1\]	8'
	! grep -q '^\.tree' flat || fail "--method $method has a tree"
done

# The failing run alone: no reference, though one is given, and the tree is there.
hence_exits 0 explain --json --method tree --expect-text 'result 24' --pass 8 -- ./scale 12
[[ $(methods) == tree ]] || fail "--method tree has steps of '$(methods)'"
like flat '\.reference\.kind	none'
like flat '\.tree\..*'
hence_exits 0 explain --method tree --expect-text 'result 24' scale.c -- 12
like out ' *proven: with .* the failing run passes .*'
# No value makes another word: nothing is proven, and no reference is searched for.
hence_exits 3 explain --method tree --expect-text 'outcome 24' -- ./scale 12
like out 'no cause could be proven'
like out 'What may help: the same without --method, .*'

# What is all is what is not said.
hence_exits 0 explain --json --expect-text 'result 24' --pass 8 -- ./scale 12
usual=$(methods)
hence_exits 0 explain --json --method all --expect-text 'result 24' --pass 8 -- ./scale 12
[[ $(methods) == "$usual" && $usual == *compare* ]] || fail "'$(methods)' is not '$usual'"

# --- bad input ---
hence_exits 2 explain --method magic -- ./scale 12
only err 'hence: --method magic: give all, compare, chain, transitions or tree'
hence_exits 2 explain --method
like err 'hence: --method .*'
hence_exits 2 chain --method tree -- ./scale 12
like err 'hence: hence chain has no option --method; .*'
# The options of single methods stay theirs.
hence_exits 2 explain --method compare --exact -- ./scale 12
like err 'hence: hence explain has no option --exact; .*'
hence_exits 0 explain --help
like out '  --method METHOD     all .*'

# --- no time: the report is whole, with the failure and what was proven until then ---
build long -g <<'END'
#include <stdio.h>
#include <stdlib.h>
static int table[64];
static void mix(int rounds)
{
	for (int i = 0; i < rounds; i++)
		table[i % 64] = table[(i + 7) % 64] * 5 + i % 3;
}
int main(int argc, char **argv)
{
	int n = atoi(argv[1]), wrong = 0;
	for (int i = 0; i < 4; i++) {
		mix(5000);
		wrong += n > 9;
	}
	printf("%d\n", n + wrong);
	return 0;
}
END
for method in all compare chain transitions tree; do
	# On a busy machine the first run alone may take as long.
	for time in 0.4 1 3 10; do
		"$HENCE" explain --json --method $method --time $time --expect-text 12 --pass 8 -- ./long 12 >out 2>err
		code=$?
		nothing_left
		grep -q 'the time was up in the first run' err || break
	done
	./flatten <out >flat || fail "--method $method --time $time: this is no JSON"
	like flat '\.failure\.kind	wrong-output'
	case $code in
	0) like flat '\.verdict	explained' && like flat '\.steps\[[0-9]+\]\.proven	true' ;;
	3) like flat '\.verdict	(incomplete|unproven)' ;;
	*) fail "--method $method --time $time: exit code $code" ;;
	esac
done
exit 0
