#!/bin/bash
# Odd file names.
source "$SRC/tests/cc/lib.sh"
hello 'a b.c'
good 'a b.c' -o 'c d'
says hello './c d'
good -c 'a b.c'
[ -s 'a b.o' ] || fail "a space"
hello ./-dash.c
good -o dash -- -dash.c
says hello ./dash
good -c -- -dash.c
[ -s ./-dash.o ] || fail "the object of -dash.c"
hello 'quo"te$.c'
good -MD -c 'quo"te$.c'
[ -s 'quo"te$.o' ] && [ -s 'quo"te$.d' ] || fail "quotes"
mkdir 'x,y'
hello 'x,y/z.c'
good 'x,y/z.c' -o comma
says hello ./comma
hello noext
good -x c noext -c
[ -s noext.o ] || fail "no suffix"
TMPDIR="$PWD/t m,p" && mkdir "$TMPDIR" && export TMPDIR
good 'a b.c' -o spaced
says hello ./spaced
clean
