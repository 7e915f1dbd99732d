#!/bin/bash
# What a program is given (arguments, environment, variables of libc) stands at the start of its tape.
set -u
. "$SRC/tests/run/lib.sh"

for kind in "" -static; do
	"$HENCE_CC" -D_GNU_SOURCE -I"$SRC/src" $kind -o prog "$CASE/prog.c"
	run 0 -- ./prog one "" "three words here"
	only out "given: few"
	env -i run=x "$HENCE" run -- ./prog >out 2>err || fail "an empty environment"
	only out "given: few"
done
