#!/bin/bash
# A report from elsewhere: whatever stands in it, nothing is executed, opened or written but what the table of docs/verify.md allows.
source "$SRC/tests/run/lib.sh"
command -v gdb >/dev/null || fail "there is no gdb"
export HOME=$PWD/home
mkdir home away work
away=$PWD/away
cd work || exit 1

edit() { # PYTHON: makes `edited` of the report, `r`; `away` is a directory in which nothing may come into being
	/usr/bin/python3 -c "
import json
r = json.load(open('report'))
recipe = r['recipe']
away = '$away'
$1
json.dump(r, open('edited', 'w'))" || fail "cannot edit"
}

shopt -s nullglob dotglob

here() { # the names of all files here
	local names=(*)
	echo "${names[*]}"
}

untouched() {
	local made=("$away"/* "$HOME"/* "$TMPDIR"/*)
	[[ ${#made[@]} == 0 ]] || fail "made: ${made[*]}"
	[[ $(here) == "$files" ]] || fail "files are others now: $(here)"
}

# denied MESSAGE-REGEX COMMAND...: exit code 2, one line on stderr, and nothing happens.
denied() {
	hence_exits 2 "${@:2}"
	[[ $(<err) =~ ^hence:\ $1$ && $(<err) != *$'\n'* ]] || fail "${*:2}: not the one line: $1"
	[[ ! -s out ]] || fail "${*:2}: something was printed"
	untouched
}

# refused MESSAGE-REGEX PYTHON: by both commands, also with --anyway.
refused() {
	edit "$2"
	denied "$1" verify edited
	denied "$1" verify --anyway edited
	denied "$1" gdb --batch --anyway edited 1
}

# sources WORD...: these words of recipe.sources are refused; all at once, by no_sources.
sources() {
	local IFS=$'\t'
	echo "$*" >>../sources
}
no_sources() {
	local i count
	count=$(/usr/bin/python3 -c "
import json
r = json.load(open('report'))
lines = open('../sources').read().split('\n')[:-1]
for i, line in enumerate(lines):
    r['recipe']['sources'] = line.split('\t')
    json.dump(r, open('../sources%d' % i, 'w'))
print(len(lines))") || fail "cannot edit"
	for ((i = 0; i < count; i++)); do
		denied 'recipe\.sources of the report: .*, so it is not given to the compiler' verify --anyway "../sources$i"
	done
	denied 'recipe\.sources of the report: .*' verify ../sources0
	denied 'recipe\.sources of the report: .*' gdb --batch --anyway ../sources0 1
}

# --- what the compiler is given ---
cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#ifndef LESS
#define LESS 1
#endif
int main(int argc, char **argv)
{
	int n = atoi(argv[1]);
	if (n > 5)
		n -= LESS;
	printf("%d\n", n);
	return 0;
}
END
mkdir sub
cp prog.c sub/other.c
cp prog.c ../outside.c
cp prog.c ./-x.c
cp prog.c ./.c
ln -s ../outside.c leads-out.c
ln -s .. up
ln -s prog.c leads-in.c
mkfifo pipe.c
echo "-o $away/o" >words
cp prog.c text
touch out err edited report
files=$(here)
hence_exits 0 explain --save report --expect-text 7 prog.c -lm -- 7
hence_exits 0 verify report
untouched
sources prog.c -o "$away/o"
sources prog.c "-o$away/o"
sources prog.c "-Wl,-Map=$away/map"
sources prog.c -Xlinker "-Map=$away/map"
sources prog.c -Xclang -load -Xclang ./evil.so
sources prog.c -fplugin=./evil.so
sources prog.c -fpass-plugin=./evil.so
sources prog.c -B .
sources prog.c -B.
sources prog.c -fuse-ld=./ld
sources prog.c --config=words
sources prog.c -specs=words
sources prog.c -wrapper ./evil
sources prog.c -save-temps
sources prog.c -MD -MF "$away/deps"
sources prog.c "-Wp,-MD,$away/deps"
sources prog.c -ftime-trace
sources prog.c -gsplit-dwarf
sources prog.c -mllvm -x
sources prog.c -x c text
sources prog.c -include /etc/passwd
sources prog.c -I ..
sources prog.c -I/
sources prog.c -I up
sources prog.c -I -o
sources prog.c -isystem-after .
sources prog.c -L.
sources prog.c -l:evil.so
sources prog.c -l -o
sources prog.c -D -o
sources prog.c -D @words
sources prog.c -D
sources prog.c @words
sources prog.c -
sources prog.c --
sources prog.c -c
sources prog.c ''
sources prog.c text
sources prog.c /etc/passwd
sources prog.c ../outside.c
sources prog.c up/outside.c
sources prog.c "$PWD/../outside.c"
sources prog.c leads-out.c
sources prog.c missing.c
sources prog.c pipe.c
sources prog.c /dev/stdin
sources prog.c sub
sources -x.c
sources -DX prog.c
sources .c
sources sub/.c
no_sources
refused 'recipe\.sources of the report: .* has a control character, so .*' "recipe['sources'] = ['prog.c\\n-o']"
refused 'recipe\.sources of the report is too long: .*' "recipe['sources'] = ['prog.c'] * 2000"
refused 'recipe\.sources of the report is too long: .*' "recipe['sources'] = ['prog.c', '-DX=' + 'x' * 100000]"
refused '.* recipe\.sources\[1\] is neither a text nor bytes in base64; .*' "recipe['sources'] = ['prog.c', 1]"
# What is allowed compiles and runs.
for words in "'sub/other.c'" "'leads-in.c'" "'$PWD/prog.c'" "'prog.c', '-DLESS=1', '-I', 'sub', '-Isub', '-U', 'X', '-O2', '-std=gnu11', '-Wall', '-lm', '-l', 'm', '-pthread', '-fwrapv'"; do
	edit "recipe['sources'] = [$words]"
	"$HENCE" verify --anyway --step 1 edited >out 2>err
	[[ $? == [03] && ! -s err ]] || fail "$words is refused"
	untouched
done
# Sources in a directory that neither the user nor the report is in.
refused 'the report has sources in the directory .*/away, which is neither that of the report nor yours, .*' "recipe['folder'] = away"
cp report "$TMPDIR/moved"
(cd / && "$HENCE" verify "$TMPDIR/moved") >out 2>err
[[ $? == 2 ]] || fail "sources elsewhere"
"$HENCE" verify "$TMPDIR/moved" >out 2>err || fail "a report that lies elsewhere, in the directory of its sources"
rm "$TMPDIR/moved"

# --- the compiler is confined, whatever it is told: here by a driver that clang is replaced with ---
# HENCE_CLANG is not of the report; it stands for what an option that was overlooked would do.
mkdir ../bin
cat >../bin/clang <<END
#!/bin/sh
touch "$away/clang" "$HOME/clang" "$PWD/clang" 2>/dev/null
/usr/bin/python3 -c 'import socket; socket.socket(); open("$away/net", "w")' 2>/dev/null
exec "$CLANG" "\$@"
END
chmod +x ../bin/clang
HENCE_CLANG=$PWD/../bin/clang "$HENCE" verify report >out 2>err || fail "not with another clang"
untouched
# One that does not compile is the compiler's to tell about.
echo '#include "missing.h"' >sub/other.c
edit "recipe['sources'] = ['sub/other.c']"
hence_exits 2 verify edited
grep -q "'missing.h' file not found" err || fail "the compiler does not say what is wrong"
untouched
# One that waits for ever is stopped after a minute, and nothing is left.
if [[ ${HENCE_TEST_LONG:-} == 1 ]]; then
	echo '#include "../pipe.c"' >sub/other.c
	hence_exits 2 verify edited
	like err 'hence: the compiler did not end within 60 seconds on sub/other\.c'
	untouched
fi

# --- a test that judges, and changed values in the tree ---
refused 'edited is damaged: recipe\.test is there, but no test can judge a value .*' "
recipe['test'] = '\"\$@\"'
recipe.pop('expected'); recipe.pop('line')"
# A test runs confined.
"$HENCE_CC" -g prog.c -o prog
files=$(here)
hence_exits 0 explain --save report --no-reduce --test 'test "$("$@")" = 7' -- ./prog 7
edit "recipe['test'] = 'touch ' + away + '/test; touch made; ' + recipe['test']"
"$HENCE" verify edited >out 2>err
[[ $? == [03] ]] || fail "a test that writes"
untouched
edit "recipe['test'] = '/nonexistent/test'"
"$HENCE" verify edited >out 2>err
[[ $? == [23] ]] || fail "a test that is not there"

# --- programs, the directory, models, the time zone ---
hence_exits 0 explain --save report --expect-text 7 -- ./prog 7
refused '/bin/ls was not built with hence cc; .*' "recipe['program']['path'] = '/bin/ls'"
refused '/bin/sh, of which the report is said to be, was not built with hence cc' "recipe['program']['path'] = '/bin/sh'; recipe['given'] = [{'kind': 'argument', 'bytes': '-c', 'varied': True}]"
refused 'cannot run .*/pipe\.c: .*' "recipe['program']['path'] = '$PWD/pipe.c'"
refused '.* recipe\.program\.path does not begin with /; .*' "recipe['program']['path'] = 'prog'"
refused '.* recipe\.program\.name has a control character; .*' "recipe['program']['name'] = '\\x1b[31m'"
refused '.* recipe\.folder does not begin with /; .*' "recipe['folder'] = '.'"
refused 'recipe\.models of the report: .*/pipe\.c is no file' "recipe['models'] = ['$PWD/pipe.c']"
refused '.* recipe\.timeout is 1e\+300, not between 0 and 1e\+06; .*' "recipe['timeout'] = 1e300"
refused '.* recipe\.timeout is -1, not between 0 and 1e\+06; .*' "recipe['timeout'] = -1"
refused 'recipe\.models of the report: /dev/zero is no file' "recipe['models'] = ['/dev/zero']"
refused 'recipe\.locale of the report: the time zone .*/pipe\.c is no file' "recipe['locale'] = ['TZ=:$PWD/pipe.c']"
refused '.* recipe\.locale has a variable of another kind; .*' "recipe['locale'] = ['LD_PRELOAD=./evil.so']"

# --- variables: what they bring about is confined, also under gdb ---
printf '#include <fcntl.h>\n__attribute__((constructor)) static void evil(void) { creat("%s/evil", 0600); creat("evil", 0600); }\n' "$away" >../evil.c
"$CLANG" -shared -fPIC ../evil.c -o ../evil.so || fail "cannot build evil.so"
LD_PRELOAD=$PWD/../evil.so /bin/true && [[ -f $away/evil ]] || fail "evil.so does nothing"
rm "$away/evil" evil
edit "recipe['given'].append({'kind': 'variable', 'name': 'LD_PRELOAD', 'bytes': '$PWD/../evil.so', 'varied': True})"
"$HENCE" verify --anyway edited >out 2>err
[[ $? == [0-3] ]] || fail "LD_PRELOAD"
untouched
for step in 1 2; do
	"$HENCE" gdb --batch --anyway edited $step >out 2>err
	[[ $? == [0-3] ]] || fail "LD_PRELOAD, gdb"
	untouched
done
refused '.* recipe\.given\[1\]\.name is a variable of hence.s own; .*' "recipe['given'].append({'kind': 'variable', 'name': 'HENCE_SESSION', 'bytes': '/', 'varied': True})"
# The program itself, under gdb: it writes to its directory, but to a copy, and nowhere else.
cat >writes.c <<END
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	FILE *here = fopen("made", "w"), *there = fopen("$away/made", "w");
	int n = atoi(argv[1]);
	if (there)
		n += 100;
	if (here && n > 5)
		n -= 1;
	printf("%d\n", n);
	return 0;
}
END
"$HENCE_CC" -g writes.c -o writes
files=$(here)
hence_exits 0 explain --save report --expect-text 7 -- ./writes 7
last=$(/usr/bin/python3 -c "import json; print(len(json.load(open('report'))['steps']))")
hence_exits 0 gdb report "$last" -- -batch -ex 'print n' -ex 'print here != 0' -ex 'print there != 0' -ex continue
like out '\$1 = 6'
like out '\$2 = 1'
like out '\$3 = 0'
untouched
# The user may lift it.
hence_exits 0 gdb --unconfined report "$last" -- -batch -ex 'print there != 0'
[[ -f $away/made && -f made ]] || fail "--unconfined is confined"
rm "$away/made" made

# --- files of the input: no name and no link leads to a file of the user's ---
cat >reads.c <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
	FILE *file = fopen("data", "r");
	int c = file ? getc(file) : 'y';
	return c == 'x' ? 3 : 0;
}
END
"$HENCE_CC" -g reads.c -o reads
echo x >data
echo mine >sub/file
mkdir sub/folder
echo mine >sub/folder/file
ln -s "$PWD/sub" absolute
ln -s "$away" out-of-it
files=$(here)
hence_exits 0 explain --save report --no-reduce --file data -- ./reads
file() { # NAME
	edit "
for parts in (recipe['given'], recipe.get('failing', []), recipe.get('reference', [])):
    parts.append({'kind': 'file', 'name': '$1', 'bytes': 'evil', 'varied': True})"
}
mine() { # COMMAND...
	"$HENCE" "$@" >out 2>err
	[[ $? == [0-3] ]] || fail "$*, the file $name"
	untouched
	[[ $(<sub/file) == mine && $(<sub/folder/file) == mine && ! -e sub/new ]] || fail "$*: the file $name was written"
}
for name in ../away/new "$away/new" out-of-it/new absolute/file absolute/new absolute/folder out-of-it .. sub/folder/.. /; do
	file "$name"
	mine verify --step 1 edited
	[[ $name != absolute/* ]] || mine gdb --batch edited 1
done
refused '.* recipe\.given\[1\]\.name is there twice; .*' "recipe['given'].append(recipe['given'][-1])"
refused '.* recipe\.reference has other files or variables than what was given; .*' "
for key in ('patch', 'compared_builds', 'reference'):
    recipe.pop(key, None)
recipe['reference'] = [{'kind': 'file', 'name': 'another', 'bytes': '', 'varied': True}]"

# --- gdb: a variable of a step is looked at; no command, call or assignment gets through ---
hence_exits 0 explain --save report --expect-text 7 -- ./prog 7
names() { # NAME...: of a step
	/usr/bin/python3 -c "
import json, sys
r = json.load(open('report'))
step = r['steps'][0]
step['variable'] = sys.argv[1]
step['with'] = [{'variable': name, 'failing': '1', 'reference': '2'} for name in sys.argv[2:]]
json.dump(r, open('edited', 'w'))" "$@" || fail "cannot edit"
	hence_exits 0 gdb --batch edited 1
	untouched
}
names "system (\"touch $away/call\")" "'system'(\"touch $away/call\")" "puts   (argv[0])" "argv[0], system (0)" "(*system) (0)" \
	"n <<= 2" "n >>= 1" "n = 3" "n += 3" "\$_shell(\"touch $away/shell\")" "n"$'\n'"shell touch $away/shell" \
	"n"$'\r'"shell touch $away/shell" "/s n" "'main'" "n ; shell touch $away/shell" "\"text\"" "{int} 0"
! grep -q '^[0-9]*: ' out || fail "gdb displays what it must not"
[[ $(grep -c 'gdb has no name for it' out) == 17 ]] || fail "not all names are told"
names n "n == '('" "n > (3)" "argc < 7" "argv[0..1]"
[[ $(grep -c '^[1-5]: ' out) == 5 ]] || fail "gdb does not display all"
# Commands that lie in the directory of the report are not executed, even if the user allows them elsewhere.
echo "shell touch $away/gdbinit" >.gdbinit
echo 'set auto-load safe-path /' >"$HOME/.gdbinit"
hence_exits 0 gdb --batch report 1
rm .gdbinit "$HOME/.gdbinit"
untouched

# --- what is quoted in a message does nothing to a terminal ---
edit "
for parts in (recipe['given'], recipe.get('failing', []), recipe.get('reference', [])):
    parts.append({'kind': 'file', 'name': '/nonexistent/\\x1b[31m\\nx', 'bytes': '', 'varied': True})"
for words in "verify edited" "gdb --batch edited 1"; do
	# shellcheck disable=SC2086
	"$HENCE" $words >out 2>err
	[[ $? == [23] ]] || fail "$words, a file that is nowhere"
	cat out err | grep -q 'the file /nonexistent/' || fail "$words does not name the file"
	! cat out err | grep -q $'\x1b' || fail "$words: an escape came through"
done
exit 0
