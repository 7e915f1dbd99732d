#!/bin/bash
# Programs that do nothing wrong, though it may look so: no alarm, and all that was recorded is what was
# computed.
source "$SRC/tests/trace/lib.sh"
for source in "$CASE"/*.c; do
	name=$(basename "$source" .c)
	cp "$source" .
	"$HENCE_CC" -w "$name.c" -o "$name" || fail "cannot build $name.c"
	trace 0 --stdin /dev/null -o trace -- "./$name"
	[[ ! -s err ]] || fail "$name: an alarm"
	[[ -s trace ]] || fail "$name: no trace"
	trace 0 --stdin /dev/null --check -- "./$name"
	like out 'checked [0-9,]+ instructions: no mismatches'
done
