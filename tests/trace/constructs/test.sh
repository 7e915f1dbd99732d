#!/bin/bash
# The trace of one small program per construct. Each NAME.c has a NAME.expected, read and checked by
# hand; `args:` and `stdin:` in its first comment are what it is given.
source "$SRC/tests/trace/lib.sh"
for source in "$CASE"/*.c; do
	name=$(basename "$source" .c)
	cp "$source" .
	"$HENCE_CC" -w "$name.c" -o "$name" -lm || fail "cannot build $name.c"
	words "$source" stdin >input
	# shellcheck disable=SC2046 # words
	trace 0 --stdin input -o trace -- "./$name" $(words "$source" args)
	same trace "$CASE/$name.expected" "$name"
	[[ ! -s err ]] || fail "$name: errors"
	awk 'length > 159 { exit 1 }' trace || fail "$name: a line is too long"
done
