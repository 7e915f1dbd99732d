#!/bin/bash
# -static, -pie, -no-pie, -r, -nostdlib, and the flags of the linker.
source "$SRC/tests/cc/lib.sh"
hello
echo 'int extra(void) { return 3; }' >extra.c
type_of() { readelf -h "$1" | sed -n 's/ *Type: *\([A-Z]*\).*/\1/p'; }

good -static hello.c -o static
says hello ./static
! readelf -d static | grep -q NEEDED || fail "-static is not static"
good -static-pie hello.c -o static-pie
says hello ./static-pie
good -pie -fPIE hello.c -o pie
[ "$(type_of pie)" = DYN ] || fail "-pie gave $(type_of pie)"
says hello ./pie
good -no-pie hello.c -o no-pie
[ "$(type_of no-pie)" = EXEC ] || fail "-no-pie gave $(type_of no-pie)"
says hello ./no-pie
good -fno-pic -fno-pie -no-pie hello.c -o no-pic
says hello ./no-pic
"$CLANG" hello.c -o want
good hello.c -o default
[ "$(type_of default)" = "$(type_of want)" ] || fail "the default is not clang's"

for r in -r "-no-pie -Wl,-r" "-no-pie -Xlinker -r" "-no-pie -Wl,--relocatable"; do
	good -nostdlib $r hello.c extra.c -o both.o
	[ "$(type_of both.o)" = REL ] || fail "$r gave $(type_of both.o)"
	! nm both.o | grep -q ' [TDBdb] hence_rt_' || fail "the runtime is in an object"
	good both.o -o from-r
	says hello ./from-r
done

cat >bare.c <<'END'
#include <unistd.h>
void _start(void) { write(1, "bare\n", 5); _exit(0); }
END
good -nostdlib -nostartfiles bare.c -lc -o bare
says bare ./bare
good -nodefaultlibs hello.c -lc -o nodef
says hello ./nodef

good -s hello.c -o stripped
says hello ./stripped
good -rdynamic -Wl,--as-needed -Wl,-z,relro,-z,now -Wl,-Map=map.txt -Wl,--gc-sections \
	-ffunction-sections hello.c -o flags
says hello ./flags
[ -s map.txt ] || fail "no map"
readelf -d flags | grep -qE 'BIND_NOW|NOW' || fail "-z now is lost"
good -u extra -Wl,--defsym,sym=5 -e main extra.c hello.c -o entry
clean
