#!/bin/bash
# --check: everything that was computed must be what was recorded; what is not is named, with the outside
# call that did it.
source "$SRC/tests/trace/lib.sh"
echo 'extern int secret; void poke(void) { secret = 6; }' >outside.c
"$CLANG" -c outside.c || fail "outside.c"
build prog outside.o <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
void poke(void);
int secret = 5;
int *where(void) { return &secret; }
int main(int argc, char **argv)
{
	if (argc > 1)
		poke();
	if (fork() == 0)
		return secret + 1;
	wait(NULL);
	return secret;
}
END

trace 0 --check -- ./prog
like out 'checked [0-9,]+ instructions of 2 processes: no mismatches'
# The program's standard output goes to standard error.
trace 0 --check --json -- ./prog
like out '\{"instructions":[0-9]+,"tapes":2,"mismatches":0,"guesses":0\}'

# The variable is no object that poke() was given, so nobody watches it.
trace 3 --check -- ./prog x
like out 'prog\.c:15:9 in main\(\): a load of 4 bytes at 0x[0-9a-f]+ should give 5, but 6 was recorded, statement [0-9]+; before it prog\.c:11:3 in main\(\) called poke\(\), which has no model'
like out 'checked [0-9,]+ instructions of 2 processes: [0-9]+ mismatch(es)?'

# What is no function is told in words.
build asm <<'END'
int secret = 5;
int main(void)
{
	int before = secret;
	__asm__ volatile("movl $6, secret(%rip)");
	return before + secret;
}
END
trace 3 --check -- ./asm
like out 'asm\.c:6:18 in main\(\): a load of 4 bytes at 0x[0-9a-f]+ should give 5, but 6 was recorded, statement 3; before it inline assembly ran near asm\.c:5:2 in main\(\)'
trace 3 --check --json -- ./asm
like out '\{"mismatch":"load","statement":3,"function":"main",.*,"between":"inline assembly"\}'
