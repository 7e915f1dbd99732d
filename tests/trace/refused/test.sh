#!/bin/bash
# Bad input: each has its message and exit code 2, and nothing is run.
source "$SRC/tests/trace/lib.sh"
refused() { # MESSAGE ARGS...
	local message=$1
	shift
	trace 2 "$@"
	only err "hence: $message"
	[[ ! -s out ]] || fail "output"
}
build prog <<'END'
#include <stdio.h>
int main(void) { FILE *f = fopen("ran", "w"); fclose(f); return 0; }
END

refused "no program given; use 'hence trace [OPTIONS] -- ./prog ARGS'"
refused "no program given; use 'hence trace [OPTIONS] -- ./prog ARGS'" --json --
refused "hence trace has no option --functoin; did you mean --function?" --functoin main -- ./prog
refused "hence trace has no option --zzzzzzzzzzz; see 'hence trace --help'" --zzzzzzzzzzz -- ./prog
refused "--function needs a value; see 'hence trace --help'" --function
refused "--line 12: give FILE:N, like sort.c:12" --line 12 -- ./prog
refused "--line prog.c:x: give FILE:N, like sort.c:12" --line prog.c:x -- ./prog
refused "--line prog.c:0: give FILE:N, like sort.c:12" --line prog.c:0 -- ./prog
refused "--from x: give a whole number above 0" --from x -- ./prog
refused "--to -3: give a whole number above 0" --to=-3 -- ./prog
refused "--to 99999999999999999999: give a whole number above 0" --to 99999999999999999999 -- ./prog
refused "--from 9 is after --to 3" --from 9 --to 3 -- ./prog
refused "--json takes no value" --json=yes -- ./prog
refused "--check looks at everything; leave out --function, --line, --variable, --from, --to and --process" \
	--check --function main -- ./prog
refused "--tape-limit 5: give a size of at least 1M, like 500M or 20G" --tape-limit 5 -- ./prog
refused "--stdin: cannot read nowhere: No such file or directory" --stdin nowhere -- ./prog
refused "-o: cannot write no/folder: No such file or directory" -o no/folder -- ./prog
refused "cannot run ./nowhere: no such file" -- ./nowhere
refused "cannot run prog: it is not in PATH; for the file of this directory say ./prog" -- prog
"$CLANG" prog.c -o plain
refused "./plain was not built with hence cc; rebuild with CC=hence-cc, or use 'hence build -- make'" -- ./plain
[[ ! -e ran ]] || fail "the program ran"
refused "--process 2: 1 process was recorded: 1 $PWD/prog" --process 2 -- ./prog

"$HENCE" trace --help >out || fail "no help"
like out 'hence trace \[OPTIONS\] -- PROGRAM ARGS\.\.\.'
