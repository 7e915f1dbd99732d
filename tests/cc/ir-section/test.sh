#!/bin/bash
# Each object carries its IR without hooks, in a section that survives what builds do to objects.
source "$SRC/tests/cc/lib.sh"
hello
echo 'int extra(int x) { return x + 1; }' >extra.c

# blobs FILE: how many IR modules are in the section, found by their magic words.
blobs()
{
	rm -f section
	objcopy -O binary --only-section=.hence.ir --set-section-flags .hence.ir=alloc "$1" section 2>/dev/null
	[ -e section ] || { echo 0; return; }
	grep -aoF HENCE_IR section | wc -l
}
expect() { [ "$(blobs "$2")" = "$1" ] || fail "$2 has $(blobs "$2") IR modules, not $1 ($3)"; }

good -c hello.c extra.c
expect 1 hello.o "compiled"
objdump -h hello.o | grep -A1 -F .hence.ir >header || fail "no section"
! grep -qE "ALLOC|LOAD" header || fail "the section would be loaded: $(cat header)"
good -S hello.c
good -c hello.s -o via-s.o
expect 1 via-s.o "through assembly"
objcopy -O binary --only-section=.hence.ir --set-section-flags .hence.ir=alloc hello.o a.bin
objcopy -O binary --only-section=.hence.ir --set-section-flags .hence.ir=alloc via-s.o b.bin
[ "$(stat -c %s a.bin)" = "$(stat -c %s b.bin)" ] || fail "other IR through assembly"

ar rcs lib.a extra.o
mkdir x && (cd x && ar x ../lib.a) && expect 1 x/extra.o "ar"
ld -r hello.o extra.o -o r.o
expect 2 r.o "ld -r"
good -r hello.o extra.o -o r2.o
expect 2 r2.o "hence cc -r"
good hello.o extra.o -o prog
expect 2 prog "linked"
strip -g prog -o g
expect 2 g "strip -g"
strip prog -o s
expect 2 s "strip"
good hello.o -Wl,--whole-archive lib.a -Wl,--no-whole-archive -o whole
expect 2 whole "archive"
good -Wl,--gc-sections hello.o extra.o -o gc
expect 2 gc "--gc-sections"
good -s hello.o extra.o -o linked-s
expect 2 linked-s "-s"
good -fPIC -shared extra.c hello.c -o lib.so
expect 2 lib.so "-shared"
good -static hello.o extra.o -o static
expect 2 static "-static"
for p in prog g s whole gc linked-s static; do
	says hello ./$p
done
# The same source gives the same IR.
mv hello.o first.o
good -c hello.c
objcopy -O binary --only-section=.hence.ir --set-section-flags .hence.ir=alloc hello.o c.bin
cmp -s a.bin c.bin || fail "two compilations differ"
clean
