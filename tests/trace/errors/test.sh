#!/bin/bash
# One small program per memory error. Each NAME.c has a NAME.expected: what hence says about it on
# standard error, without what is about the end of the program, checked by hand.
source "$SRC/tests/trace/lib.sh"

check() { # NAME
	"$HENCE_CC" -w "$1.c" -o "$1" || fail "cannot build $1.c"
	trace 0 --stdin /dev/null -o trace -- "./$1"
	grep '^hence: ' err | grep -v ' was killed by ' >said
	same said "$CASE/$1.expected" "$1"
	# The same as JSON, one object each.
	trace 0 --stdin /dev/null --json -o trace -- "./$1"
	[[ $(grep -c '^{"error":' trace) == $(wc -l <said) ]] || fail "$1: not all errors are in the JSON"
}

bad=0
cp "$CASE"/*.c .
for source in *.c; do
	(check "${source%.c}") || bad=$((bad + 1))
done
((bad == 0)) || fail "$bad programs"
