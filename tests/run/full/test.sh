#!/bin/bash
# A tape directory without space: a file system of 1 MB.
unset HENCE_TEST_TAPES # this is about a directory that is full
source "$SRC/tests/run/lib.sh"
unshare -m true 2>/dev/null || skip "mounting is not permitted here"
build prog <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
	volatile unsigned n = 1;
	for (int i = 0; i < 3000000; i++)
		n = n * 3 + (n >> 3 & 1);
	puts("still right");
	return 3;
}
END
cat >inside.sh <<'END'
mount -t tmpfs -o size=1m tmpfs tapes || exit 77
"$HENCE" run -- ./prog >out 2>err
echo $? >code
head -c 700000 /dev/zero >tapes/ballast
"$HENCE" run -- ./prog >out2 2>err2
echo $? >>code
ls tapes >left
END
unshare -m bash inside.sh
[[ $? != 77 ]] || skip "mounting is not permitted here"
[[ $(tr '\n' ' ' <code) == "3 2 " ]] || fail "exit codes $(<code)"
only out "still right"
like err "hence: the tape is full \(.*; raise --tape-limit or free space in $PWD/tapes\): what happened after that is not recorded"
only err2 "hence: the tape directory $PWD/tapes is full; free some space there, or set HENCE_TAPE_DIR to another directory"
only out2 ""
only left ballast
