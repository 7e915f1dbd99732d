# shellcheck shell=bash
# What check and choose share: how a seed becomes a program. Sourced.

csmith_flags=(-w -Wno-incompatible-pointer-types -include "$SRC/tests/csmith/prelude.h")

# make_program NAME SEED FILE.c: the program of that seed with the options of folder NAME. False where
# csmith itself crashes or does not come to an end.
make_program() {
	local options=()
	read -ra options <"$SRC/tests/csmith/$1/options"
	{ timeout 5 csmith --quiet --seed "$2" "${options[@]}" >"$3.raw"; } 2>/dev/null || return
	sed 's|"csmith.h"|<csmith/csmith.h>|' "$3.raw" >"$3"
	rm "$3.raw"
}
