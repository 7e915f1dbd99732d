#!/bin/bash
# hence fix where something is amiss: with the source, with the run, with the tests, with the time. Nothing is left behind.
source "$SRC/tests/run/lib.sh"

fixes() { # CODE ARGS...
	hence_exits "$1" fix "${@:2}"
	[[ ! $(ls -A "$TMPDIR") ]] || fail "left in TMPDIR: $(ls "$TMPDIR")"
}

# text FILE WORDS: it has these words, wherever its lines are broken.
text() {
	tr '\n' ' ' <"$1" | tr -s ' ' | grep -qF -- "$2" || fail "$1 does not say: $2"
}

build twice -g <<'END'
#include <stdio.h>
#include <stdlib.h>

static int twice(int n)
{
	return n + 3;
}

int main(int argc, char **argv)
{
	int n = atoi(argv[1]);

	printf("%d\n%d\n", twice(n), twice(n - 2));
	return 0;
}
END
wrong=(--expect-text $'10\n6\n')

# --- the source ---
fixes 0 "${wrong[@]}" --patch p -- ./twice 5
patch -s -p0 <p || fail "the patch does not apply"
"$CLANG" twice.c -o patched && ./patched 5 >out
[[ $(<out) == $'10\n6' ]] || fail "patched, it prints something else"
patch -s -R -p0 <p && rm p
# It is newer than the program now, so it may be another one.
fixes 3 "${wrong[@]}" --patch p -- ./twice 5
only err "hence: no patch is written: no change can be made in the source: the source is not there, or was changed since it was compiled"
[[ ! -e p ]] || fail "a patch was written"
mv twice.c elsewhere.c
fixes 3 "${wrong[@]}" --patch p -- ./twice 5
only err "hence: no patch is written: no change can be made in the source: the source is not there, or was changed since it was compiled"
# The change is there all the same.
fixes 0 "${wrong[@]}" -- ./twice 5
text out "twice.c:6:11 in twice()"
text out 'no patch: the source is not there, or was changed since it was compiled'
fixes 3 "${wrong[@]}" --patch - -- ./twice 5
[[ ! -s out ]] || fail "something but a patch is on standard output"

# --- a run that fails now and then: it does not fail, or is given up, but no change is claimed ---
build odd -g <<'END'
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	int odd = getpid() % 2;

	printf("%d\n", odd);
	return odd;
}
END
for ((i = 0; i < 4; i++)); do
	"$HENCE" fix -- ./odd >out 2>err
	case $? in
	1) like err 'hence: ./odd does not fail: .*' ;;
	3) [[ -s out ]] && like out 'no small change of the code was found: .*' || like err 'hence: ./odd does not always do the same: .*' ;;
	0) text out 'this is little evidence' ;;
	*) fail "exit code of a run that fails now and then" ;;
	esac
	nothing_left
done

# --- tests that all fail, that no change makes right, that are none ---
mv elsewhere.c twice.c
printf '%s\n' './twice 5 => "10\n6\n"' './twice 7 => "14\n10\n"' './twice 4 => "8\n4\n"' >tests
fixes 0 "${wrong[@]}" --tests tests -- ./twice 5
text out 'with this change all 3 failing runs pass'
printf '%s\n' './twice 5 => "10\n6\n"' './twice 7 => "a text that no change prints"' >tests
fixes 0 "${wrong[@]}" --tests tests -- ./twice 5
text out 'with this change 1 of 2 failing runs passes'
! grep -q 'all others stay right' out || fail "it is said that all runs are right"
fixes 2 "${wrong[@]}" --tests missing -- ./twice 5
[[ ! -s out && -s err ]] || fail "a missing file is not reported"

# --- time: a run of some two thousand million steps is recorded for far longer than a second ---
name=verylong$$
build $name -g <<'END'
#include <stdio.h>
#include <stdlib.h>

static unsigned mix(unsigned value, unsigned step)
{
	return value * 31 + step;
}

int main(int argc, char **argv)
{
	unsigned steps = (unsigned)atoi(argv[1]), value = 2;

	for (unsigned i = 0; i < steps; i++)
		value = mix(value, i);
	printf("%u\n", value);
	return value != 1;
}
END
began=${EPOCHREALTIME/./}
fixes 3 --time 1 -- ./$name 2000000000
took=$((${EPOCHREALTIME/./} - began))
like err 'hence: the time was up .*'
((took < 6000000 || ${HENCE_TEST_SLOW:-0})) || fail "it took $took microseconds, not one second"
# With some edits tried: it is said that it was stopped, whether or not one was found by then.
"$HENCE" fix --time 2 -- ./$name 300000 >out 2>err
[[ $? == [03] ]] || fail "it ended with another code"
text out 'incomplete: the search was ended early'
[[ ! $(ls -A "$TMPDIR") ]] || fail "left in TMPDIR: $(ls "$TMPDIR")"
pgrep -f "^./$name" >/dev/null && fail "a process is left"
exit 0
