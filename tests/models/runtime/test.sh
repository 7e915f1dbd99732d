#!/bin/bash
# The part of the runtime that records outside calls, alone: compiled from its sources, with a core made for tests and
# libc.model. (Not as unit tests: those are linked with hence, and may be sanitized, which the runtime never is.)
set -eu

flags=(-std=gnu11 -O2 -g -Wall -Wextra -Wno-unused-parameter -I"$SRC/src" -D_GNU_SOURCE -U_FORTIFY_SOURCE)
runtime=(outside outside_values outside_names outside_format objects streams observe kept varies memory)
sources=("$SRC"/src/outside/*.c "$SRC"/src/base/{error,mem,str}.c "${runtime[@]/#/$SRC/src/runtime/}")
for ((i = ${#sources[@]} - ${#runtime[@]}; i < ${#sources[@]}; i++)); do
	sources[i]+=.c
done
gcc "${flags[@]}" -c "${sources[@]}"
mkdir tests actions
(cd actions && gcc "${flags[@]}" -c "$SRC"/src/actions/{actions*,effects,format}.c)
status=0
for name in core applied memory inside kept input unknown truth speed; do
	# Calls must reach libc as they stand.
	gcc "${flags[@]}" -fno-builtin -c "$CASE/$name.c" -o tests/$name.o
	[[ $name == core || $name == applied ]] && continue
	gcc -o tests/$name tests/$name.o tests/{core,applied}.o ./*.o actions/*.o -lcmocka -lm
	tests/$name || status=1
done
exit $status
