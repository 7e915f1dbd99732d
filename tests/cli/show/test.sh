#!/bin/bash
# The command line of `hence show`, and of --save and -o: files, formats, messages, exit codes. That what is shown is right, tests/report shows.
source "$SRC/tests/report/lib.sh"

# show CODE ARGS...
show() {
	hence_exits "$1" show "${@:2}"
}

build_scale
right=(--expect-text 'result 24')
save 0 report explain "${right[@]}" --pass 8 -- ./scale 12
save 0 tree tree "${right[@]}" -- ./scale 12

# --- nothing else is needed ---
mkdir away
mv scale report.json tree.json away
(cd away && rm scale && "$HENCE" show report.json) | cmp - report.txt || fail "without the program it is shown in another way"
mv away/*.json .

# --- formats and files ---
show 0 --format gcc report.json
like out 'scale\.c:15:[0-9]+: error: \./scale prints "result 36", not "result 24" \(line 1\).*'
show 0 -o out.json report.json
cmp out.json report.json || fail "-o out.json is not JSON"
show 0 --format text -o text.json report.json
cmp text.json report.txt || fail "--format does not count more than the ending of -o"
show 0 -o out.dot tree.json
has out.dot 'digraph causes {'
show 0 --color report.json
grep -q $'\x1b' out || fail "no colours"
NO_COLOR=1 show 0 --color report.json
grep -q $'\x1b' out || fail "NO_COLOR counts more than --color"
show 0 report.json
! grep -q $'\x1b' out || fail "colours in a file"
show 0 --full tree.json
"$HENCE" tree --full --save again.json "${right[@]}" -- good/scale 12 >/dev/null 2>&1
[[ $? == 1 && ! -e again.json ]] || fail "a report of a program that does not fail"

# --- what it does not show ---
show 2 --format html tree.json
only err "hence: tree.json is a report of 'hence tree', which can be shown as text, json, dot or gcc, not as html"
"$HENCE" reduce --json --args -- good/scale 77 >reduce.json 2>/dev/null
"$HENCE" chop --json --args -o chop.json -- good/scale 77 >/dev/null 2>&1
for command in reduce chop; do
	show 2 "$command.json"
	only err "hence: $command.json is a report of 'hence $command', and no explanation; those are made by explain, fix, transitions, chain, compare and tree, with --json"
done
show 2 nothing.json
only err 'hence: cannot read nothing.json: No such file or directory'
show 2 .
only err 'hence: cannot read .: Is a directory'
show 2 report.txt
like err "hence: report\.txt is no report of hence: it is no JSON, or cut off \(line 1, column 1: .*\); save one with 'hence explain --save FILE'"
head -c 2000 report.json >cut.json
show 2 cut.json
like err 'hence: cut\.json is no report of hence: it is no JSON, or cut off \(line 1, column 2000: .*'
show 2 /dev/null
like err 'hence: /dev/null is no report of hence: it is empty; .*'
sed 's/"hence":1/"hence":2/' report.json >later.json
show 2 later.json
only err 'hence: later.json is a report of version 2 ("hence"), this hence reads version 1; make the report again, or use the hence that made it'
sed 's/"line":15/"line":"15"/' report.json >damaged.json
show 2 damaged.json
like err "hence: damaged\.json is damaged: failure\.line is a text, not a whole number; make the report again with 'hence explain --save FILE'"
[[ $(wc -l <err) == 1 ]] || fail "more than one line"

# --- usage ---
show 2
only err "hence: no report given; use 'hence show [OPTIONS] REPORT', or - for standard input"
show 2 report.json tree.json
only err 'hence: hence show takes one report; what is tree.json?'
show 2 --formt json report.json
only err 'hence: hence show has no option --formt; did you mean --format?'
show 2 --format xml report.json
only err 'hence: --format xml: give text, json, sarif, html, dot or gcc'
show 2 -o nowhere/file report.json
only err 'hence: -o: cannot write nowhere/file: No such file or directory'

# --- --save ---
hence_exits 2 explain --save nowhere/file -- good/scale 12
only err 'hence: --save: cannot write nowhere/file: No such file or directory'
hence_exits 2 explain --save same -o same -- good/scale 12
only err 'hence: -o and --save are the same file, same; give two, or only one with --json'
hence_exits 2 compare --dual-slice --save slice.json -- good/scale 12
only err 'hence: --save is about explanations, and --dual-slice makes none; use --json -o FILE'
hence_exits 2 compare --dual-slice --format html -- good/scale 12
only err 'hence: a dual slice is printed as text or json, not as html'
hence_exits 2 chop --save chop.json -- good/scale 12
like err 'hence: hence chop has no option --save; .*'

# --- help and manual say the same ---
for command in show explain tree; do
	hence_exits 0 "$command" --help
	page=$(sed 's/\\-/-/g; s/\\fP//g' "$SRC/docs/man/hence-$command.1")
	for option in --format --save --full -o; do
		[[ $command$option != show--save ]] || continue
		grep -qE "^  $option[ ,]" out || fail "the help of $command lacks $option"
		[[ $command$option == tree-o ]] || grep -qE -- "^\.B[RI]* (.*\" )?$option( |\$)" <<<"$page" || fail "the manual page of $command lacks $option"
	done
done
