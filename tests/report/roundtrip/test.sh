#!/bin/bash
# A saved report, shown again: as JSON the same byte for byte, and in each format what the command that made it printed.
source "$SRC/tests/report/lib.sh"

build_scale
right=(--expect-text 'result 24')

# same NAME: NAME.json is the same when it is shown as JSON.
same() {
	hence_exits 0 show --json "$1.json"
	cmp out "$1.json" || fail "$1.json is another one when it is read"
	[[ ! -s err ]] || fail "something on standard error"
}

# shown NAME OPTIONS...: shown with these options it is what is in NAME.txt.
shown() {
	hence_exits 0 show "${@:2}" "$1.json"
	cmp out "$1.txt" || fail "$1.json is shown in another way than it was printed: hence show ${*:2}"
}

save 0 text explain "${right[@]}" --pass 8 -- ./scale 12
same text
shown text
shown text --format text --color=never

# All formats, one for each kind of report; -o with an ending chooses the same.
save 0 html explain --format html --args -- ./scale 77
same html
shown html --format html
"$HENCE" show -o page.html html.json || fail "hence show -o page.html"
cmp page.html html.txt || fail "-o page.html is no HTML"
save 0 sarif explain --format sarif --no-reduce --pass-prog good/scale -- ./scale 12
same sarif
shown sarif --format sarif
save 0 dot transitions --format dot --all-points "${right[@]}" --pass 8 -- ./scale 12
same dot
shown dot --format dot
save 0 gcc compare --format gcc "${right[@]}" --pass 8 -- ./scale 12
same gcc
shown gcc --format gcc
save 0 tree tree "${right[@]}" -- ./scale 12
same tree
shown tree
save 0 graph tree --format dot --full "${right[@]}" -- ./scale 12
shown graph --format dot

# A memory error, with places of all kinds.
build past -g <<<'#include <stdlib.h>
int main(void)
{
	char *p = malloc(8);
	int i = 9;
	free(p);
	return p[i] * 0;
}'
save 0 past explain -- ./past
grep -q '"memory_error":{.*"allocated":.*"freed":.*"index":' past.json || fail "past.json has no memory error"
same past
shown past
shown past --format text
for format in gcc html; do
	hence_exits 0 show --format $format past.json
	grep -q 'memory error.*past.c:7 reads p\[9\] in a heap block of 8 bytes, which is freed' out || fail "no memory error as $format"
done

# Source in another encoding, and a name with such bytes: what is printed is what is kept.
mkdir latin
sed "s#factor = 3;#factor = 3; /* $(printf 'caf\351') */#" "$SRC/tests/cli/explain/scale.c" >"latin/$(printf 'sc\344le').c"
(cd latin && "$HENCE_CC" -g ./*.c -o scale) || fail "cannot build latin/scale"
save 0 latin explain "${right[@]}" --pass 8 -- latin/scale 12
same latin
shown latin
grep -q $'caf\xef\xbf\xbd' latin.txt || fail "no line of latin.c"

# From standard input, and after another tool has laid it out anew.
"$HENCE" show - <text.json | cmp - text.txt || fail "standard input"
if [[ -x /usr/bin/python3 ]]; then
	/usr/bin/python3 -I -m json.tool text.json pretty.json || fail "text.json is no JSON"
	"$HENCE" show pretty.json | cmp - text.txt || fail "the same, laid out anew"
fi
