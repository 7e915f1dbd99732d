#!/bin/bash
# -O* is -O0, debug information is always there, _FORTIFY_SOURCE is gone, and none of it says a word.
source "$SRC/tests/cc/lib.sh"
cat >level.c <<'END'
#include <stdio.h>
#include <string.h>
#ifdef __OPTIMIZE__
#error optimised
#endif
#ifdef _FORTIFY_SOURCE
#error fortified
#endif
#ifdef __FAST_MATH__
#error fast
#endif
#if LEVEL != 3
#error LEVEL is lost
#endif
int main(void) { char text[8]; strcpy(text, "fine"); puts(text); return 0; }
END
for o in -O -O0 -O1 -O2 -O3 -Os -Oz -Og -Ofast --optimize=2; do
	good -Wall -Wextra -Werror -DLEVEL=3 $o level.c -o prog
	says fine ./prog
done
for f in -D_FORTIFY_SOURCE=2 '-D _FORTIFY_SOURCE=3' -D_FORTIFY_SOURCE -Wp,-D_FORTIFY_SOURCE=2 \
	-Wp,-U_FORTIFY_SOURCE,-D_FORTIFY_SOURCE=3 --define-macro=_FORTIFY_SOURCE=2; do
	good -O2 -Werror -DLEVEL=3 $f level.c -o prog
done
# What stands beside it in one word stays.
good -O2 -Wp,-D_FORTIFY_SOURCE=2,-DLEVEL=3 level.c -o prog

for g in '' -g -g0 -g1 -g3 -ggdb -ggdb0 -gline-tables-only -gdwarf-4 -gno-column-info; do
	good -DLEVEL=3 $g -c level.c -o g.o
	readelf --debug-dump=info g.o 2>/dev/null | grep -q 'DW_AT_name.*: text$' ||
		fail "no variable in the debug information with '$g'"
done
readelf --debug-dump=info g.o 2>/dev/null | grep -q "DW_AT_name.*level.c" || fail "source name"
good -DLEVEL=3 -fdebug-prefix-map="$PWD"=/mapped -c level.c -o g.o
readelf --debug-dump=info g.o 2>/dev/null | grep -q "DW_AT_comp_dir.*/mapped" || fail "prefix map"
good -pipe -save-temps=obj -DLEVEL=3 level.c -o prog
says fine ./prog
clean
