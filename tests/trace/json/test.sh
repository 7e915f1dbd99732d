#!/bin/bash
# Each line of --json is an object with all that a line of text has.
source "$SRC/tests/trace/lib.sh"
build prog <<'END'
#include <stdio.h>
struct s { char text[8]; int n; };
static int twice(int n) { return 2 * n; }
int main(int argc, char **argv)
{
	struct s s = {"a\"\\\x01\xff", 3};
	int a[2];
	for (int i = 0; i <= 2; i++)
		a[i] = twice(i);
	switch (s.n) { case 3: s.text[0] = 'x'; }
	printf("%s", s.text);
	return 0;
}
END

string='"([^"\\[:cntrl:]]|\\["\\/bfnrt]|\\u[0-9a-f]{4})*"'
number='[0-9]+'
value="\\{\"name\":$string,\"value\":$string(,\"address\":\"0x[0-9a-f]+\",\"size\":$number)?\\}"
list="\\[($value(,$value)*)?\\]"
statement="\\{\"statement\":$number,\"file\":$string,\"line\":$number,\"column\":$number,\"function\":$string,\"depth\":$number"
statement+=",\"kind\":\"(store|copy|fill|branch|switch|jump|call|return|other)\",\"text\":$string"
statement+="(,\"callee\":$string,\"arguments\":$string)?(,\"returned\":false)?(,\"result\":$string)?"
statement+=",\"reads\":$list,\"writes\":$list\\}"
error="\\{\"error\":\"[a-z-]+\",\"statement\":$number,\"file\":$string,\"line\":$number,\"column\":$number,\"function\":$string"
error+=",\"text\":$string(,\"address\":\"0x[0-9a-f]+\",\"size\":$number)?,\"count\":$number\\}"

trace 0 --json -o trace -- ./prog
LC_ALL=C.UTF-8 grep -vxE "$statement|$error" trace && fail "lines that are not as documented"
LC_ALL=C.UTF-8 like trace "$error"
if command -v jq >/dev/null; then
	jq -e . trace >/dev/null || fail "not JSON"
fi

# The same statements as in the text.
trace 0 -o text -- ./prog
[[ $(sed -nE 's/^\{"statement":([0-9]+).*/\1/p' trace) == $(awk '{ print $1 }' text) ]] ||
	fail "text and JSON differ"
like trace '.*"kind":"call","text":"call twice\(n = 1\)","callee":"twice","arguments":"n = 1","reads":\[\{"name":"i".*'
like trace '.*"function":"twice","depth":2,"kind":"return","text":"return 2","result":"2","reads":\[\{"name":"n".*'
like trace '.*"kind":"branch","text":"i <= 2 is false","result":"false".*'
like trace '\{"error":"out-of-bounds",.*"function":"main","text":"writes a\[2\], 4 bytes past the end of main\.a.*'
