#!/bin/bash
# -Werror is for the code, not for options that clang happens not to know.
source "$SRC/tests/cc/lib.sh"
hello
for flags in -Wmaybe-uninitialised -Wno-stringop-nonsense -fivopts '-falign-jumps=3 -ftree-vrp' -lm \
	'-L/nowhere -Wl,-O1 -rdynamic -shared-libgcc'; do
	cc -Werror -Wall $flags -c hello.c
	[ $code = 0 ] || fail "-Werror $flags"
done
cc -pedantic-errors -Werror -Wlogical-op -Wjump-misses-init hello.c -o prog
[ $code = 0 ] || fail "gcc's warnings"
says hello ./prog

# Warnings about the code are errors still, and unchanged.
echo 'int f(void) { int unused; return 0; }' >w.c
bad 1 "w.c:1:19: error: unused variable 'unused' [-Werror,-Wunused-variable]" -Wall -Werror -c w.c
cc -Wall -c w.c
"$CLANG" -Wall -c w.c -o w2.o 2>want
[ $code = 0 ] && cmp -s err want || fail "clang's warning was changed"
# Who asks explicitly gets an answer.
bad 1 "unknown warning option" -Werror=unknown-warning-option -Wno-such -Wnever-heard-of -c hello.c
clean
