#!/bin/bash
# Programs that do what looks like a memory error and is none, or none that is worth a word: hence explain says that they do not fail.
source "$SRC/tests/trace/lib.sh"

bad=0
cp "$CASE"/*.c .
for source in *.c; do
	name=${source%.c}
	"$HENCE_CC" -g -w "$source" -o "$name" || fail "cannot build $source"
	"$CLANG" -w -fsanitize=address,undefined -fno-sanitize=bounds,array-bounds -g "$source" -o "$name.asan" || fail "cannot build $source"
	ASAN_OPTIONS=detect_leaks=0 "./$name.asan" >out 2>err || fail "$name has an error by AddressSanitizer: $(head -5 err)"
	status=0
	"$HENCE" explain --stdin /dev/null -- "./$name" >out 2>err || status=$?
	[[ $status == 1 ]] && grep -q 'does not fail: exited with status 0' err && continue
	bad=$((bad + 1))
	echo "$name: exit code $status: $(head -3 out)"
done
((bad == 0)) || fail "$bad programs"
