#!/bin/bash
# hence build: compilers by any name are hence cc, whatever the build looks like.
source "$SRC/tests/cc/lib.sh"
hello
build() { "$HENCE" build "$@" >out 2>err; code=$?; }
mine() { readelf -SW "$1" | grep -q '\.hence\.ir'; }

cat >Makefile <<'END'
all: one two three four five six
one: hello.c
	gcc -O2 -o $@ $<
two: hello.c
	cc -O2 -o $@ $<
three: hello.c
	clang-19 -o $@ $<
four: hello.c
	x86_64-linux-gnu-gcc-12 -o $@ $<
five: hello.c
	c99 -o $@ $<
six: hello.c
	$(CC) -o $@ $<
END
build -- make
[ $code = 0 ] || fail "make"
for prog in one two three four five six; do
	says hello ./$prog
	mine $prog || fail "$prog was not built by hence cc"
done
clean

# For all names that are promised. None of them may run itself for ever.
names="cc gcc clang c89 c99 gcc-4 gcc-30 clang-4 clang-22 clang-30 x86_64-linux-gnu-gcc x86_64-linux-gnu-gcc-13"
build bash -c "for n in $names; do \$n -v 2>&1 | grep -q 'clang version' || exit 3; done"
[ $code = 0 ] || fail "a name is not replaced"
build bash -c 'command -v g++ c++ clang++ | grep hence'
[ $code = 1 ] || fail "C++ compilers are replaced"
echo '__STDC_VERSION__' >std.h
build bash -c 'c99 -E -P -x c std.h; c89 -E -P -x c std.h'
[ "$(cat out)" = $'199901L\n__STDC_VERSION__' ] || fail "c99 and c89: $(cat out)"
build "$HENCE" build gcc hello.c -o nested
[ $code = 0 ] && mine nested || fail "hence build inside hence build"

# CC: ours if there is none, a path that stays when the stand-ins are gone; the user's if there is.
build bash -c 'echo "$CC"'
[ "$(cat out)" = "$(readlink -f "$HENCE")-cc" ] || fail "CC is $(cat out)"
CC=gcc build bash -c 'echo "$CC"; $CC hello.c -o chosen'
[ "$(cat out)" = gcc ] && mine chosen || fail "CC=gcc"
CC=/usr/bin/cc build true
grep -q 'note: CC=/usr/bin/cc is not replaced' err || fail "no note about CC"

# Exit status, signals and errors.
build -- bash -c 'exit 7'
[ $code = 7 ] || fail "exit code $code, not 7"
build -- bash -c 'kill -KILL $$'
[ $code = 137 ] || fail "exit code $code, not 137"
build -- no-such-command
[ $code = 2 ] && grep -q '^hence: cannot start no-such-command: ' err || fail "no such command"
build
[ $code = 2 ] && grep -q 'no command given' err || fail "no command"
build --frob make
[ $code = 2 ] && grep -q 'unknown option --frob' err || fail "unknown option"
says "a b|c" "$HENCE" build printf '%s|%s' 'a b' c
[ "$(echo input | "$HENCE" build cat)" = input ] || fail "standard input"
clean

for signal in TERM INT; do
	rm -f pid
	env --default-signal=INT "$HENCE" build bash -c 'echo $$ >pid; exec sleep 100' &
	job=$!
	for i in {1..100}; do
		[ -s pid ] && break
		sleep 0.05
	done
	kill -$signal $job
	wait $job 2>/dev/null
	code=$?
	[ $code = $((128 + $(kill -l $signal))) ] || fail "SIG$signal gave $code"
	! kill -0 "$(cat pid)" 2>/dev/null || fail "the command survived SIG$signal"
	clean
done
