#!/bin/bash
# However many methods run, a recording is walked once and decoded once: by the numbers in the report, with each kind of reference.
set -u
failures=0

stat() { # NAME
	grep -o "\"$1\":[0-9]*" stats | grep -o '[0-9]*$'
}

# explain NAME RECORDINGS ARGUMENTS...: so many recordings are made at most, the failing run and each that it is compared with.
explain() {
	local name=$1 most=$2 kind
	shift 2
	"$HENCE" explain --json "$@" >json 2>err
	grep -o '"stats":{"experiments":[^}]*}' json | tail -n 1 >stats
	for kind in decodes walks; do
		[[ $(stat $kind) && $(stat $kind) -le $most ]] && continue
		echo "$name: '$(stat $kind)' $kind instead of $most at most: $(<stats) $(<err)"
		failures=$((failures + 1))
	done
}

cp "$SRC/tests/explain/shellsort/sample.c" . || exit 1
sed 's/shell_sort(a, argc)/shell_sort(a, argc - 1)/' sample.c >right.c
"$HENCE_CC" -g sample.c -o prog && "$HENCE_CC" -g right.c -o right || exit 1
cat >alone.c <<'END'
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	int *all = malloc(4 * sizeof(int)), sum = 0;

	for (int i = 0; i <= 4; i++)
		all[i] = i;
	for (int i = 0; i < 4; i++)
		sum += all[i];
	printf("%d\n", sum);
	free(all);
	return sum == 6 ? 3 : 0;
}
END
"$HENCE_CC" -g alone.c -o alone || exit 1

# The passing input is recorded once: for the lines that it executes, and as a reference.
explain 'a passing input' 2 --no-edits --expect-text '11 14 ' --pass '9 8 7' -- ./prog 11 14
explain 'an edit and an input' 3 --expect-text '11 14 ' --pass '9 8 7' -- ./prog 11 14
explain 'an edit' 2 --expect-text '11 14 ' -- ./prog 11 14
explain 'another program' 2 --no-edits --pass-prog ./right -- ./prog 11 14
printf '11 14 \n' >expected
explain 'an expected output' 2 --expect expected -- ./prog 11 14
# Compared with three runs in which a branch is switched.
explain 'switched branches' 4 --no-edits -- ./alone
[[ $failures == 0 ]]
