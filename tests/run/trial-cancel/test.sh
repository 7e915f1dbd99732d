#!/bin/bash
# A trial that is cancelled while it crashes: the place of that crash may be seen half. Later trials that crash in the same way
# must have it whole. Each argument is a depth of recursion, so that each crash is one that was not seen before.
source "$SRC/tests/run/lib.sh"
"$SRC/scripts/build-tool" "$B" tool "$CASE/tool.c" || fail "cannot build the tool"

cat >deep.c <<'END'
#include <stdlib.h>

__attribute__((noinline)) static int down(int depth)
{
	if (depth > 0)
		return down(depth - 1) + 1;
	return *(volatile int *)0;
}

int main(int argc, char **argv)
{
	return down(atoi(argv[1]));
}
END
gcc -g -O0 deep.c -o plain || fail "cannot compile"
"$HENCE_CC" deep.c -o built || fail "cannot compile"
for program in plain built; do
	./tool ./$program 400 >out 2>err || fail "$program: not all ended alike"
	like out "first: signal SIGSEGV at deep.c:7.*"
	nothing_left
done
