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

# Devices are written to, never removed or replaced. All through links: a test that fails as root
# must not take the real /dev/null with it.
ln -s /dev/null null
ln -s /dev/full full
is_null() { [ -L null ] && [ -c null ] || fail "a device was removed or replaced: $*"; }
good -c hello.c -o null
is_null -c
cc -c broken.c -o null
[ $code = 1 ] || fail "exit code $code"
is_null -c, failed
good -S hello.c -o null
is_null -S
good hello.c -o null
is_null link
cc broken.c -o null
is_null link, failed

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
cc -S hello.c -o full
[ $code = 1 ] && grep -q "cannot write full: No space left" err || fail "full disk"
[ -L full ] || fail "a full device was removed"
clean
