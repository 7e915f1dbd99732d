#!/bin/bash
# hence verify: the experiments of a saved report hold when they are made again, and what was changed in the report, the program or around
# it is noticed.
source "$SRC/tests/run/lib.sh"

explain() { # CODE ARGS...
	hence_exits "$1" explain --no-edits --save report "${@:2}"
}

# All experiments hold; there are at least so many.
holds() { # LEAST
	hence_exits 0 verify report
	[[ $(tail -n 1 out) =~ ^([0-9]+)\ of\ ([0-9]+)\ experiments\ hold$ ]] || fail "no summary"
	[[ ${BASH_REMATCH[1]} == "${BASH_REMATCH[2]}" && ${BASH_REMATCH[1]} -ge $1 ]] || fail "fewer than $1 hold"
	[[ $(grep -c ' -- holds$' out) == "${BASH_REMATCH[1]}" ]] || fail "lines and summary differ"
	[[ ! -s err ]] || fail "messages"
	[[ ! $(ls -A "$TMPDIR") ]] || fail "left in TMPDIR: $(ls "$TMPDIR")"
}

# refused CODE MESSAGE-REGEX ARGS...: one line on stderr.
refused() {
	hence_exits "$1" verify "${@:3}"
	[[ $(wc -l <err) == 1 ]] || fail "not one line"
	like err "hence: $2"
	[[ ! -s out ]] || fail "something was printed"
}

edit() { # PYTHON: changes the report, `r`
	/usr/bin/python3 -c "
import json
r = json.load(open('report'))
$1
json.dump(r, open('edited', 'w'))" || fail "cannot edit"
}

# --- a comparison with another input, guarded and local experiments, the tree ---
build prog -g <"$SRC/tests/explain/shellsort/sample.c"
explain 0 --expect-text '11 14 ' --pass '9 8 7' -- ./prog 11 14
find . -type f ! -name out ! -name err ! -name before -printf '%p %s %T@\n' | sort >before
holds 60
find . -type f ! -name out ! -name err ! -name before -printf '%p %s %T@\n' | sort | diff before - || fail "files were changed"
grep -q 'judged by the next step' out && grep -q guarded out && grep -q 'of the tree' out || fail "not all kinds of experiments"
like out 'step 3 \[[0-9]+\]: a\[2\] = 7 \(not 0\) in the failing run at prog\.c:[0-9]+:[0-9]+: pass -- holds'
hence_exits 0 verify --step 3 -j 1 report
[[ $(grep -cv '^step 3 ' out) == 1 ]] || fail "other steps"
hence_exits 0 verify report --json --step 1
/usr/bin/python3 -c "
import json
a = json.load(open('out'))
assert a['hence_verify'] == 1 and a['held'] == a['total'] == len(a['experiments']) > 2
assert all(e['result'] == 'holds' and e['now'] == e['reported'] and e['step'] == 1 for e in a['experiments'])" || fail "the JSON"
# From elsewhere.
cp report "$TMPDIR/moved"
(cd / && "$HENCE" verify --step 1 "$TMPDIR/moved" >/dev/null) || fail "not from another directory"
rm "$TMPDIR/moved"

# --- what was edited does not hold ---
edit "
p = next(p for s in r['steps'] for p in s['proof'] if p['changed'] == 'a[2]' and p['in'] == 'failing')
p['to'] = '8'"
hence_exits 3 verify edited
like out 'step 3 \[[0-9]+\]: a\[2\] = 8 .* -- does not hold: a\[2\] would become 7, not 8'
[[ $(grep -vc 'holds$' out) == 2 ]] || fail "more than one does not hold"
edit "
p = next(p for p in r['steps'][2]['proof'] if p['outcome'] == 'pass' and 'judged' not in p)
p['outcome'] = 'fail'"
hence_exits 3 verify --step 3 edited
like out 'step 3 \[[0-9]+\]: .*: fail -- does not hold: now it is pass'
edit "
p = r['steps'][3]['proof'][0]
p['instance'] += 1"
hence_exits 3 verify --step 4 edited
like out 'step 4 \[[0-9]+\]: v = 0 .*, time 3, .* -- (cannot be tried|does not hold): .*'
edit "
p = r['steps'][3]['proof'][0]
p['instance'] = 1000"
hence_exits 3 verify --step 4 edited
like out 'step 4 \[[0-9]+\]: .* -- cannot be tried: the reference run does not come to prog\.c:[0-9]+:[0-9]+ for the 1000\. time'
edit "
p = next(p for n in r['tree']['nodes'] for p in n['proof'] if p['kind'] == 'value' and p['outcome'] == 'pass')
p['bits'] = '0x7b'"
hence_exits 3 verify edited
like out 'cause 1 of the tree: .* -- does not hold: i would become 123, not 3'
edit "
p = next(p for n in r['tree']['nodes'] for p in n['proof'] if p['kind'] == 'branch' and p['outcome'] == 'pass')
p['outcome'] = 'unresolved'"
hence_exits 3 verify edited
like out 'cause [0-9]+ of the tree: .*: unresolved -- does not hold: now it is pass'
# Whatever stands in a report does nothing to a terminal.
edit "r['steps'][2]['proof'][0]['changed'] = '\\x1b[31m\\nx'"
hence_exits 3 verify --step 3 edited
! grep -q $'\x1b' out || fail "an escape came through"

# --- damaged ---
edit "del r['recipe']"
refused 2 'edited does not say how it was made, .*' edited
edit "del r['recipe']['program']['build']"
refused 2 'edited is damaged: recipe\.program\.build is missing; .*' edited
edit "r['recipe']['given'][0]['bytes'] = {'base64': '!'}"
refused 2 'edited is damaged: recipe\.given\[0\]\.bytes is neither a text nor bytes in base64; .*' edited
edit "r['recipe']['secret'] = 1"
refused 2 'edited is damaged: recipe has unknown members; .*' edited
edit "r['recipe']['unconfined'] = True"
refused 2 'the report was made with --unconfined; give that here, too, if you trust it: .*' edited
hence_exits 0 verify --unconfined --step 1 edited
edit "r['recipe']['folder'] = '/nonexistent/folder'"
refused 2 'the report was made in the directory /nonexistent/folder, which cannot be entered: .*' edited
refused 2 '--step 100: the report has [0-9]+ steps' --step 100 report
refused 2 'cannot read missing: .*' missing
refused 2 'no report given; .*'
refused 2 'hence verify has no option --jsn; did you mean --json\?' --jsn report

# --- rebuilt, repaired, gone ---
sed -i 's/shell_sort(a, argc);/shell_sort(a, argc - 1);/' prog.c
"$HENCE_CC" -g prog.c -o prog
refused 2 "\./prog was rebuilt since the report was made; rebuild it as it was, or run 'hence explain' again .*" report
"$HENCE" verify --anyway report >out 2>err
[[ $? == 3 && $(tail -n 1 out) == '0 of '*' experiments hold' ]] || fail "a repaired program"
rm prog
refused 2 'cannot run .*/prog: no such file' report

# --- places that several statements have, results of functions, linked structures ---
for name in hash degrees dlist; do
	mkdir "$name" && cd "$name" || fail "no directory"
	cp "$SRC/tests/explain/$name"/* .
	"$HENCE_CC" -g -w ./*.c -o prog -lm || fail "cannot build $name"
	eval "words=($(<command))"
	"$HENCE" explain --no-edits --save ../report "${words[@]}" >/dev/null || fail "cannot explain $name"
	cd .. || exit 1
	holds 50
done

# --- standard input that is no text, a switched branch, another build, sources, a variable, a file, a test ---
build odd -g <<'END'
#include <stdio.h>
int main(void)
{
	int c, sum = 0, limit = 300;
	while ((c = getchar()) != EOF)
		sum += c;
	if (sum >= limit)
		sum -= 100;
	printf("sum %d\n", sum);
	return 0;
}
END
printf '\377\0-' >bytes
explain 0 --expect-text 'sum 300' --stdin bytes --no-reduce -- ./odd
rm bytes
[[ $(grep -o '"base64":"/wAt"' report | wc -l) -ge 1 ]] || fail "the bytes are not in the report"
grep -q '"patch":' report || fail "not compared with a switched branch"
grep -q '"judged":"run"' report || fail "no experiment that is judged as a whole"
holds 10

sed 's/>= limit/> limit/' odd.c >right.c
"$HENCE_CC" -g right.c -o right
printf '\377\0-' >bytes
explain 0 --pass-prog ./right --stdin bytes -- ./odd
holds 2
"$HENCE_CC" -g odd.c -o right
refused 2 '\./right was rebuilt since .*' report
explain 0 --expect-text 'sum 300' --stdin bytes odd.c
rm odd
holds 10
sed -i 's/-= 100/-= 99/' odd.c
refused 2 'odd was rebuilt since .*' report

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
echo 'one two! three' >text
MODE=xyz explain 0 --file text --env MODE -- ./words text
echo changed >text
MODE=other holds 4
[[ $(<text) == changed ]] || fail "the file was written"
echo 'one two! three' >text
MODE=xyz explain 0 --file text --env MODE --test '! ./words text || exit 0; exit 1' -- ./words text
holds 1

# --- the language is as it was then; no other variable is kept, and none is set ---
build sorts -g <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	const char *locale = getenv("LC_ALL");
	int plain = locale && !strcmp(locale, "C");
	int n = atoi(argv[1]);
	if (plain && n > 5)
		n--;
	printf("%d\n", n);
	return 0;
}
END
SECRET=tell-nobody LC_ALL=C explain 0 --expect-text 7 --pass 5 -- ./sorts 7
! grep -q 'tell-nobody' report || fail "a secret is in the report"
LC_ALL=C.UTF-8 holds 4
(unset LC_ALL && holds 4) || exit 1
edit "r['recipe']['locale'].append('LD_PRELOAD=./evil.so')"
refused 2 '.*recipe.locale.* has a variable of another kind.*' edited

# --- changes of the code, and comparisons with the program that has one ---
reference_is() { # KIND
	/usr/bin/python3 -c "
import json
r = json.load(open('report'))
assert r['reference']['kind'] == '$1' and r['fixes'], (r['reference'], len(r['fixes']))" || fail "$1 is not the reference, or there are no changes"
}

# variable/clamp has two static functions of the same name; data/message changes a string literal, which cannot be compared with.
for name in operator/brackets constant/clock data/codes variable/clamp condition/unique member/account statement/latest value/halves width/total data/message; do
	mkdir -p "$name" && cd "$name" || fail "no directory"
	cp "$SRC/tests/fix/$name"/* .
	"$HENCE_CC" -g -w ./*.c -o prog -lm || fail "cannot build $name"
	eval "words=($(<command))"
	"$HENCE" explain --save ../../report "${words[@]}" >/dev/null || fail "cannot explain $name"
	cd ../.. || exit 1
	[[ $name == data/message ]] && reference_is input || reference_is edit
	holds 5
	grep -q '^change 1 \[' out || fail "the changes are not tried"
done

build find -g <<'END'
#include <stdio.h>
#include <stdlib.h>
struct item {
	int key;
	struct item *next;
};
static struct item *find(struct item *list, int key)
{
	while (list->next && list->key != key)
		list = list->next;
	return list->key == key ? list : NULL;
}
int main(int argc, char **argv)
{
	struct item *list = NULL, *found;
	for (int i = 1; i < argc - 1; i++) {
		struct item *item = malloc(sizeof(*item));
		item->key = atoi(argv[i]);
		item->next = list;
		list = item;
	}
	found = find(list, atoi(argv[argc - 1]));
	printf("%d\n", found->key);
	return 0;
}
END
hence_exits 0 explain --save report --pass '1 2 3 3' -- ./find 1 2 3 7
reference_is edit
holds 30
# A reference that the program does not have: what compares cannot be tried, the rest holds.
edit "r['recipe']['edit'] = 'main:1:relational:none'"
hence_exits 3 verify edited
like out 'step [0-9]+ .* -- cannot be tried: the program has no edit .main:1:relational:none.'
like out 'change 1 .* -- holds'

# Reports of hence fix have nothing else.
hence_exits 0 fix --save report -- ./find 1 2 3 7
holds 50
like out 'change 1 \[[0-9]+\]: find\.c:[0-9]+:[0-9]+: with .* instead of .*: pass -- holds'
like out '[0-9]+ more changes of the code were not tried'
refused 2 '--step 1: the report has 0 steps' --step 1 report
hence_exits 0 verify --json report
/usr/bin/python3 -c "
import json
a, r = json.load(open('out')), json.load(open('report'))
assert a['held'] == a['total'] == 50 and a['left_out'] == len(r['fixes']) - 50, a
for e, f in zip(a['experiments'], r['fixes']):
	assert e['kind'] == 'edit' and e['changed'] == f['edit'] and e['result'] == 'holds' and e['now'] == 'pass', e
	assert (e['from'], e['to'], e['line']) == (f['before'], f['after'], f['line']), e
assert [e['change'] for e in a['experiments']] == list(range(1, 51))" || fail "the JSON"
edit "
r['fixes'] = r['fixes'][:6]
r['fixes'][0]['edit'] = 'find:7:relational:nonsense'
r['fixes'][1]['edit'] = '%s@:' * 1000
r['fixes'][2]['line'] += 1
r['fixes'][3]['edit'] = ''
del r['fixes'][4]['edit']"
hence_exits 3 verify edited
[[ $(grep -c 'does not hold: the program has no such edit$' out) == 4 ]] || fail "not four that the program does not have"
like out 'change 5 .* -- does not hold: the report does not name the edit'
like out 'change 6 .* -- holds'
has out '1 of 6 experiments hold'
# The input that is explained, or that which was given: only with that it passes.
edit "
r['fixes'] = r['fixes'][:1]
r['recipe']['failing'] = [{**r['recipe']['given'][0], 'bytes': '9'}]"
hence_exits 3 verify edited
edit "
r['fixes'] = r['fixes'][:1]
r['recipe']['failing'] = [{**r['recipe']['given'][0], 'bytes': '9'}]
r['recipe']['fixes_of_given'] = True"
hence_exits 0 verify edited
has out '1 of 1 experiments hold'
hence_exits 3 verify --time 0.0001 report
like out 'change 1 .* -- cannot be tried: the time was over'

# Repaired, or judged otherwise, it does not hold.
LC_ALL=C hence_exits 0 fix --save report --expect-text 6 --pass 4 -- ./sorts 6
edit "r['recipe']['expected'] = '99'"
hence_exits 3 verify edited
like out 'change 1 .*: pass -- does not hold: now it is fail'
sed -i 's/n > 5/n > 50/' sorts.c
"$HENCE_CC" -g sorts.c -o sorts
"$HENCE" verify --anyway report >out 2>err
[[ $? == 3 && $(tail -n 1 out) == '0 of '*' experiments hold' ]] || fail "a repaired program holds"
exit 0
