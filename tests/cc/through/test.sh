#!/bin/bash
# What is not ours goes to clang: preprocessing, dependencies, questions.
source "$SRC/tests/cc/lib.sh"
cat >p.c <<'END'
#include "p.h"
#ifdef __OPTIMIZE__
int optimised;
#endif
int value = VALUE;
END
echo '#define VALUE 12345' >p.h

good -E p.c
grep -q 'int value = 12345' out || fail "-E"
good -E -P p.c -o p.i
[ "$(cat p.i)" = "int value = 12345;" ] || fail "-E -o"
# The preprocessor must see what the compiler will see.
good -O2 -E -P p.c
! grep -q optimised out || fail "-O2 -E defines __OPTIMIZE__"
good -E -x c - <p.c -I.
grep -q 'int value = 12345' out || fail "-E from standard input"
good -E - <p.c -I.
good -M p.c
[ "$(cat out)" = "p.o: p.c p.h" ] || fail "-M"
good -MM -MT x.o p.c
[ "$(cat out)" = "x.o: p.c p.h" ] || fail "-MM -MT"
good -M -MF p.dep -MG p.c
grep -q 'p.h' p.dep || fail "-M -MF"
[ ! -e p.o ] || fail "-M compiled"

good -fsyntax-only p.c
[ ! -e p.o ] && [ ! -e a.out ] || fail "-fsyntax-only made a file"
bad 1 "error:" -fsyntax-only -x c - <<<'int f('
good -S -emit-llvm p.c -o p.ll
grep -q 'source_filename = "p.c"' p.ll || fail "-emit-llvm"

for question in -dumpmachine -dumpversion -print-search-dirs -print-file-name=libc.so --help; do
	good $question
	"$CLANG" $question >want 2>/dev/null
	cmp -s out want || fail "$question differs from clang's"
done
good --version
head -1 out | grep -qE '^hence cc \(LLVM (19|22)\.[0-9.]+\) of hence [0-9.]+$' || fail "--version: hence's line first"
tail -n +2 out >rest
"$CLANG" --version | cmp -s - rest || fail "--version: then clang's"
# Meson asks the linker for its name without any input.
good -Wl,--version
grep -q "GNU ld" out || fail "-Wl,--version"
cc -v
[ $code = 0 ] && grep -q 'clang version' err || fail "-v"
cc '-###' -O2 -c p.c
[ $code = 0 ] && grep -q -- '"-O2"' err && [ ! -e p.o ] || fail "-###"
bad 1 "no input files"
bad 1 "no input files" -O2 -c
bad 1 "no such file" -c absent.c

# A precompiled header is clang's, and can be used.
echo '#define FROM_HEADER 77' >pre.h
good -O2 -g -c pre.h -o pre.h.pch
good -O2 -include-pch pre.h.pch -E -P -x c - <<<'FROM_HEADER'
good -O2 -include-pch pre.h.pch -x c -c - -o pre.o <<<'int x = FROM_HEADER;'
clean
