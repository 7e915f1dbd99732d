#!/bin/bash
# Wrong output: all of the word counts that the first wrong byte is in or after, and memory errors before it.
source "$SRC/tests/slice/cli_lib.sh"
build prog <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
	int n = argc + 1;
	int first = 7;
	int tens = 1;
	printf("%d ", first);
	printf("%d", tens);
	printf("%d", n);
	puts(" apples");
	return 0;
}
END
# The space comes too early: the number before it is too short.
slice_is 'prog.c:4,6,8,9,10' --expect-text '7 120 apples' -- ./prog
slice 0 --expect-text '7 120 apples' -- ./prog
like out 'backward slice of byte 4 of standard output, " " after "12" at prog\.c:10 in main\(\): .*'
# Inside the word; the one before is not a part of it.
slice_is 'prog.c:4,6,8,9' --expect-text '7 13 apples' -- ./prog
slice 0 --expect-text '7 13 apples' -- ./prog
like out 'backward slice of byte 3 of standard output, "2" in "12" at prog\.c:9 in main\(\): .*'
# One byte stays one byte.
slice_is 'prog.c:10' --output 4 -- ./prog
slice_is 'prog.c:4,9' --output 3 -- ./prog
# Before the first word there is none.
slice_is 'prog.c:5,7' --expect-text ' 7 12 apples' -- ./prog

# The output ends too early.
build short <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
	int n = argc + 1;
	puts("so:");
	printf("%d\n", n);
	return 0;
}
END
printf 'so:\n20\n' >right
slice_is 'short.c:4,6,7' --expect-text $'so:\n20' -- ./short
like out '.*the end of standard output after \\"2\\".*'
slice_is 'short.c:4,6' --expect right -- ./short

# --- memory errors before it ---
build over <<'END'
#include <stdio.h>
#include <string.h>
static char name[4] = "x";
int main(int argc, char **argv)
{
	const char *text = argv[1];
	strcpy(name, text);
	if (argc > 2)
		printf("%d %s\n", argc, "end");
	return argc > 2 ? 0 : 1;
}
END
# It has nothing to do with the result as far as dependences go, but it destroyed memory.
slice_is 'over.c:6,7,10' -- ./over abcdef
slice 0 -- ./over abcdef
like out 'backward slice of exit status 1 at over\.c:10 in main\(\): .*'
like out 'before that, at over\.c:7 in main\(\): strcpy\(\) writes 7 bytes, the last 3 past the end of name.*'
slice_is 'over.c:6,7,8,9' --expect-text '3 END' -- ./over abcdef 1
like out '.*before that, at over\.c:7 in main\(\): .*'
slice_is 'over.c:8,9' --expect-text '3 END' -- ./over abc 1

# A block that was freed belongs to someone else by now.
build freed <<'END'
#include <stdlib.h>
int main(int argc, char **argv)
{
	int *a = malloc(16);
	*a = 1;
	if (argc > 1)
		free(a);
	int *b = malloc(16);
	*b = 400;
	return *a > 300;
}
END
slice_is 'freed.c:4,6,7,8,9,10' -- ./freed x
like out '.*before that, at freed\.c:10 in main\(\): reads .*of freed memory.*'
exit 0
