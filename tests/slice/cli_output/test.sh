#!/bin/bash
# Slices from the output of a program: a byte of a stream or file, or the first that is wrong.
source "$SRC/tests/slice/cli_lib.sh"
build prog <<'END'
#include <stdio.h>
#include <string.h>
static int triple(int x) { return x * 3; }
int main(int argc, char **argv)
{
	int a = argc + 1;
	int b = triple(argc);
	char text[16];
	FILE *f = fopen("result.txt", "w");
	strcpy(text, "head-");
	strcat(text, argv[1]);
	printf("a=%d b=%d\n", a, b);
	fprintf(stderr, "b is %d\n", b);
	fputs(text, f);
	fputc('0' + a, f);
	fclose(f);
	if (argc > 2)
		puts("more");
	return 0;
}
END
# Of one call only the argument that the byte was printed from; text of the format is nobody's.
slice_is 'prog.c:6,12' --output 2 -- ./prog tail
slice_is 'prog.c:3,7,12' --output stdout:6 -- ./prog tail
slice_is 'prog.c:12' --output 4 -- ./prog tail
slice_is 'prog.c:3,7,13' --output stderr:5 -- ./prog tail
# Of a string the part that was copied from there.
slice_is 'prog.c:10,14' --output result.txt:0 -- ./prog tail
# What strcat() adds depends on the text that was there: it says where.
slice_is 'prog.c:10,11,14' --output result.txt:6 --data -- ./prog tail
slice_is 'prog.c:6,15' --output result.txt:9 --data -- ./prog tail
slice_is 'prog.c:17,18' --output 8 -- ./prog tail x
slice 0 --output 2 -- ./prog tail
has out 'backward slice of byte 2 of standard output, "3" at prog.c:12 in main(): 2 of 13 executed lines (of 14)'
has out 'it was printed by printf("a=%d b=%d\n", 3, 6) = 8'

# --- what is wrong ---
printf 'a=3 b=5\n' >right
slice_is 'prog.c:3,7,12' --expect right -- ./prog tail
slice_is 'prog.c:6,12' --expect-text 'a=4 b=6' -- ./prog tail
has err 'a=3 b=6' # the program's output is still to be seen
printf 'a=3 b=6\n' >right
slice 1 --expect right -- ./prog tail
has err 'hence: ./prog does not fail: its output is as expected; choose what to slice from with --at FILE:LINE[:VAR] or --output BYTE'
slice 1 --expect-text 'a=3 b=6' -- ./prog tail
# Too much: the first byte of it. Too little: the end.
printf 'a=4 b=9\n' >right
slice_is 'prog.c:17,18' --expect right -- ./prog tail x
printf 'a=3 b=6\nmore\n' >right
slice 0 --expect right -- ./prog tail
like out 'backward slice of the end of standard output at prog\.c:12 in main\(\): .*'
like out 'after 8 bytes more was expected; .*'
# A crash says more than the output that is missing.
build dies <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
	int *p = NULL;
	puts("begin");
	fflush(stdout);
	*p = 1;
	puts("end");
	return 0;
}
END
printf 'begin\nend\n' >right
slice_is 'dies.c:4,7' --expect right -- ./dies
printf 'begim\nend\n' >right
slice_is 'dies.c:5' --expect right -- ./dies
