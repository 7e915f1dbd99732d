#!/bin/bash
# The failing run with a branch going the other way as the reference: when no passing input is given or found, and when the expected
# output is known.
source "$SRC/tests/run/lib.sh"

explain() { # CODE ARGS...
	hence_exits "$1" explain --no-edits "${@:2}"
	[[ ! $(ls -A "$TMPDIR") ]] || fail "left in TMPDIR: $(ls "$TMPDIR")"
}

# --- 1 + 2 + 3 + 4 is 10, and only what is more than that is to be made less ---
build total -g <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int n = atoi(argv[1]);
	int limit = 10;
	int total = 0;
	for (int i = 1; i <= n; i++)
		total += i;
	if (total >= limit)
		total -= 5;
	printf("total %d\n", total);
	return 0;
}
END
explain 0 --expect-text 'total 10' -- ./total 4
like out 'compared with: the failing run with the branch at total\.c:10 going the other way'
like out ' 1\. total >= limit is true \(not false\)'
like out '    proven both ways \[[0-9]+, [0-9]+\]'
like out ' *[0-9]+\. total is 5 \(not 10\)'
like out ' *[0-9]+\. the program prints 5 \(not 10\)'
# The input is the one that the expected text is about.
! grep -q 'reduced first' out || fail "the input was reduced"
# One round more, the fifth, makes 15 - 5: right by chance, and the longer chain.
like out '- compared with the failing run with the branch at total\.c:8 going the other way.*'
explain 0 --json --expect-text 'total 10' -- ./total 4
like out '.*"reference":\{"kind":"patched",.*'
for method in transitions chain compare; do
	hence_exits 0 "$method" --expect-text 'total 10' -- ./total 4
	like out 'compared with: the failing run with the branch at total\.c:10 going the other way'
done

# --- what is given comes first ---
explain 0 --expect-text 'total 10' --pass 3 -- ./total 4
like out 'compared with: \./total 3 \(given with --pass\)'

# --- no branch makes it right, but a value does: no input is searched for, of which nobody would know whether it is right ---
explain 0 --expect-text 'total 77' -- ./total 4
! grep -q 'compared with' out || fail "it was compared with another input"
like out ' *[0-9]+\. total is [0-9]+ \(not 77\)'
like out '.*proven: with the value in brackets the failing run passes \[[0-9]+\]'

# --- a crash of a program without input ---
build crash -g <<'END'
#include <stdio.h>
#include <string.h>
int main(void)
{
	const char *names[3] = {"a", "b", NULL};
	int k = 2;
	if (k > 1)
		printf("%zu\n", strlen(names[k]));
	puts("end");
	return 0;
}
END
explain 0 -- ./crash
like out 'compared with: the failing run with the branch at crash\.c:7 going the other way'
like out ' 1\. k > 1 is true \(not false\)'
! grep -q 'no run to' out || fail "there is a run to compare with"

# --- the branch that decides about the wrong call itself explains nothing: another one does ---
build few -g <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
	int n = argc - 1;
	if (n > 2)
		n--;
	for (int i = 1; i <= n; i++)
		printf(" %s", argv[i]);
	printf("\n");
	return 0;
}
END
explain 0 --expect-text ' a b c' -- ./few a b c
like out 'compared with: the failing run with the branch at few\.c:5 going the other way'
like out ' 1\. n > 2 is true \(not false\)'
like out ' 2\. n is 2 \(not 3\)'

# --- nor does the check that failed ---
build checked -g <<'END'
#include <assert.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int sum = atoi(argv[1]);
	assert(sum == 12);
	return 0;
}
END
explain 0 --no-reduce -- ./checked 7
like out ' 1\. sum is 7 \(not 12\)'
! grep -q 'branch at checked' out || fail "the check itself is the reference: $(<out)"

# --- no branch at all ---
build straight -g <<'END'
#include <stdio.h>
int main(void)
{
	printf("%d\n", 1 + 1);
	return 0;
}
END
explain 3 --expect-text 3 -- ./straight
like out '- \./straight has no arguments and no input that could be varied, so there is no.*'
