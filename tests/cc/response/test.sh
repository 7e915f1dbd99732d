#!/bin/bash
# @FILE: nested, quoted, missing, circular, and lines too long for an exec.
source "$SRC/tests/cc/lib.sh"
cat >show.c <<'END'
#include <stdio.h>
int main(void) { puts(TEXT); return COUNT; }
END
cat >flags <<'END'
-DTEXT='"two words"'
   -DCOUNT=0	@more
END
echo '-o "a prog"' >more
good @flags show.c
says "two words" "./a prog"
cat >escaped <<'END'
-DTEXT=\"back\\\\slash\" -DCOUNT=0 -o 'q p'
END
good @escaped show.c
says "back\\slash" "./q p"

echo '@circle' >circle
bad 1 "response files name each other" @circle show.c
bad 1 'no such file: @absent' @absent -c show.c

# 100,000 macros: 2.5 megabytes.
{
	for i in {1..100000}; do echo "-DMACRO_NUMBER_$i=$i"; done
	echo '-DTEXT="\"long\"" -DCOUNT=MACRO_NUMBER_100000-100000'
} >long
good @long show.c -o long-prog
says long ./long-prog
good @long -c show.c -o long.o
good @long long.o -o long-linked
says long ./long-linked
good @long -E show.c
clean
