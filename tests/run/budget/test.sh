#!/bin/bash
# Several processes record at once: together they stay within the space that there is, and each goes
# on when it is used up.
unset HENCE_TEST_TAPES # this is about a directory that is full
source "$SRC/tests/run/lib.sh"
unshare -m true 2>/dev/null || skip "mounting is not permitted here"
build prog <<'END'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	volatile unsigned n[8] = {1};
	int sum = 0, status;

	for (int p = 0; p < 3; p++)
		if (!fork()) {
			for (int i = 0; i < 4000000; i++)
				n[i & 7] += n[(i + 1) & 7] + 1;
			_exit(n[3] % 50);
		}
	while (wait(&status) > 0)
		sum += WEXITSTATUS(status);
	printf("%d\n", sum);
	return 0;
}
END
./prog >plain
cat >inside.sh <<'END'
mount -t tmpfs -o size=48m tmpfs tapes || exit 77
"$HENCE" run --account account -- ./prog >out
echo $? >code
ls tapes >left
END
unshare -m bash inside.sh
[[ $? != 77 ]] || skip "mounting is not permitted here"
[[ $(<code) == 0 ]] || fail "exit code $(<code)"
cmp plain out || fail "the program printed something else"
bytes=$(sed -n 's/^tape-bytes: //p' account)
((bytes > 20000000 && bytes < 48000000)) || fail "$bytes bytes of tape in 48 MB"
grep -q "state full" account || fail "no tape is full: $(<account)"
only left ""
