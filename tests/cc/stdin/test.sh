#!/bin/bash
# '-' is standard input.
source "$SRC/tests/cc/lib.sh"
hello
good -x c - -o prog <hello.c
says hello ./prog
good -xc -c - -o named.o <hello.c
good named.o -o prog2
says hello ./prog2
good -c -x c - <hello.c
[ -s ./-.o ] || fail "the default name of the object is -.o"
bad 1 "<stdin>:1" -x c - -o none <<<'int main(void) { return x; }'
[ ! -e none ] || fail "output of a failed call"
bad 1 "-x required when input is from standard input" - -o none <hello.c
# After a rejected option standard input is still unread.
cc -fno-such-gcc-flag -x c - -o prog3 <hello.c
[ $code = 0 ] || fail "standard input and a dropped option"
says hello ./prog3
clean
