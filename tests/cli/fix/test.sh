#!/bin/bash
# The command line of `hence fix`: formats, ends, and bad input. What printers make of changes, unit/report_fixes shows.
source "$SRC/tests/run/lib.sh"

fixes() { # CODE ARGS...
	hence_exits "$1" fix "${@:2}"
}

build scale -g <"$SRC/tests/cli/explain/scale.c"
wrong=(--expect-text 'a text that no small change prints')

# --- what cannot be written is refused before anything is run, also before sources are compiled ---
fixes 2 --patch missing/folder/p -- ./scale 12
only err "hence: --patch: cannot write missing/folder/p: No such file or directory"
echo 'this is no C' >bad.c
fixes 2 --patch missing/folder/p bad.c -- 12
only err "hence: --patch: cannot write missing/folder/p: No such file or directory"
fixes 2 --patch . -- ./scale 12
only err "hence: --patch: cannot write .: Is a directory"
fixes 2 --patch same -o same -- ./scale 12
only err "hence: --patch and -o are the same file, same; give two"
fixes 2 --patch same --save same -- ./scale 12
only err "hence: --patch and --save are the same file, same; give two"

# --- other bad input ---
fixes 2 --format dot -- ./scale 12
only err "hence: --format dot: give text, json, sarif, html or gcc"
fixes 2 --no-reduce -- ./scale 12
fixes 2
fixes 2 --patch
fixes 1 -- ./scale 8
like err 'hence: ./scale does not fail: .*'
[[ ! -e same && ! -s out ]] || fail "something was written"

# --- nothing is found: it is said, with the failure, and no patch is written ---
echo old >p
fixes 3 "${wrong[@]}" --patch p -- ./scale 12
like out './scale prints .*'
like out 'no small change of the code was found: [0-9]+ edits? tried of [0-9]+.*'
like out '[0-9]+ edits?: [0-9]+ changes? nothing in the failing run, .*'
only err "hence: no patch is written: no change was found"
only p old
fixes 3 "${wrong[@]}" --patch - --save report.json -- ./scale 12
[[ ! -s out ]] || fail "something but a patch is on standard output"
fixes 3 "${wrong[@]}" "$SRC/tests/cli/explain/scale.c" -- 12
like out 'scale prints .*'

# --- formats, at once and from the saved report ---
hence_exits 0 show report.json
like out 'no small change of the code was found: .*'
for format in json sarif html gcc; do
	fixes 3 "${wrong[@]}" --format $format -- ./scale 12
	[[ -s out ]] || fail "$format is empty"
	hence_exits 0 show --format $format report.json
	[[ -s out ]] || fail "$format is empty when it is shown"
done
hence_exits 0 show --json report.json
cmp out report.json || fail "shown as JSON it is another report"
/usr/bin/python3 -c 'import json, sys
report = json.load(open("report.json"))
assert report["fixes"] == [] and report["fixes_only"] is True and report["steps"] == [], report
assert {"edits", "edits_idle", "edits_run", "edits_plausible", "edit_places"} <= set(report["stats"]), report["stats"]' ||
	fail "the JSON is another one"
