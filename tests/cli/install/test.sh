#!/bin/bash
# What `make install` installs works from there, and `make uninstall` leaves no file.
set -eu

install() { # `-o all`: installs what was built, builds nothing
	make -s -C "$SRC" -o all "$@" B="$B" DESTDIR="$PWD/dest" PREFIX=/opt/hence
}

install install
bin=$PWD/dest/opt/hence/bin
cat >hello.c <<'C'
#include <stdio.h>
int main(void)
{
	puts("hello");
	return 5;
}
C
"$bin/hence-cc" -o hello hello.c
code=0
"$bin/hence" run --account account -- ./hello >output || code=$?
[[ $code == 5 && $(<output) == hello ]] || { echo "exit code $code, output $(<output)"; exit 1; }
grep -qx 'outcome: exit 5' account || { cat account; exit 1; }

install uninstall
left=$(find dest -not -type d)
[[ -z $left ]] || { echo "left behind: $left"; exit 1; }
