#!/bin/bash
# --save keeps the recording in one file, whole or not at all.
source "$SRC/tests/run/lib.sh"
build prog <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
	for (int i = 0; i < 100000; i++)
		if (i % 7 == argc)
			putchar('.');
	return 8;
}
END
run 8 --save recording -- ./prog
[[ $(head -c 8 recording) == HENCERUN ]] || fail "magic"
run 8 --account account -- ./prog
bytes=$(sed -n 's/^tape-bytes: //p' account)
[[ $(stat -c %s recording) -lt $((bytes / 2)) ]] || fail "not compressed"
[[ $(ls recording*) == recording ]] || fail "something beside it: $(ls recording*)"
echo precious >recording
run 8 --save recording --account account -- ./prog
[[ $(head -c 8 recording) == HENCERUN ]] || fail "not replaced"
