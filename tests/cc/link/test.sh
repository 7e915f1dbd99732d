#!/bin/bash
# Compile and link in one call, in several, and both mixed.
source "$SRC/tests/cc/lib.sh"
mkdir sub
cat >main.c <<'END'
#include <math.h>
#include <stdio.h>
int twice(int);
int main(int argc, char **argv) { printf("%d %.1f %d\n", twice(21), sqrt(argc * 16.0), SIZE); return 0; }
END
echo 'int half(int); int twice(int x) { return half(4 * x); }' >sub/twice.c
echo 'int half(int x) { return x / 2; }' >half.c

good -DSIZE=7 main.c sub/twice.c half.c -lm
says "42 4.0 7" ./a.out
[ ! -e main.o ] && [ ! -e twice.o ] || fail "objects left behind"

good -D SIZE=8 -o prog main.c sub/twice.c half.c -lm
says "42 4.0 8" ./prog
good -oglued -DSIZE=9 main.c sub/twice.c half.c -l m
says "42 4.0 9" ./glued

# A mix of sources, objects and an archive; the order on the line counts.
good -c half.c
good -c sub/twice.c
ar rcs libtwice.a twice.o
good -DSIZE=1 main.c -L. -ltwice half.o -lm -o mixed
says "42 4.0 1" ./mixed

# Link only.
good -DSIZE=2 -c main.c -o m.o
good m.o twice.o half.o -lm -o linked
says "42 4.0 2" ./linked
good m.o -Wl,--start-group,libtwice.a,half.o,--end-group -lm -o grouped
says "42 4.0 2" ./grouped

# Two inputs of the same name.
mkdir other
echo 'int twice(int x) { return x + x; }' >other/main.c
good -DSIZE=3 main.c other/main.c -lm -o same
says "42 4.0 3" ./same

good -pthread -x c - -o threads <<'END'
#include <pthread.h>
#include <stdio.h>
#ifndef _REENTRANT
#error -pthread is lost
#endif
int main(void) { pthread_t self = pthread_self(); puts(pthread_equal(self, self) ? "one" : "two"); return 0; }
END
says one ./threads
clean
