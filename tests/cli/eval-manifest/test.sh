#!/bin/bash
# Bad manifests of `hence eval`: one line that names the case and the key. What the schema refuses hence refuses, too.
source "$SRC/tests/run/lib.sh"

mkdir bad odd
count=0

# refused FOLDER MESSAGE MANIFEST: it is; and kept there for the schema.
refused() {
	echo "$3" >m.json
	hence_exits 2 eval m.json
	only err "hence: m.json: $2"
	cp m.json "$1/$((++count)).json"
}

# bad MESSAGE MANIFEST: refused, by the schema as well.
bad() {
	refused bad "$@"
}

# odd MESSAGE MANIFEST: refused; the schema cannot see it.
odd() {
	refused odd "$@"
}

# one MESSAGE MEMBERS: the same for a manifest with one case, of which only these members are wrong.
one() {
	bad "case 'x': $1" '{"eval": 1, "cases": [{"name": "x", "program": "p", "faults": [{"file": "f.c", "line": 1}], '"$2"'}]}'
}

good='"program": "p", "faults": [{"file": "f.c", "line": 1}]'

bad 'the manifest: "eval" must be 1, the version of this form' '{"cases": []}'
bad 'the manifest: "eval" must be 1, the version of this form' '{"eval": 2, "cases": [{"name": "x"}]}'
bad 'the manifest: "cases" must be a list of at least one case' '{"eval": 1}'
bad 'the manifest: "cases" must be a list of at least one case' '{"eval": 1, "cases": []}'
bad 'the manifest: "cases" must be a list of objects' '{"eval": 1, "cases": ["x"]}'
bad 'the manifest: "defaults" must be an object' '{"eval": 1, "defaults": 3, "cases": [{"name": "x"}]}'
bad 'the manifest: unknown key "case"; did you mean "cases"?' '{"eval": 1, "case": []}'
bad 'case number 1: "name" must be a text that can be the name of a file' '{"eval": 1, "cases": [{}]}'
bad 'case number 2: "name" must be a text that can be the name of a file' \
	'{"eval": 1, "defaults": {'"$good"'}, "cases": [{"name": "x"}, {"name": "../y"}]}'
odd "case 'x': \"name\" is that of another case, too" '{"eval": 1, "defaults": {'"$good"'}, "cases": [{"name": "x"}, {"name": "x"}]}'
odd "case 'x': \"program\" is missing: the path of the program" '{"eval": 1, "cases": [{"name": "x", "faults": [{"file": "f.c", "line": 1}]}]}'
odd "case 'x': \"faults\" is missing: where the fault is, as [{\"file\": ..., \"line\": ...}]" '{"eval": 1, "cases": [{"name": "x", "program": "p"}]}'
one 'unknown key "arg"; did you mean "args"?' '"arg": []'
one '"args" must be a list of texts' '"args": "a b"'
one '"args" must be a list of texts' '"args": [1]'
one '"stdin" must be a text' '"stdin": 1'
one '"timeout" must be a number of seconds above 0' '"timeout": 0'
one '"timeout" must be a number of seconds above 0' '"timeout": "1"'
one '"in_place" must be true or false' '"in_place": 1'
one '"expected" and "expected_text" do not go together; leave one out' '"expected": "f", "expected_text": "t"'
one '"passing" must be a list of objects' '"passing": {"args": []}'
one '"passing" must have "args" or "stdin"' '"passing": [{}]'
one 'unknown key "input"' '"passing": [{"args": [], "input": "x"}]'
one '"held_out" must be a list of objects' '"held_out": {"args": []}'
one '"held_out" must have "args" or "stdin"' '"held_out": [{}]'
one 'unknown key "input"' '"held_out": [{"args": [], "input": "x"}]'
bad "case 'x': unknown key \"lines\"; did you mean \"line\"?" \
	'{"eval": 1, "cases": [{"name": "x", "program": "p", "faults": [{"file": "f.c", "line": 1, "lines": 2}]}]}'
one '"options" must be an object: a list of options for each method, or for "all"' '"options": []'
one '"tree" must be a list of texts' '"options": {"tree": "--full"}'
one '"options" must have names of methods, or "all", as its keys' '"options": {"trees": ["--full"]}'
one '"corrected" must be an object' '"corrected": "make"'
one '"corrected" must say where the corrected program is: "build", "folder" or "program"' '"corrected": {}'
bad "case 'x': \"line\" must be a whole number above 0" '{"eval": 1, "cases": [{"name": "x", "program": "p", "faults": [{"file": "f.c"}]}]}'
bad "case 'x': \"line\" must be a whole number above 0" '{"eval": 1, "cases": [{"name": "x", "program": "p", "faults": [{"file": "f.c", "line": 0}]}]}'
bad "case 'x': \"faults\" must have \"file\" and \"line\"" '{"eval": 1, "cases": [{"name": "x", "program": "p", "faults": [{"line": 3}]}]}'
bad "case 'x': \"near\" must be a whole number" '{"eval": 1, "cases": [{"name": "x", "program": "p", "faults": [{"file": "f.c", "line": 3, "near": -1}]}]}'
odd "case 'x': \"passing\" must have the same keys in each of its commands" \
	'{"eval": 1, "cases": [{"name": "x", '"$good"', "passing": [{"args": ["1"]}, {"stdin": "f"}]}]}'

validate=("$SRC/tests/cli/eval/validate.py" "$SRC/docs/eval.schema.json")
/usr/bin/python3 -I "${validate[@]}" --bad bad/*.json || fail "the schema allows too much"
/usr/bin/python3 -I "${validate[@]}" odd/*.json || fail "the schema allows too little"

# --- no JSON, no file, wrong options ---
echo '{"eval": 1,' >m.json
hence_exits 2 eval m.json
like err 'hence: m\.json:[0-9]: this is no JSON: .*'
hence_exits 2 eval missing.json
like err 'hence: cannot read missing\.json: .*'
hence_exits 2 eval
only err "hence: no manifest given; use 'hence eval [OPTIONS] MANIFEST.json'"
hence_exits 2 eval --methods explain,guess m.json
only err "hence: --methods: there is no method 'guess'; see 'hence eval --help'"
hence_exits 2 eval --method explain m.json
only err 'hence: hence eval has no option --method; did you mean --methods?'
hence_exits 2 eval a.json b.json
only err "hence: hence eval takes one manifest, not 'b.json' as well"
hence_exits 2 eval --tables m.json
like err 'hence: cannot read m\.json: .*'
echo '{}' >r.json
hence_exits 2 eval --tables r.json
like err 'hence: r\.json has no results of this version of hence eval; .*'
# Results that nobody measured: everything is printed as text, and nothing goes wrong.
cat >r.json <<'END_JSON'
{"eval_results": 1, "cases": [3, {"name": "a|b\u001b<i>", "state": 7, "lines": -1, "methods": {"transitions": {"state": "done|", "seconds": "x"}, "tree": [], "chain": null},
 "score": {"plain": {"score": 99, "distance": "y"}, "relevant": {"score": -4}, "infected": 1}}]}
END_JSON
hence_exits 0 eval --tables r.json
like out '\| a\\\|b\?\\<i\\> \| -1 \|.*'
like out '\| 100 % \| 100\.0 % \(1\) \| 0\.0 % \(0\) \|.*'
hence_exits 0 eval --help
like out '.*--methods LIST.*'
