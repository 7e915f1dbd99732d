#!/bin/bash
# Bad input: each is refused with one line that names the thing and the way out, and nothing is left behind.
. "$SRC/tests/reduce/lib.sh"

both crash <<'END'
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int c;

	while ((c = getchar()) != EOF)
		if (c == '!')
			abort();
	return 0;
}
END
echo 'so!' >in
echo 'so!!' >other
echo so >fine

# refused CODE MESSAGE ARGS...: the message is the only line, and the exit code is that.
refused() {
	local code=$1 message=$2
	shift 2
	reduce "$code" "$@"
	only err "hence: $message"
	[[ ! -s out ]] || fail "something is printed: hence reduce $*"
}

refused 1 "./crash does not fail: exited with status 0; say with --expect, --test or --timeout what is wrong with it" \
	--stdin fine -- ./crash
refused 2 "cannot run the test ./none: no such file" --test ./none --stdin in -- ./crash
refused 2 "cannot run the test ./in: no permission to execute it (chmod +x?)" --test ./in --stdin in -- ./crash
refused 3 "the test 'exit 125' cannot judge the failing input: the test exited with 125; it must exit with 0 or 1 for it (125 stands for 'cannot say')" \
	--test 'exit 125' --stdin in -- ./crash
refused 1 "./crash does not fail: the test exited with 0; if that is what the test says for a failure, add --invert" \
	--test true --stdin in -- ./crash
refused 2 "the passing input does not pass: ./crash fails with it, too (it was killed by SIGABRT at crash.c:10:4 in main(), inside libc.so.6); give one with which it does not fail" \
	--stdin in --pass-stdin other -- ./crash
refused 2 "none of the passing inputs passes: ./crash fails with each of them (the first: it was killed by SIGABRT at crash.c:10:4 in main(), inside libc.so.6); give one with which it does not fail" \
	--stdin in --pass-stdin other --pass-stdin other -- ./crash
refused 2 "the passing input 1 is the same as the failing one; give another with --pass, --pass-stdin or --pass-file" \
	--stdin in --pass-stdin in -- ./crash
refused 2 "--pass-stdin: cannot read none: No such file or directory" --stdin in --pass-stdin none -- ./crash
refused 2 "--stdin: cannot read none: No such file or directory" --stdin none -- ./crash
refused 2 "--stdin: . is a directory; give a file" --stdin . -- ./crash
refused 2 "--file: cannot read none: No such file or directory" --file none -- ./crash
refused 2 "--file: . is a directory; give a file" --file . -- ./crash
refused 2 "--file in is given twice; leave one out" --file in --file in -- ./crash
refused 2 "--expect: cannot read none: No such file or directory" --expect none --stdin in -- ./crash
refused 2 "--env NO_SUCH: there is no such variable in the environment; set it before hence: NO_SUCH=... hence ..." \
	--env NO_SUCH -- ./crash
refused 2 "--env A=b: give the name only; its value is that of the environment" --env A=b -- ./crash
refused 2 "nothing to vary: ./crash has no arguments and no input; use --stdin FILE, --file PATH or --env NAME" -- ./crash
refused 2 "nothing to vary: what was named for ./crash is empty" --stdin /dev/null -- ./crash
refused 2 "--pass \"a 'b\": a ' is not closed; add another, or write \\'" --pass "a 'b" -- ./crash x
refused 2 "there are 2 --pass and 1 --pass-stdin; the first goes with the first and so on, so give as many of both, or only one kind" \
	--pass a --pass b --pass-stdin fine -- ./crash
refused 2 "--expect and --test do not go together; leave one out" --expect in --test true -- ./crash
refused 2 "--invert is about a test; give one with --test COMMAND" --invert --stdin in -- ./crash
refused 2 "cannot run ./none: no such file" -- ./none x
refused 2 "cannot run ./in: no permission to execute it (chmod +x?)" -- ./in x
refused 2 "no program given; use 'hence reduce [OPTIONS] -- ./prog ARGS'" --stdin in
refused 2 "hence reduce has no option --pas; did you mean --pass?" --pas x -- ./crash
refused 2 "--format xml: give text or json" --format xml --stdin in -- ./crash
refused 2 "--repeat 0: give a whole number above 0" --repeat 0 --stdin in -- ./crash

# Units.
reduce 2 --by 'records=(' --stdin in -- ./crash
like err 'hence: --by records=\(: .*; give a POSIX extended regular expression'
reduce 2 --by records=Q+ --stdin in -- ./crash
like err 'hence: --by records=Q\+ matches nowhere in the input; .*'
reduce 2 --by words --stdin in -- ./crash
like err "hence: --by does not know 'words'; say lines, tokens, bytes, records=REGEX or auto"

# Where the result cannot go.
refused 2 "-o: cannot write none/small: No such file or directory" -o none/small --stdin in -- ./crash
refused 2 "-o in is the failing input itself, which must stay; name another file" -o in --stdin in -- ./crash
ln in link
refused 2 "-o link is the failing input itself, which must stay; name another file" -o link --stdin in -- ./crash
echo x >file
refused 2 "-o file is a file, but several parts of the input vary; name a directory for them" -o file --args --stdin in -- ./crash a
mkdir a b folder
echo '!' >a/f
cp a/f b/f
refused 2 "-o folder: two parts of the input would both be f there; reduce one at a time" -o folder --file a/f --file b/f -- ./crash
holds in $'so!\n'
holds file $'x\n'

# A file of the input that vanishes during the search does not matter: hence has read it.
cat >reads <<'END'
#!/bin/sh
sleep 0.05
grep -q x "$1" && exit 5
exit 0
END
chmod +x reads
{ seq 30; echo axb; seq 30; } >text
rm -f small
"$HENCE" reduce -j 1 --file text -o small -- ./reads text </dev/null >out 2>err &
await 20 test -s small
rm text
wait $!
code=$?
[[ $code == 0 ]] || fail "exit code $code after the file was removed"
holds small x

# A test whose name is wrong is called as it was written.
refused 2 "the test nosuch.sh could not be run (exit status 127, as a shell says of a command that it does not find); run it by hand to see why" \
	--test nosuch.sh --stdin other -- ./crash

# Who gives a file only as an argument is told how to vary it; who varies a file that is not read gets a question.
echo 'a!' >file
cat >cat.sh <<'END'
#!/bin/sh
case $(cat "$1") in *!*) exit 5 ;; esac
END
chmod +x cat.sh
reduce 0 -- ./cat.sh file
only err "hence: the argument file is a file, which was not varied; to reduce it, say --file file"
reduce 0 --file file -- ./cat.sh file
only err ""
reduce 0 --file fine -- ./cat.sh file
has out "the file fine is empty: it fails without any of it; does the program read that file?"

# A program that vanishes during the search is an error, with what was found until then.
cat >goes <<'END'
#!/bin/sh
sleep 0.05
read -r line
case $line in *!*!*) exit 5 ;; esac
END
chmod +x goes
printf '!%.0s' {1..400} >in
rm -f small
"$HENCE" reduce -j 1 --by bytes --stdin in -o small -- ./goes </dev/null >out 2>err &
await 20 test -s small
rm goes
wait $!
code=$?
[[ $code == 2 || $code == 4 || $code == 0 ]] || fail "exit code $code after the program was removed"
[[ -s small ]] || fail "the best so far is not there"
nothing_left
exit 0
