#!/bin/bash
# Where output goes, and what the exit code says.
source "$SRC/tests/trace/lib.sh"
build prog <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	char line[20];
	while (fgets(line, sizeof(line), stdin))
		fputs(line, stdout);
	fflush(stdout);
	if (argc > 1)
		*(volatile int *)16 = 1;
	return 3;
}
END
printf 'one\ntwo\n' >input

# The program's standard output does not mix with the trace.
trace 0 --stdin input -- ./prog
has err one
has err two
! grep -qx one out || fail "the program's output is in the trace"
like out ' +[0-9]+  prog\.c:7 +main +fputs\("two\\n", stdout\) = 1   .*'
trace 0 --stdin input -o trace -- ./prog
has out one
[[ ! -s err ]] || fail "not to standard error"
like trace ' +[0-9]+  prog\.c:11 +main +return 3'

# How the program ends is not our exit code, but it is told.
trace 0 --stdin input -o trace -- ./prog x
like err 'hence: prog\.c:10:[0-9]+ in main\(\): the program died when it wrote .*4 bytes at 0x10, statement [0-9]+'
like err 'hence: \./prog was killed by SIGSEGV \(invalid address 0x10\) at prog\.c:10:[0-9]+ in main\(\)'

# A full disk.
"$HENCE" trace --stdin input -- ./prog >/dev/full 2>err && fail "a full disk"
like err 'hence: cannot write to standard output: .*'
"$HENCE" trace --stdin input -o /dev/full -- ./prog >out 2>err && fail "a full disk"
like err 'hence: -o: cannot write /dev/full: .*'

# A run that takes too long to read is shown up to there; one that is cut off, too.
build long <<'END'
int main(void)
{
	volatile unsigned n = 0;
	for (unsigned i = 0; i < 4000000; i++)
		n += i;
	return 0;
}
END
trace 0 --time 0.05 -o trace -- ./long
like err 'hence: reading ended after 0\.05 seconds, at statement [0-9]+; --time SECONDS allows more'
build forever <<'END'
int main(void)
{
	unsigned n = 0;
	while (n != 1)
		n += 2;
}
END
trace 0 --timeout 0.2 --to 4 -- ./forever
like out ' +4  forever\.c:4 +main +n != 1 is true   \(read n = 2\)'
like err 'hence: \./forever .*'
