#!/bin/bash
# `hence explain` is interrupted at random moments, in every way: nobody goes on, nothing is left behind, the user's files are as they
# were; after Ctrl-C and SIGTERM what has been found is printed, whole, and marked. With each --method.
. "$SRC/tests/reduce/lib.sh"

times=15 # each of five methods with each of three signals
[[ ! ${HENCE_TEST_LONG-} ]] || times=400
RANDOM=${SEED:-$$}
echo "SEED=${SEED:-$$}"

"$CLANG" -O1 "$SRC/tests/chop/flatten.c" -o "$TMPDIR/flatten" || fail "cannot build flatten"
mkdir folder
cp "$SRC/tests/explain/machine/machine.c" folder
cd folder || exit 1
name=victim$$
"$HENCE_CC" -w machine.c -o $name || fail "cannot build it"

picture() {
	find . -printf '%p %m %s %T@\n' | sort
	find . -type f -exec sha256sum {} + | sort -k 2
}

options=(--json --expect-text 14 --pass '3 3 - d p' -- ./$name 10 3 - d p)
out=$TMPDIR/out err=$TMPDIR/err

start() {
	set -m
	"$HENCE" explain --method "${1-all}" "${options[@]}" >"$out" 2>"$err" </dev/null &
	leader=$!
	set +m
}

# Nobody goes on, and nothing is left, though after SIGKILL it may take a moment.
quiet() {
	# Listed before, so that what looks does not find itself.
	local processes=(/proc/[0-9]*)
	[[ ! $(ls -A "$HENCE_TAPE_DIR") ]] && ! grep -qzsF "HENCE_TAPE_DIR=$HENCE_TAPE_DIR" "${processes[@]/%//environ}" && ! pgrep -x $name >/dev/null
}

started=${EPOCHREALTIME/./}
start
wait "$leader"
code=$?
whole=$((${EPOCHREALTIME/./} - started))
[[ $code == 0 ]] || fail "exit code $code: $(<"$err")"
before=$(picture)

declare -A codes
for ((i = 0; i < times; i++)); do
	signals=(INT TERM KILL)
	signal=${signals[i % 3]}
	methods=(all compare chain transitions tree)
	start "${methods[i % 5]}"
	sleep "$(printf 0.%06d $((RANDOM * 32768 % whole + RANDOM % 1000)))"
	if ((i % 2)); then
		kill -$signal "$leader" 2>/dev/null
	else
		kill -$signal -- "-$leader" 2>/dev/null # as a terminal does: the whole group
	fi
	wait "$leader" 2>/dev/null
	code=$?
	codes[$signal.$code]=$((${codes[$signal.$code]-0} + 1))
	[[ $signal == KILL ]] || nothing_left
	await 10 quiet "after SIG$signal"
	if [[ $signal != KILL ]]; then
		# Before it has begun, a signal just ends it.
		[[ $code == 0 || $code == 3 ]] || [[ $code -gt 128 && ! -s $out && ! -s $err ]] || fail "exit code $code after SIG$signal: $(<"$err")"
		[[ ! -s $out ]] || "$TMPDIR/flatten" <"$out" >"$TMPDIR/flat" || fail "half a result after SIG$signal: $(<"$out")"
		[[ $code == 0 ]] || [[ ! -s $out ]] || grep -q '"verdict": *"incomplete"' "$out" || fail "not marked: $(<"$out")"
	fi
	[[ $(picture) == "$before" ]] || fail "the user's files were changed by SIG$signal"
done
for key in "${!codes[@]}"; do
	echo "$key: ${codes[$key]}"
done

# At the worst moment: the tree is built, and none of its causes has been tried.
cat >"$TMPDIR/commands" <<'END'
break tree_describe
run
signal SIGINT
continue
END
gdb -q -nx -batch -x "$TMPDIR/commands" --args "$HENCE" explain --method tree "${options[@]}" >"$out" 2>"$err" </dev/null
grep -q '"verdict":"incomplete"' "$out" || fail "not marked after the tree: $(tail -c 500 "$out" "$err")"
exit 0
