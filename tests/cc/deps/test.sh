#!/bin/bash
# Dependency files: the same names and contents as clang's.
source "$SRC/tests/cc/lib.sh"
mkdir -p sub/in 'out dir' out.d
cat >sub/in/main.c <<'END'
#include <stddef.h>
#include "one.h"
int main(void) { return ONE - 1; }
END
echo '#define ONE 1' >sub/in/one.h

# Runs the call in two equal trees, with clang and with hence cc, and compares every .d file.
same()
{
	rm -rf a b
	for tree in a b; do
		mkdir $tree
		cp -r sub 'out dir' out.d $tree
	done
	(cd a && "$CLANG" "$@") >/dev/null 2>&1 || fail "clang $*"
	(cd b && "$HENCE_CC" "$@") >out 2>err || fail "hence cc $*"
	(cd a && find . -type f | sort) >want
	(cd b && find . -type f | sort) >got
	cmp -s want got || fail "other files: $* $(diff want got)"
	while read -r file; do
		case $file in
		*.d | *.dep | *.P) diff "a/$file" "b/$file" >diffs || fail "$file of $*: $(cat diffs)" ;;
		esac
	done <want
}
f=sub/in/main.c
same -MD -c $f
same -MMD -c $f
same -MMD -MP -c $f -o out.d/x.o
same -MD -c $f -o 'out dir/y.o'
same -MD -c $f -o noext
same -MD -MF here.dep -c $f
same -MD -MFglued.dep -c $f
same -MMD -MF dep.P -MT 'tar get' -c $f -o x.o
same -MMD -MF dep.P -MQ '$x y' -MT z -c $f -o x.o
same -MMD -MP -MF .deps.P -c -o main.o $f
same -Wp,-MD,pre.dep -c $f -o x.o
same -Wp,-MMD,pre.dep -c $f -o out.d/x.o
same -MMD $f -o prog
same -MMD $f
same -MD -S $f
same -MD -S $f -o x.asm
same --write-user-dependencies -c $f

# Not as root, who could make or remove files in /dev.
if [ "$(id -u)" != 0 ]; then
	good -MMD -c $f -o /dev/null
	[ -s main.d ] || fail "dependencies with -o /dev/null"
fi
clean
