#!/bin/bash
# Experiments whose hybrid states make the program do anything (nasty.c): the chain is right all the same, nobody is left, nothing is left, and
# the user's files are as they were.
. "$SRC/tests/reduce/lib.sh"

name=nasty$$
"$HENCE_CC" -w "$CASE/nasty.c" -o $name || fail "cannot build nasty.c"
mkdir folder
cd folder || exit 1
mv ../$name .
echo 5 >data.txt
echo "another file" >other.txt
mkdir sub
echo below >sub/file.txt

# Names, modes, sizes, times and bytes of all that the user has here.
picture() {
	find . -printf '%p %m %s %T@ %l\n' | sort
	find . -type f -exec sha256sum {} + | sort -k 2
}

# What was killed last may still be a zombie when hence ends.
none_called_so() {
	! pgrep -x $name >/dev/null
}

# explains HOW: a is 1 and b is 0, and in the reference it is the other way round.
explains() {
	local before
	before=$(picture)
	SECONDS=0
	"$HENCE" explain --json --no-edits --time 30 --timeout 0.3 --expect-text 1 --pass "0 1 $1 $PWD" -- ./$name 1 0 "$1" "$PWD" \
		>"$TMPDIR/out" 2>"$TMPDIR/err" </dev/null
	code=$?
	cp "$TMPDIR/out" "$TMPDIR/err" ..
	cd ..
	[[ $code == 0 ]] || fail "$1: exit code $code"
	((SECONDS < 60)) || fail "$1: took $SECONDS s"
	grep -q '"variable":"result","failing":"2","reference":"1"' out || fail "$1: no step with the result"
	cd folder || exit 1
	[[ $(picture) == "$before" ]] || { diff <(echo "$before") <(picture); fail "$1: the user's files were changed"; }
	nothing_left
	nobody_left
	await 10 none_called_so
}

for how in nothing crash exit fork wait close disk print remove remove-there change change-there group parent stop shell memory recurse loop \
	sleep; do
	explains $how
done
exit 0
