#!/bin/bash
# Hence inside hence: the inner one may not trace, and does without. A program that traces itself, too.
source "$SRC/tests/run/lib.sh"
build crash <<'END'
static int get(int *p) { return *p; }
int main(int argc, char **argv)
{
	int n = get(&argc);
	return get(n ? 0 : &n);
}
END
run 2 -- sh -c '"$1" run -v --stdin /dev/null -- ./crash 2>inner' sh "$HENCE"
has inner "hence: ./crash was killed by SIGSEGV"
has inner "hence: tracing is not permitted here, so crashes are without a position"
like inner 'hence: 2 functions called [0-9] times, .*'

# Killing works without tracing as well.
build sleeper <<'END'
#include <unistd.h>
int main(void) { fork(); for (;;) pause(); }
END
run 2 -- sh -c '"$1" run --timeout 0.3 -- ./sleeper 2>inner' sh "$HENCE"
has inner "hence: ./sleeper ran longer than 0.3 s (--timeout) and was killed"
