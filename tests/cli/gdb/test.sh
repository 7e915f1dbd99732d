#!/bin/bash
# hence gdb: stops at the moment of a step, where the variables have the values that the report says.
source "$SRC/tests/run/lib.sh"
command -v gdb >/dev/null || skip "there is no gdb"
export HOME=$PWD # no .gdbinit

compared=0

# The values that gdb shows at these steps are those of the report.
same() { # RUN STEP...
	local run=$1 step count options=()
	[[ $run == failing ]] || options=(--reference)
	for step in "${@:2}"; do
		hence_exits 0 gdb --batch "${options[@]}" report "$step"
		count=$(/usr/bin/python3 "$CASE/values.py" report "$step" "$run" <out) || fail "step $step of the $run run"
		compared=$((compared + count))
	done
	[[ ! $(ls -A "$TMPDIR") ]] || fail "left in TMPDIR: $(ls "$TMPDIR")"
}

refused() { # MESSAGE-REGEX ARGS...
	hence_exits 2 gdb "${@:2}"
	[[ $(wc -l <err) == 1 ]] || fail "not one line"
	like err "hence: $1"
}

# --- a loop and a call: values in both runs ---
build prog -g <"$SRC/tests/explain/shellsort/sample.c"
hence_exits 0 explain --no-edits --save report --expect-text '11 14 ' --pass '9 8 7' -- ./prog 11 14
same failing 1 2 4
same reference 3
[[ $compared -ge 4 ]] || fail "only $compared values were compared"
# Where the failure shows.
hence_exits 0 gdb --batch report 6
like out '.*, main \(.*\) at prog\.c:38'

# --- locals of callers, characters, an enumerator, standard input ---
build scan -g <<'END'
#include <stdio.h>
enum state { CODE, COMMENT };
static int step(enum state *state, char c)
{
	if (c == '#')
		*state = COMMENT;
	return *state == COMMENT;
}
int main(void)
{
	enum state state = CODE;
	char line[20] = "";
	int c, length = 0;
	while ((c = getchar()) != '\n' && c != EOF)
		if (!step(&state, (char)c))
			line[length++] = (char)c;
	printf("%s %d\n", line, length);
	return 0;
}
END
printf 'a\n#\n' | tr -d '\n' >bad
printf 'ab' >good
hence_exits 0 explain --no-edits --save report --stdin bad --pass-stdin good --expect-text 'a# 2' -- ./scan
rm bad good
# A step with a local of a caller, and one whose value is the result of a call.
read -r caller call < <(/usr/bin/python3 -c "
import json
steps = json.load(open('report'))['steps']
def first(text):
    return next(n for n, s in enumerate(steps, 1) if any(text in v.get('variable', '') for v in [s] + s.get('with', [])))
print(first('main.c'), first('step()'))")
compared=0
same failing "$caller" "$call"
like out 'step\(\) != 0 is true in the report; gdb has no name for it'
[[ $compared -ge 2 ]] || fail "only $compared values were compared"

# --- files and variables of the input are those of the report, and the user's are not touched ---
build words -g <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	FILE *file = fopen(argv[1], "r");
	char line[100] = "", *mode = getenv("MODE");
	int bad = 0;
	fgets(line, sizeof(line), file);
	if (strchr(line, '!') && mode && *mode == 'x')
		bad = 1;
	fclose(file);
	return bad ? 3 : 0;
}
END
printf 'a!b' >text
MODE=x hence_exits 0 explain --no-edits --save report --no-reduce --file text --env MODE -- ./words text
echo changed >text
last=$(/usr/bin/python3 -c "import json; print(len(json.load(open('report'))['steps']))")
MODE=other hence_exits 0 gdb report "$last" -- -batch -ex 'print line' -ex 'print mode' -ex 'print bad'
like out '\$1 = "a!b"'
like out '\$2 = 0x[0-9a-f]* "x"'
like out '\$3 = 1'
[[ $(<text) == changed ]] || fail "the file was written"

# --- errors ---
refused 'there is no step 100: the report has [0-9]+' report 100
refused '0 is no step; steps are counted from 1' report 0
refused 'no step given; .*' report
refused 'what is more\? Put what is for gdb after --' report 1 more
PATH=/nonexistent "$HENCE" gdb report 1 2>err && fail "without gdb"
like err 'hence: there is no gdb in PATH; .*'
/usr/bin/python3 -c "
import json
r = json.load(open('report'))
for key in ('time', 'instance'):
    r['steps'][-1].pop(key, None)
json.dump(r, open('edited', 'w'))"
refused "step $last: it has no place in the run where gdb could stop" edited "$last"
# What stands in a report is looked at, and not done.
/usr/bin/python3 -c "
import json
r = json.load(open('report'))
r['steps'][0]['variable'] = '((int (*)(char *))system)(argv[1])'
r['steps'][0].pop('with', None)
json.dump(r, open('edited', 'w'))
r['steps'][0]['variable'] = 'bad = 7'
json.dump(r, open('assigns', 'w'))
r['recipe']['unconfined'] = True
json.dump(r, open('free', 'w'))"
hence_exits 0 gdb --batch edited 1
like out '.* in the report; gdb has no name for it'
hence_exits 0 gdb --batch assigns 1
like out 'bad = 7 is .* in the report; gdb has no name for it'

refused 'the report was made with --unconfined; .*' free 1
sed -i 's/return bad ? 3 : 0/return 0/' words.c
"$HENCE_CC" -g words.c -o words
refused '\./words was rebuilt since the report was made; .*' report 1

# --- the reference is the program with its data edited ---
mkdir codes && cp "$SRC/tests/fix/data/codes"/* codes/ || fail "no program"
(cd codes && "$HENCE_CC" -g -w ./*.c -o prog) || fail "cannot build codes"
eval "words=($(<codes/command))"
(cd codes && "$HENCE" explain --save ../report "${words[@]}" >/dev/null) || fail "cannot explain codes"
grep -q '"edit":' report || fail "not compared with an edit"
compared=0
same failing 1
same reference 1
[[ $compared == 2 ]] || fail "$compared values were compared"

# --- or its code: gdb knows places and variables of what was compiled anew, and the change is in force ---
# The bound of 6 is 5 and should be 6. The change is on line 8; what it makes of `size` is seen in the caller, too.
build edited -g <<'END'
#include <stdio.h>
#include <stdlib.h>
int calls;
static int classify(int n, int *size)
{
	int bound = 3;
	if (n > 3)
		bound = n - 1;
	calls++;
	*size = bound;
	return n <= bound;
}
int main(int argc, char **argv)
{
	int size = 0;
	int inside = classify(atoi(argv[1]), &size);
	printf("%d %s\n", size, inside ? "inside" : "outside");
	return 0;
}
END
hence_exits 0 explain --save report --pass 2 --pass 3 --expect-text '6 inside' -- ./edited 6
/usr/bin/python3 - report >steps <<'END' || fail "not compared with an edit of line 8"
import json, sys
r = json.load(open(sys.argv[1]))
assert r["reference"]["kind"] == "edit" and r["reference"]["edit"]["line"] == 8, r["reference"]
print(*[n for n, s in enumerate(r["steps"], 1) if s.get("variable") in ("bound", "size", "*size", "main.size") and "reference_time" in s])
END
[[ -s steps ]] || fail "no step with a variable"
compared=0
same reference $(<steps)
[[ $compared -ge 1 ]] || fail "no values were compared"
/usr/bin/python3 -c "
import json
r = json.load(open('report'))
print(next(n for n, s in enumerate(r['steps'], 1) if s.get('function') == 'classify'))" >first || fail "no step in classify()"
hence_exits 0 gdb --batch --reference report "$(<first)" -- -ex 'info frame' -ex backtrace -ex finish -ex 'print size' -ex 'print calls'
like out '#1 .* main \(argc=2, .*\) at edited\.c:16'
like out '\$[0-9]+ = 6'
like out '\$[0-9]+ = 1'
# An edit that the program does not have.
/usr/bin/python3 -c "
import json
r = json.load(open('report'))
r['recipe']['edit'] = 'classify:1:near:5'
json.dump(r, open('other', 'w'))"
refused 'the run of the report cannot be had again' --batch --reference other "$(<first)"
[[ ! $(ls -A "$TMPDIR") ]] || fail "left in TMPDIR: $(ls "$TMPDIR")"
exit 0
