#!/bin/bash
# What tools read: SARIF, graphs and messages of a real explanation and of the golden files (which the unit tests compare with what is
# printed), by schemas, by our own readers, by graphviz and by vim if they are there.
source "$SRC/tests/run/lib.sh"
reader=$SRC/tests/report golden=$SRC/tests/report/golden
[[ -x /usr/bin/python3 ]] && /usr/bin/python3 -c 'import jsonschema' || fail "there is no python3 with jsonschema; run scripts/deps"

check() { # sarif|dot FILE...
	/usr/bin/python3 -B "$reader/check_$1.py" "${@:2}" >out 2>&1
}

build scale -g <"$SRC/tests/cli/explain/scale.c"
render() { # PREFIX FORMAT...
	local format
	for format in "${@:2}"; do
		hence_exits 0 explain --format $format -o "$1.$format" --expect-text 'result 24' --pass 8 -- ./scale 12
	done
}
render real sarif dot gcc

# --- SARIF ---
check sarif "$golden"/*.sarif real.sarif || fail "not valid"
like <(/usr/bin/python3 -m json.tool real.sarif) ' *"commandLine": ".*hence explain --format sarif -o real\.sarif --expect-text '\''result 24'\'' .*",'

# The checks notice what is wrong.
refused() { # SED-SCRIPT
	sed "$1" "$golden/explained.sarif" >wrong.sarif
	! cmp -s "$golden/explained.sarif" wrong.sarif || fail "nothing is changed by $1"
	! check sarif wrong.sarif || fail "taken, though it is wrong: $1"
}
refused 's/"startLine": 28/"startLine": 0/'
refused 's/"ruleIndex": 2/"ruleIndex": 3/'
refused 's/"index": 1$/"index": 0/'
refused 's/{{0/{0/'
refused 's/"level": "error",$/"level": "warning",/'
refused 's/my%20lib/my lib/'
refused 's/ (not proven)//'
refused 's/"startColumn": 12/"startColumn": 13/'
refused 's/"kinds": /"kind": /'
refused 's/"id": 2/"id": 3/'

# A failure is known again when the program has moved on.
fingerprints() {
	/usr/bin/python3 -c 'import json, sys
print(json.load(open(sys.argv[1]))["runs"][0]["results"][0]["partialFingerprints"])' "$1"
}
{ echo '/* One line'; echo 'and another. */'; cat "$SRC/tests/cli/explain/scale.c"; } | sed 's/^	int/	  int/' >moved.c
mkdir elsewhere && mv moved.c elsewhere/scale.c && rm scale
"$HENCE_CC" -g elsewhere/scale.c -o scale || fail "cannot build it elsewhere"
render moved sarif
[[ $(fingerprints real.sarif) == "$(fingerprints moved.sarif)" ]] || fail "other fingerprints after lines were added"
sed -i 's/factor = 3/factor = 3 + argc/; s/int scale(int n)/int scale(int n, int argc)/; s/scale(n)/scale(n, argc - 2)/; s/printf/(void)0, printf/' elsewhere/scale.c
"$HENCE_CC" -g elsewhere/scale.c -o scale || fail "cannot build the other one"
render other sarif
[[ $(fingerprints real.sarif) != "$(fingerprints other.sarif)" ]] || fail "the same fingerprints for another statement"

# --- graphs ---
check dot "$golden"/*.dot real.dot || fail "no graph"
sed 's/<B>1\./<B><B>1./' "$golden/explained.dot" >wrong.dot
! check dot wrong.dot || fail "a label that is no HTML was taken"

# --- messages ---
for file in "$golden"/*.gcc real.gcc; do
	! grep -vqE '^([^:]+:[0-9]+(:[0-9]+)?|hence): (error|warning|note): [^ ].*$' "$file" || fail "$file has other lines"
done
# vim with quickfix takes all that have a place, and only those.
if vim -Nu NONE -es -c 'if has("quickfix") | qa! | endif' -c 'cq!' </dev/null 2>/dev/null; then
	list='map(filter(getqflist(), "v:val.valid"), "bufname(v:val.bufnr) . \":\" . v:val.lnum . \":\" . v:val.col . \":\" . v:val.text")'
	vim -Nu NONE -es -q "$golden/explained.gcc" -c "call writefile($list, 'list')" -c 'qa!' </dev/null
	grep -v '^hence: ' "$golden/explained.gcc" | sed 's/^\(src.sample.c:8\): /\1:0: /' >expected
	cmp -s expected list || fail "vim has: $(<list)"
fi
