#!/bin/bash
# The same as ../random, with the programs of tests/cases: without arguments, and with three. See ../README.md.
set -u

[[ ${HENCE_TEST_LONG-} == 1 ]] || { echo "only make test-long"; exit 77; }
# shellcheck source=tests/align/tools.sh
. "$CASE/../tools.sh"

# What logger.c does not know; args-env prints the environment, stdio-input reads for ever.
left_out='^(args-env|asm-goto|contexts|crash-.*|fork-.*|int128-switch|own-libc|signals-.*|stdio-input|threads.*)$'
same=0 differ=0
for folder in "$SRC"/tests/cases/*/; do
	name=$(basename "$folder")
	[[ $name =~ $left_out || ! -f $folder/main.c || $(find "$folder" -name '*.c' | wc -l) != 1 ]] && continue
	rm -rf part && mkdir part && cp -r "$folder/." part && cd part || exit 2
	if "$FOLDER/log-cc" main.c logging >log 2>&1 && "$HENCE_CC" -w -o program main.c -lm >log 2>&1; then
		# shellcheck disable=SC2016 # expanded by the inner shell
		"$HENCE" run --no-walk --account /dev/null -- bash -c '
			timeout 10 ./program >a; find "$HENCE_SESSION" -name "*.tape" | wc -l >tape
			timeout 10 ./program 3 word x >b
			cp -r --sparse=always "$HENCE_SESSION" session' </dev/null >log 2>&1
		ALIGN_LOG=first timeout 10 setarch -R ./logging >a.log 2>>log </dev/null
		ALIGN_LOG=second timeout 10 setarch -R ./logging 3 word x >b.log 2>>log </dev/null
		"$TOOLS/ours" "$B/models" "$PWD/session" 0 "$(<tape)" >ours.out 2>&1
		"$TOOLS/paths" logging.map first second >theirs 2>&1
		if ! cmp -s a a.log || ! cmp -s b b.log; then
			echo "$name: what it prints is not the same in both builds: not compared"
		elif cmp -s theirs ours.out; then
			same=$((same + 1))
		else
			differ=$((differ + 1))
			echo "$name: differ"
			diff theirs ours.out | head -n 5
		fi
	fi
	cd ..
done
echo "$same programs, $differ differ"
((same >= 40 && differ == 0))
