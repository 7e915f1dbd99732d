#!/bin/bash
# Only one core of several may be used (taskset, containers): as many experiments run at a time as there are workers for them.
set -u

fail() {
	echo "FAILED: $*"
	exit 1
}

cp "$SRC/examples/tutorial/unit/convert.c" .
"$HENCE_CC" -o convert convert.c || fail "cannot build"
core=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
for command in explain reduce switch tree; do
	taskset -c "$core" "$HENCE" "$command" --pass '5 km' -- ./convert 5 miles >out 2>err || fail "$command: exit code $?: $(<err)"
	[[ -s out && ! -s err ]] || fail "$command says: $(<out) $(<err)"
done
taskset -c "$core" "$HENCE" explain --save why.json --pass '5 km' -- ./convert 5 miles >out || fail "explain --save: exit code $?"
taskset -c "$core" "$HENCE" verify why.json >out 2>err || fail "verify: exit code $?: $(<err)"
exit 0
