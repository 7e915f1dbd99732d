#!/bin/bash
# Forward slices: what depends on an argument, on bytes of input, on the environment, on a variable.
source "$SRC/tests/slice/cli_lib.sh"
build prog <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int shift(int x, int by)
{
	return x + by;
}
int main(int argc, char **argv)
{
	int first = atoi(argv[1]);
	int second = atoi(argv[2]);
	int fixed = 10;
	char line[16];
	const char *mode = getenv("SLICE_TEST_MODE");
	first = shift(first, 1);
	second = shift(second, 2);
	if (first > 5)
		fixed = 20;
	if (mode && mode[0] == 'v')
		puts("verbose");
	fgets(line, sizeof(line), stdin);
	line[1] = line[0];
	printf("%c\n", line[1]);
	printf("%c\n", line[2]);
	printf("%d %d %d\n", first, second, fixed);
	return 0;
}
END
export SLICE_TEST_MODE=v
printf 'xyz\n' >input
from=(--forward --stdin input)
to=(-- ./prog 7 3)

# The first argument decides about `fixed` as well.
slice_is 'prog.c:6,10,15,17,18,25' "${from[@]}" --argument 1 "${to[@]}"
slice_is 'prog.c:6,11,16,25' "${from[@]}" --argument 2 "${to[@]}"
slice_is 'prog.c:6,11,16,25' "${from[@]}" --argument 2:0 "${to[@]}"
slice_is 'prog.c:6,10,15,17,25' "${from[@]}" --data --argument 1 "${to[@]}"
slice_is 'prog.c:14,19,20' "${from[@]}" --env SLICE_TEST_MODE "${to[@]}"
# Bytes of standard input: the second is overwritten, so nothing but its reading depends on it.
slice_is 'prog.c:21,22,23' "${from[@]}" --input 0 "${to[@]}"
slice_is 'prog.c:21' "${from[@]}" --input 1 "${to[@]}"
slice_is 'prog.c:21,22,23,24' "${from[@]}" --input 0-2 "${to[@]}"
slice 0 "${from[@]}" --input 0-2 "${to[@]}"
like out 'forward slice of standard input, bytes 0 to 2: 4 of .* executed lines \(of .*\)'
slice 0 "${from[@]}" --argument 1 --env SLICE_TEST_MODE "${to[@]}"
like out "forward slice of argument 1 and the environment's SLICE_TEST_MODE: .*"
# From a variable at a line.
slice_is 'prog.c:16,25' "${from[@]}" --at prog.c:16:second "${to[@]}"
slice_is 'prog.c:15,17,18,25' "${from[@]}" --at prog.c:15:first "${to[@]}"
