#!/bin/bash
# A failed call leaves no output, not even an old one, tells in the user's words, and cleans up.
source "$SRC/tests/cc/lib.sh"
hello
echo 'int main(void) { return absent; }' >broken.c
cp hello.c ok.c

echo old >broken.o
bad 1 "broken.c:1:25: error: use of undeclared identifier 'absent'" -c broken.c
[ ! -e broken.o ] || fail "an old object is left"
echo old >prog
bad 1 "undeclared" ok.c broken.c -o prog
[ ! -e prog ] || fail "an old program is left"
echo old >x.s
bad 1 "undeclared" -S broken.c -o x.s
[ ! -e x.s ] || fail "old assembly is left"
"$CLANG" -c broken.c 2>want
cc -c broken.c
cmp -s err want || fail "clang's message was changed"

# Devices and streams are written to, never removed or replaced.
good -c hello.c -o /dev/null
cc -c broken.c -o /dev/null
[ $code = 1 ] && [ -c /dev/null ] || fail "/dev/null was removed"
good -S hello.c -o /dev/null
good hello.c -o /dev/null
[ -c /dev/null ] || fail "/dev/null was replaced by a link"

echo 'void nowhere(void); int main(void) { nowhere(); return 0; }' >undef.c
bad 1 "nowhere" undef.c -o prog
grep -q 'undef.c: in function' err || fail "the linker's message does not name the source"
! grep -q "$TMPDIR" err || fail "a temporary's name in the linker's message"
[ ! -e prog ] || fail "a program from a failed link"
bad 1 "cannot write absent/x.o" -c hello.c -o absent/x.o
bad 1 "no such file or directory: 'absent.o'" absent.o -o prog

if [ "$(id -u)" != 0 ]; then
	mkdir locked && chmod 555 locked
	bad 1 "cannot write locked/x.o" -c hello.c -o locked/x.o
fi
TMPDIR=$PWD/nowhere bad 1 "(set TMPDIR)" -c hello.c
[ ! -e /dev/full ] || {
	cc -S hello.c -o /dev/full
	[ $code = 1 ] && grep -q 'cannot write /dev/full: No space left' err || fail "full disk"
	[ -c /dev/full ] || fail "/dev/full was removed"
}
clean
