#!/bin/bash
# -c: names of outputs, several inputs, errors about -o.
source "$SRC/tests/cc/lib.sh"
mkdir sub out.d
hello sub/a.c
echo 'int b;' >b.c
echo 'int c;' >c.x.c

good -c sub/a.c b.c c.x.c
for o in a.o b.o c.x.o; do
	file=$(readelf -h $o) || fail "no object $o"
	grep -q 'Type:.*REL' <<<"$file" || fail "$o is no object"
done
[ ! -e sub/a.o ] || fail "object beside the source"
good a.o b.o c.x.o -o prog
says hello ./prog

good -c sub/a.c -o out.d/x.obj
good out.d/x.obj -o prog2
says hello ./prog2
good --compile --output=long.o sub/a.c
[ -s long.o ] || fail "long options"

bad 1 "-o cannot be given with -c or -S and several files" -c sub/a.c b.c -o both.o
[ ! -e both.o ] || fail "an output in spite of the error"

# A linker's input is no second file for -o.
good -c sub/a.c b.o -lm -L. -Wl,-O1 -o one.o
[ -s one.o ] || fail "no one.o"

# One bad file does not keep the others from being made, and the exit code tells.
echo 'int broken(' >broken.c
rm -f b.o
bad 1 "broken.c:1" -c broken.c b.c
[ -s b.o ] || fail "b.c was not compiled"
[ ! -e broken.o ] || fail "broken.o was made"

bad 1 "needs a word after it" -c b.c -o
clean
