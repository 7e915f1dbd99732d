#!/bin/bash
# Pages of --format html: well-formed, every id unique, no way out of them, nothing in them but what the printer put there,
# whatever the texts are (unit/report_html prints the pages; browser clicks through them), and what they say.
source "$SRC/tests/run/lib.sh"

check() { # PAGE
	/usr/bin/python3 "$CASE/check.py" "$1" "$SRC/src/report/page.css" "$SRC/src/report/page.js" >complaints ||
		fail "$1: $(cat complaints)"
}

for name in rich changed fixes hostile long deep bare; do
	"$B/unit/report_html" "$name" >"$name.html" || fail "cannot print $name"
	check "$name.html"
done
/usr/bin/python3 "$CASE/check.py" --outline rich.html >outline || fail "no outline"
diff "$CASE/rich.expected" outline || fail "this is not what rich.expected says"

[[ $(grep -c 'id="cause-' deep.html) == 300 ]] || fail "causes are lost"

# Each hostile text is there, as text.
grep -q '&lt;script&gt;window.pwned=1&lt;/script&gt;' hostile.html || fail "the texts are lost"
[[ $(grep -c '<script' hostile.html) == 1 ]] || fail "a text has become a script"
[[ $(grep -ac $'\x1b\|\x07\|\x7f' hostile.html) == 0 ]] || fail "control characters"

# A real one, to a file.
build scale -g <"$SRC/tests/cli/explain/scale.c"
hence_exits 0 explain --no-edits --format html -o page.html --expect-text 'result 24' --pass 8 -- ./scale 12
[[ ! -s out ]] || fail "something was printed though -o was given"
check page.html
/usr/bin/python3 "$CASE/check.py" --outline page.html >outline
like outline '[0-9]+ therefore result is 36 \(not 16\).*'
like outline 'compared with'
like outline 'Look first at'
like outline '[0-9]+ step [0-9]+ result 16 36 reference .* fail.*'
