#!/bin/bash
# The same slice as text, for editors, as JSON and as a graph; colour; sources that are gone or newer.
source "$SRC/tests/slice/cli_lib.sh"
mkdir src
cat >src/prog.c <<'END'
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
	char text[8] = "a\"\\\x01\xff";
	int sum = 0, unused = 3;
	for (int i = 0; i < 100; i++)
		sum += i;
	strcat(text, argv[1]);
	unused++;
	sum += text[0] == 'a'
		? (int)strlen(argv[1])
		: unused;
	printf("%s %d\n", text, sum);
	return sum != 1;
}
END
"$HENCE_CC" -o prog src/prog.c || fail "cannot build"
prog=(-- ./prog b)

# --- text ---
slice 0 "${prog[@]}"
cat >expected <<'END'
backward slice of exit status 1 at src/prog.c:15 in main(): 7 of 10 executed lines (of 10)
main() returned it

src/prog.c
  main()
    5 char text[8] = "a\"\\\x01\xff";  text = "a\"\\\001\377"
    6 int sum = 0, unused = 3;         sum = 0
    7 for (int i = 0; i < 100; i++)    i = 0; i < 100 is true x100; i = 1 ... i = 99 x99
    8     sum += i;                    sum = 0 ... sum = 4950 x100
  ...
   11 sum += text[0] == 'a'            text[0] == 'a' is true; sum = 4951
   12     ? (int)strlen(argv[1])       strlen("b") = 1
  ...
>  15 return sum != 1;                 return 1
END
diff -u expected out || fail "the text is not as expected"

# A line that is only a part of a statement: a side of ?: without a statement of its own.
build sides <<'END2'
int main(int argc, char **argv)
{
	int a = argc, b = 2;
	int c = argc > 5
		? a
		: b;
	return c;
}
END2
slice_is 'sides.c:3,4,6,7' -- ./sides
slice 0 --format gcc -- ./sides
has out 'sides.c:6:1: note: part of a statement [in main]'

# --- gcc: what editors look for, one place per line ---
slice 0 --format gcc "${prog[@]}"
grep -vE '^src/prog\.c:[0-9]+:[0-9]+: note: .+ \[in main, [0-9]+ of [0-9]+\]( \(criterion\))?$' out && fail "not in the format of gcc"
has out 'src/prog.c:8:7: note: sum = 0 [in main, 1 of 100]'
has out 'src/prog.c:8:7: note: sum = 4950 [in main, 100 of 100]'
like out 'src/prog\.c:15:2: note: return 1 \[in main, 1 of 1\] \(criterion\)'
[[ $(grep -c '^src/prog.c:8:' out) == 2 ]] || fail "first and last only"

# --- JSON ---
string='"([^"\\[:cntrl:]]|\\["\\/bfnrt]|\\u[0-9a-f]{4})*"'
number='[0-9]+'
instance="\\{\"number\":$number,\"of\":$number,\"statement\":$number,\"column\":$number,\"text\":$string(,\"criterion\":true)?\\}"
line="\\{\"file\":$string,\"line\":$number,\"function\":$string,\"count\":$number(,\"criterion\":true)?(,\"potential\":true)?"
line+="(,\"outside\":true)?,\"instances\":\\[($instance(,$instance)*)?\\]\\}"
whole="\\{\"hence\":1,\"slice\":\"(backward|forward)\",\"criterion\":\\{\"kind\":\"[a-z]+\",\"what\":$string(,\"why\":$string)?"
whole+="(,\"file\":$string,\"line\":$number,\"column\":$number)?(,\"function\":$string)?\\}"
whole+=",\"sizes\":\\{\"program\":$number,\"executed\":$number,\"slice\":$number,\"instances\":$number,\"executed_instances\":$number"
whole+=",\"statements\":$number\\},\"lines\":\\[($line(,$line)*)?\\],\"notes\":\\[($string(,$string)*)?\\],\"complete\":true\\}"
is_json() {
	[[ $(wc -l <out) == 1 ]] || fail "JSON of several lines"
	LC_ALL=C.UTF-8 grep -qxE "$whole" out || fail "the JSON is not as documented"
	! command -v jq >/dev/null || jq -e . out >/dev/null || fail "not JSON"
}
slice 0 --json "${prog[@]}"
is_json
like out '.*"sizes":\{"program":10,"executed":10,"slice":7,.*'
like out '.*\{"file":"src/prog\.c","line":8,"function":"main","count":100,"instances":\[\{"number":1,"of":100,.*,"text":"sum = 0"\},.*'
# Of many executions the first and the last three.
[[ $(grep -oE '"text":"sum = [0-9]+"' out | tr -dc '0-9\n' | tr '\n' ' ') == '0 0 1 3 4753 4851 4950 4951 ' ]] || fail "first and last"
slice 0 --format json --at src/prog.c:9:text "${prog[@]}"
is_json
grep -qF '"what":"text = \"a\\\"\\\\\\001\\377b\""' out || fail "the text is not escaped as JSON has it"
slice 0 --json --at prog.c:14:argv "${prog[@]}"
is_json
slice 0 --json --forward --argument 1 "${prog[@]}"
is_json

# --- DOT ---
is_dot() {
	local label='"([^"\\]|\\["\\l])*"'
	[[ $(head -1 out) == 'digraph slice {' && $(tail -1 out) == '}' ]] || fail "not a digraph"
	sed '1d;$d' out | LC_ALL=C.UTF-8 grep -vxE $'\t'"(label=$label;|labelloc=t;|node \\[shape=box, fontname=monospace\\];|n[0-9]+ \\[label=$label(, penwidth=2, color=red)?(, style=dotted)?\\];|n[0-9]+ -> n[0-9]+ \\[style=(solid|dashed|dotted)\\];)" &&
		fail "not in the language of dot"
	# Each end of an edge is a node.
	comm -13 <(grep -oE '^.n[0-9]+ \[' out | tr -dc 'n0-9\n' | sort -u) <(grep -E -- '->' out | grep -oE 'n[0-9]+' | sort -u) |
		grep . && fail "edges without nodes"
	! command -v dot >/dev/null || dot -Tsvg -o /dev/null out || fail "dot refuses it"
}
node() { # TEXT: the name of the node that shows this
	grep -F "$1" out | grep -oE '^.n[0-9]+' | tr -dc 'n0-9'
}
slice 0 --format dot "${prog[@]}"
is_dot
grep -qF "$(node 'sum = 4951') -> $(node 'return 1') [style=solid];" out || fail "no data edge to the return"
grep -qF "$(node "text[0] == 'a' is true") -> $(node 'strlen(\"b\") = 1') [style=dashed];" out || fail "no control edge"
grep -qE "^.$(node 'return 1') .*color=red" out || fail "the criterion is not marked"
full=$(grep -c label= out)
slice 0 --format dot --depth 1 "${prog[@]}"
is_dot
(($(grep -c label= out) == 3 && full > 6)) || fail "--depth 1: the return and what it reads"
slice 0 --format dot --forward --argument 1 "${prog[@]}"
is_dot
grep -qF "$(node 'strlen(\"b\") = 1') -> $(node 'sum = 4951') [style=solid];" out || fail "no edge forward"

# --- colour and files ---
slice 0 --color=always "${prog[@]}"
grep -q $'\x1b\\[' out || fail "--color=always"
slice 0 --color=never "${prog[@]}"
grep -q $'\x1b' out && fail "--color=never"
slice 0 "${prog[@]}"
grep -q $'\x1b' out && fail "colour without a terminal"
slice 0 -o file "${prog[@]}"
diff expected file || fail "-o"
LC_ALL=C grep -qa '^a"' out || fail "with -o the program's output stays where it is"

# --- sources ---
touch -d '+1 hour' src/prog.c
slice 0 "${prog[@]}"
has out 'note: src/prog.c is newer than prog, so its lines are shown without text; build again'
like out '    8 +sum = 0 \.\.\. sum = 4950 x100'
rm src/prog.c
slice 0 "${prog[@]}"
has out 'note: src/prog.c cannot be read, so its lines are shown without text'
like out '>  15 +return 1'
