#!/bin/bash
# Programs that no small change repairs, and oracles that say little: nothing is claimed, or the text says how little it is worth.
set -u
failures=0

complain() {
	echo "$name: $*"
	sed 's/^/    /' out
	failures=$((failures + 1))
}

for folder in "$CASE"/*/; do
	name=$(basename "$folder")
	cp -r "$folder" "$name" && cd "$name" || exit 1
	"$HENCE_CC" -g ./*.c -o prog || exit 1
	eval "command=($(<command))"
	"$HENCE" fix "${command[@]}" >out 2>err
	code=$?
	case $code in
	3) grep -q '^no small change of the code was found: ' out || complain "exit code 3, and it is not said why" ;;
	0)
		# Of a change that fits, either a passing run is broken, or there is none.
		if [[ " ${command[*]} " == *' --pass '* ]]; then
			grep -q 'not stay as' out || complain "it is not said that a passing run breaks"
			! grep -q 'all others stay right' out || complain "it is said that all runs stay right"
		else
			tr '\n' ' ' <out | grep -q 'this is little evidence: it was tried on one failing run and no passing one' ||
				complain "it is not said that this is little evidence"
		fi
		! grep -qiE 'likely defect|correct|the fix|repair' out || complain "it is called more than a change"
		;;
	*) complain "exit code $code: $(<err)" ;;
	esac
	cd .. || exit 1
done
exit $((failures > 0))
