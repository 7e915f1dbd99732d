#!/bin/bash
# tree.awk, which looks at cause trees: a tree that is right, and the same with one thing in it, or in what is expected of it, changed.
# Every one of those must be noticed.
set -u
fails=0

"$CLANG" -O1 "$SRC/tests/chop/flatten.c" -o flatten || exit 1
cp "$CASE"/{good.json,expected,fault} . || exit 1

# looks JSON EXPECTED FAULT
looks() {
	./flatten <"$1" >flat && awk -f "$SRC/tests/tree/tree.awk" -v fault="$3" flat "$2" >said
}

# lie FILE FROM TO: the tree is wrong with this in place of that; only its first occurrence is changed.
lie() {
	local files=(good.json expected fault) text
	text=$(<"$1")
	[[ $text == *"$2"* ]] || { echo "no '$2' in $1"; fails=1; }
	printf '%s\n' "${text/"$2"/"$3"}" >lie
	files=("${files[@]/#$1/lie}")
	looks "${files[@]}"
	[[ $? == 1 ]] || { echo "not noticed: $1: '$2' -> '$3'"; fails=1; }
}

looks good.json expected fault || { cat said; fails=1; }
grep -q '^fault at level 1 of 3 nodes, 2 of them proven, 24.0 % of 50 instances (20 read)' said || { cat said; fails=1; }

lie good.json '"number":2' '"number":4'
lie good.json '"parent":1' '"parent":2'
lie good.json '"parent":0' '"parent":1'
lie good.json '"level":1' '"level":2'
lie good.json '[3,2]' '[3]'
lie good.json '"children":[]' '"children":[3]'
lie good.json '"again":[3]' '"again":[4]'
lie good.json '"from":"4"' '"from":"5"'
lie good.json '"outcome":"pass"' '"outcome":"fail"'
lie good.json '"counts":true' '"counts":false'
lie good.json '"counts":false' '"counts":true'
lie good.json '"proven":false' '"proven":true'
lie good.json '"proven":2' '"proven":1'
lie good.json '"nodes":3' '"nodes":4'
lie good.json '"inside":12' '"inside":51'
lie good.json '"reason":"direct"' '"reason":"address"'
lie good.json '"kind":"branch"' '"kind":"value"'
lie good.json '{"file":"a.c","line":3,"text":"c = 1"},' ''
lie expected 'is 3 7 9' 'is 7 9'
lie expected 'is 3 7 9' 'is 3 7 8 9'
lie expected '4 has 1' '4 has 2'
lie expected 'level 1' 'level 0'
lie expected 'is b.c:2 5' 'is 2 5'
lie expected 'some 7' 'some 8'
lie expected 'absent 6' 'absent 7'
lie expected 'd 5' 'd 6'
lie expected 'd 5' 'e 5'
lie expected '? 5' '? 6'
lie expected '5 branch' '4 branch'
lie expected 'nodes 3' 'nodes 2'
lie expected $'3\nlevel 1' $'3\nlevel 0'
lie expected 'some' 'maybe'
lie fault 'a.c:7' 'a.c:8'
lie fault 'b.c:2' 'c.c:2'
exit "$fails"
