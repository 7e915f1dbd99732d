#!/bin/bash
# A source file that is newer than the program: lines may be wrong, so there is a note.
source "$SRC/tests/trace/lib.sh"
mkdir src
echo 'int other(int x) { return x + 1; }' >src/other.c
echo 'int other(int); int main(void) { other(1); return other(2) - 3; }' >main.c
"$HENCE_CC" main.c src/other.c -o prog || fail "prog"
touch -d '1 hour ago' main.c src/other.c
trace 0 -- ./prog
[[ ! -s err ]] || fail "nothing changed"
touch -d '1 hour' src/other.c
trace 0 -- ./prog
only err "hence: note: src/other.c changed after ./prog was built: lines may not fit"
rm src/other.c
trace 0 -- ./prog
[[ ! -s err ]] || fail "the file is just not there"
