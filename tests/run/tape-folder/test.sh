#!/bin/bash
# The tape directory: not there, not writable, full; and a tape that reaches its limit.
unset HENCE_TEST_TAPES # tapes/ is below
source "$SRC/tests/run/lib.sh"
build prog <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
	volatile unsigned n = 1;
	for (int i = 0; i < (argc > 1 ? 3000000 : 10); i++)
		n = n * 3 + (n >> 3 & 1);
	puts("still right");
	return 3;
}
END

# The program goes on without recording.
run 3 --tape-limit 1M --account account -- ./prog long
only out "still right"
has account "state: full"
run 3 --tape-limit 1M -- ./prog long
has err "hence: the tape is full (1 MB; raise --tape-limit or free space in $PWD/tapes): what happened after that is not recorded"
nothing_left

refused() { # FOLDER MESSAGE
	HENCE_TAPE_DIR=$1 "$HENCE" run -- ./prog >out 2>err
	[[ $? == 2 ]] || fail "exit code"
	only err "hence: $2"
	only out ""
}

refused /no/such/place "cannot write to the tape directory /no/such/place: No such file or directory; set HENCE_TAPE_DIR to a directory with space"
touch file
refused "$PWD/file" "cannot write to the tape directory $PWD/file: Not a directory; set HENCE_TAPE_DIR to a directory with space"
like err '.*set HENCE_TAPE_DIR.*'

# A directory that even root cannot write to.
HENCE_TAPE_DIR=/proc/self "$HENCE" run -- ./prog >out 2>err
[[ $? == 2 ]] || fail "exit code"
like err 'hence: .*/proc/.*HENCE_TAPE_DIR.*'

# Relative names work for programs that change their directory.
HENCE_TAPE_DIR=tapes run 3 -- ./prog
