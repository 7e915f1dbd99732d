#!/bin/bash
# `hence eval`: programs that explain well, cannot be built, make hence crash, take too long, do not fail; and the numbers of the tables,
# which were derived by hand. Bad manifests are in ../eval-manifest.
source "$SRC/tests/run/lib.sh"

valid() { # FILE...
	/usr/bin/python3 -I "$CASE/validate.py" "$SRC/docs/eval.schema.json" "$@" || fail "not as the schema says"
}

# part TITLE: the lines of a table's part in `out`, from that title to the next one.
part() {
	sed -n "/^### $1/,/^### /p" out
}

# --- the programs ---

# It multiplies by three and takes 2 away where it should be 1, but only from 6 on: '7' gives 22, not 23; '4' gives 15 as it should.
# Executable lines are 6 to 12.
mkdir good slow killer
cat >good/prog.c <<'END_C'
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char *argv[])
{
	int n = atoi(argv[1]);
	int m = n + 1;
	int k = m * 3;
	if (n > 5)
		k = k - 2;
	printf("%d\n", k);
	return 0;
}
END_C
cat >slow/prog.c <<'END_C'
#include <stdlib.h>

int main(int argc, char *argv[])
{
	volatile int n = atoi(argv[1]);
	while (n > 0)
		;
	return 0;
}
END_C
cat >killer/prog.c <<'END_C'
#include <signal.h>
#include <unistd.h>

int main(void)
{
	kill(getppid(), SIGKILL);
	return 1;
}
END_C
cat >manifest.json <<END_JSON
{"eval": 1,
 "defaults": {"folder": "good", "program": "prog", "build": "hence-cc -g prog.c -o prog", "args": ["7"],
              "faults": [{"file": "prog.c", "line": 10}]},
 "cases": [
  {"name": "good", "passing": [{"args": ["4"]}], "expected_text": "23\\n",
   "corrected": {"build": "sed -i '10s/- 2/- 1/' prog.c && hence-cc -g prog.c -o prog"}},
  {"name": "unbuilt", "build": "printf 'it is \\\\377bro\\\\33ken\\\\n'; exit 3"},
  {"name": "a|b", "build": "$CLANG -g prog.c -o prog", "expected_text": "23\\n"},
  {"name": "killer", "folder": "killer", "args": []},
  {"name": "fine", "expected_text": "22\\n"}
 ]}
END_JSON
valid manifest.json

# --- all at once ---
# The statements 6, 7, 8 and 10 each give another variable the deciding value, so they are blamed: 4 of 7 lines, and 10 is the fault.
# What 10 computes is the first value that the corrected program does not have: 1 of 7 lines. The slice is all but the return. The ideal
# chain is just 10; that of the passing input, which does not get there, has 6, 7, 8 and the branch 9 before it: relevance 1 of 5.
hence_exits 0 eval --time 30 --methods explain,transitions,chain,slice -o results.json manifest.json
[[ ! -s err ]] || fail "there is something on stderr"
valid results.json
part Methods >table
like table '\| explain \| 4 \| 1 \| 1 \| 1 \| 0 \| 1 \|.*'
like table '\| slice \| 4 \| 1 \| 0 \| 1 \| 0 \| 2 \|.*'
! grep -q '| tree |' table || fail "a method that was not asked for"
part 'Where to look first' >table
like table '\| explain \| 3 \| [01] \([03]+ %\) \| [01] \([03]+ %\) \| 1 \(33 %\) \| 1 \(33 %\) \| 2 \|.*'
part 'Cause transitions' >table
has table '| 40-49 % | 50.0 % (1) | 50.0 % (1) | 0.0 % (0) |'
has table '| 80-89 % | 0.0 % (0) | 0.0 % (0) | 100.0 % (1) |'
has table '| nothing is blamed | 50.0 % (1) | 50.0 % (1) | 0.0 % (0) |'
has table '| the fault itself is blamed | 50.0 % (1) | 50.0 % (1) | 100.0 % (1) |'
has table '| average of those with a score | 42.9 % | 42.9 % | 85.7 % |'
part 'Slices and chops' >table
has table '| executed | 3 | 7.0 | 100.0 | | |'
like table '\| backward slice \| 3 \| 6\.0 \| 85\.7 \| [0-9.]+ \| 1 \(33 %\) \|'
part 'Chains against' >table
like table '\| ideal \| 1 \| 0 \| \| \| \| 1 of 1 \(100 %\) \|.*'
like table '\| passing input \| 1 \| 0 \| 1\.00 \| 0\.20 \| 4\.0 \| 1 of 1 \(100 %\) \|.*'
part 'Cases' >table
like table '\| good \| 7 \| explained \| [1-5] \|.*\| 43 % \| 43 % \| 86 % \| 1\.00 \| 0\.20 \| \| \| \|'
like table '\| a\\\|b \| \| refused \|.*'
part 'What went wrong' >table
has table '| unbuilt | the case | not-built | the build ended with exit code 3: it is ?bro?ken |'
like table '\| a\\\|b \| explain, transitions, chain, slice \| refused \| \./prog was not built with hence cc; .*'
has table '| killer | slice | crashed | killed by signal 9 |'
like table '\| fine \| explain, transitions, chain \| does-not-fail \| \./prog does not fail: .*'
like table '\| fine \| slice \| does-not-fail \| \./prog does not fail: its output is as expected; .*'
! grep -q '^| good' table || fail "good is in trouble"

# The same tables from what was kept.
mv out tables
hence_exits 0 eval --tables results.json
cmp -s out tables || fail "other tables from the results"

# --- edits: at the faulty line, and the right repair ---
# Of what 7 executes only line 10 is not executed by 4, and only there one small change makes 22 to 23 and leaves 4 alone. 'told' is repaired by all that
# take 1 away. In 'held' the corrected program takes n / 7 away, which is the same for 7, and for 70, which hence is not told, 10. 'moved' is built
# from a source that the build has changed, so that no patch fits. 'text' prints something that no small change does, and the fault of 'other' is said to be elsewhere.
cat >edits.json <<'END_JSON'
{"eval": 1,
 "defaults": {"folder": "good", "program": "prog", "build": "hence-cc -g prog.c -o prog", "args": ["7"], "passing": [{"args": ["4"]}], "expected_text": "23\n",
              "faults": [{"file": "prog.c", "line": 10}], "corrected": {"build": "sed -i '10s/- 2/- 1/' prog.c && hence-cc -g prog.c -o prog"}},
 "cases": [
  {"name": "told", "held_out": [{"args": ["9"]}, {"args": ["3"], "stdin": "prog.c"}]},
  {"name": "held", "held_out": [{"args": ["70"]}], "corrected": {"build": "sed -i '10s,- 2,- n / 7,' prog.c && hence-cc -g prog.c -o prog"}},
  {"name": "moved", "build": "sed -i '10s/k - 2/k  -  2/' prog.c && hence-cc -g prog.c -o prog"},
  {"name": "text", "expected_text": "something else\n"},
  {"name": "other", "faults": [{"file": "prog.c", "line": 6}]},
  {"name": "fine", "expected_text": "22\n"}
 ]}
END_JSON
valid edits.json
hence_exits 0 eval -j 1 --methods fix -o results.json edits.json
[[ ! -s err ]] || fail "there is something on stderr"
valid results.json
part Methods >table
like table '\| fix \| 6 \| 4 \| 1 \| 1 \| 0 \| 0 \| \| .*'
part Edits >table
like table '\| 5 \| 4 \(80 %\) \| 3 \(60 %\) \| 3 \(60 %\) \| 3 \(60 %\) \| 1\.0 \| 2 of 5 \(40 %\) \| 2 of 5 \(40 %\) \| [0-9]+ \| [0-9]+ \| [0-9]+ \|'
part 'What went wrong' >table
like table '\| moved \| repairs \| not-built \| patch ended with exit code 1: .*'
/usr/bin/python3 -I - results.json <<'END_PYTHON' || fail "not the edits"
import json, sys
rows = {case["name"]: case["methods"]["fix"] for case in json.load(open(sys.argv[1]))["cases"]}
assert [rows[name].get("repairs") for name in ("told", "text", "other")] == [["right"], [], ["right"]], rows
# A statement that is put in has no patch there: the `if` has no braces.
for name, word in (("held", "wrong"), ("moved", "not-built")):
    assert rows[name]["repairs"][0] == word and set(rows[name]["repairs"]) <= {word, "no-patch"} and len(rows[name]["repairs"]) == 5, rows
assert [rows[name]["edit_rank"] for name in ("told", "text", "other")] == [1, 0, 0], rows
assert rows["told"]["edit_class"] == "constant" and "edit_class" not in rows["other"], rows
assert all(row["edits"] > row["edits_tried"] > 0 for name, row in rows.items() if name != "fine"), rows
END_PYTHON
[[ $(<good/prog.c) == *'k - 2;'* && ! -e good/prog && ! $(ls -A "$TMPDIR") ]] || fail "something is changed or left"

# --- one that takes too long ---
sed 's/"cases".*/"cases": [{"name": "slow", "folder": "slow"}]}/;/"cases"/q' manifest.json >slow.json
hence_exits 0 eval slow.json --time 0.2 --methods slice -o results.json --reports kept
valid results.json
like out '\| slow \| slice \| timed-out \| .*'
[[ -e kept/slow/slice.json && -s kept/slow/pdg.json ]] || fail "the reports are not kept"

# --- near: the fault is found two lines off ---
sed 's/"line": 10}/"line": 13, "near": 2}/;/{"name": "unbuilt/,$d;s/"corrected".*/"stdin": "prog.c"}]}/' manifest.json >near.json
hence_exits 0 eval near.json --methods slice --only oo
like out '\| backward slice \| 1 \| 6\.0 \| 85\.7 \| [0-9.]+ \| 1 \(100 %\) \|'
hence_exits 2 eval near.json --only xyz
only err "hence: --only xyz: no case has that in its name"

# --- a program that is there already, and one that is built in its folder; the corrected one has a folder of its own ---
mkdir there right
cp good/prog.c there
sed '10s/- 2/- 1/' good/prog.c >right/prog.c
cat >there.json <<'END_JSON'
{"eval": 1, "defaults": {"args": ["7"], "faults": [{"file": "prog.c", "line": 10}], "folder": "there", "program": "prog", "expected_text": "23\n"},
 "cases": [{"name": "built", "build": "hence-cc -g prog.c -o prog", "in_place": true, "corrected": {"folder": "right"}},
           {"name": "ready"}]}
END_JSON
hence_exits 0 eval -j 1 there.json --methods slice,patched
[[ -x there/prog && -x right/prog ]] || fail "not built in place"
like out '\| backward slice \| 2 \| 6\.0 \| 85\.7 \| [0-9.]+ \| 2 \(100 %\) \|'
like out '\| ideal \| 1 \| 0 \| \| \| \| 1 of 1 \(100 %\) \|.*'
rm there/prog
hence_exits 0 eval there.json --methods slice --only ready
has out '| ready | the case | not-built | prog cannot be run: No such file or directory |'

# --- nobody reads the tables; the results cannot be written ---
"$HENCE" eval there.json --methods slice --only ready | true
[[ ! $(ls -A "$TMPDIR") ]] || fail "left behind: $(ls "$TMPDIR")"
hence_exits 2 eval there.json -o missing/results.json
only err 'hence: cannot write missing/results.json: No such file or directory'

# --- the graph ---
"$HENCE_CC" -g good/prog.c -o prog || fail "cannot build"
hence_exits 0 eval --pdg prog
/usr/bin/python3 -I - out <<'END_PYTHON' || fail "not the graph"
import json, sys
nodes = json.load(open(sys.argv[1]))["nodes"]
data = {(nodes[i]["line"], node["line"]) for node in nodes for i in node["data"]}
control = {(nodes[i]["line"], node["line"]) for node in nodes for i in node["control"]}
sys.exit(sorted(node["line"] for node in nodes) != [6, 7, 8, 9, 10, 11, 12] or control != {(9, 10)} or
         data != {(6, 7), (6, 9), (7, 8), (8, 10), (8, 11), (10, 11)})
END_PYTHON
hence_exits 2 eval --pdg /bin/true
only err "hence: /bin/true was not built with hence cc; build it with hence-cc"

# --- Ctrl-C: what is known is printed, and nothing goes on ---
cat >long.json <<'END_JSON'
{"eval": 1, "defaults": {"program": "prog", "faults": [{"file": "prog.c", "line": 10}]},
 "cases": [{"name": "first", "folder": "good", "build": "exit 1"},
           {"name": "long", "folder": "good", "build": "echo $$ >\"$MARK\"; sleep 300; true"}]}
END_JSON
MARK=$PWD/mark session "$HENCE" eval -j 1 -o results.json long.json
await 20 test -s mark
kill -INT "$leader"
wait "$leader"
[[ $? == 3 ]] || fail "exit code $? after Ctrl-C"
gone "$(<mark)" || fail "the build goes on"
has err 'hence: interrupted after 2 of 2 cases'
has out '| first | the case | not-built | the build ended with exit code 1:  |'
has out '| long | the case | interrupted | interrupted |'
valid results.json
grep -q '"complete": false' results.json || fail "it says that it is complete"
[[ ! $(ls -A "$TMPDIR") ]] || fail "left behind: $(ls "$TMPDIR")"
