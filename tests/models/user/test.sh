#!/bin/bash
# A user's own models: those of the example in docs/models.md, taken from there, for a library that is built without hence.
set -eu

fail() {
	echo "$*"
	exit 1
}

gcc -c "$CASE/rec.c"
"$HENCE_CC" -I"$CASE" "$CASE/main.c" rec.o -o prog
printf 'c\0\0\0a\0\0\0b\0\0\0' >input
printf '%s\n' a b c '1 no error' >expected
sed -n '/^# The record library/,/^```/p' "$SRC/docs/models.md" | sed '$d' >rec.model
[[ -s rec.model ]] || fail "docs/models.md has no example"

"$HENCE" run --account without -- ./prog <input >output 2>/dev/null
cmp output expected
grep -qx 'unmodelled-calls: 5' without || fail "without models: $(grep unmodelled without)"

"$HENCE" run --models rec.model --account with -- ./prog <input >output 2>/dev/null
cmp output expected
grep -qx 'unmodelled-calls: 0' with || fail "with models: $(grep unmodelled with)"

# Wrong models: one line that says where, exit code 2, and nothing is run.
printf 'rec_close(r):\n\tfrees rec\n' >wrong.model
status=0
"$HENCE" run --models wrong.model -- ./prog <input >output 2>message || status=$?
[[ $status == 2 ]] || fail "wrong models: exit code $status"
[[ ! -s output ]] || fail "wrong models: the program was run"
[[ $(<message) == "hence: wrong.model:2:8: unknown name 'rec': not a parameter and not 'ret'" ]] ||
	fail "wrong models: $(<message)"

status=0
"$HENCE" run --models missing.model -- ./prog <input 2>message || status=$?
[[ $status == 2 ]] || fail "missing models: exit code $status"
[[ $(<message) == "hence: cannot read models from missing.model: No such file or directory" ]] ||
	fail "missing models: $(<message)"
