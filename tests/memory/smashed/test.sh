#!/bin/bash
# Writes past an array reach the runtime's own data, so the recorded run does something else: the memory error is told.
set -u
cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>

static int heights[100];

int main(int argc, char **argv)
{
	int columns = atoi(argv[1]), total = 0;

	for (int column = 0; column < columns; column++)
		heights[column] = column + 7;
	for (int column = 0; column < columns; column += 10)
		total += heights[column];
	printf("%d\n", total);
	return 0;
}
END
"$HENCE_CC" -w prog.c -o prog || exit 1
"$HENCE" explain --expect-text 1 -- ./prog 190000 >out 2>&1
grep -q 'prog.c:11 writes heights\[100\], one element past the end of heights' out || { cat out; exit 1; }
