#!/bin/bash
# -S, and assembler inputs of both kinds.
source "$SRC/tests/cc/lib.sh"
hello
good -S hello.c
grep -q 'main:' hello.s || fail "no assembly"
good hello.s -o from-s
says hello ./from-s
good -c hello.s -o again.o
good again.o -o from-o
says hello ./from-o

good -S hello.c -o -
grep -q 'main:' out || fail "no assembly on standard output"
good -S -o other.asm hello.c
good -x assembler other.asm -o from-x
says hello ./from-x

cat >add.S <<'END'
#ifdef __ASSEMBLER__
	.globl add
add:
	lea BIAS(%rdi,%rsi), %eax
	ret
	.section .note.GNU-stack,"",@progbits
#endif
END
cat >use.c <<'END'
#include <stdio.h>
int add(int, int);
int main(void) { printf("%d\n", add(3, 4)); return 0; }
END
good -DBIAS=10 use.c add.S -o mixed
says 17 ./mixed
cp add.S add.text
cp use.c use.text
good -DBIAS=11 -x assembler-with-cpp add.text -x c use.text -o forced
says 18 ./forced
good -DBIAS=20 -c use.c add.S
good use.o add.o -o mixed2
says 27 ./mixed2
good -DBIAS=30 -MD -MF add.dep -c add.S -o add30.o
grep -q '^add30.o:.*add.S' add.dep || fail "dependencies of assembly: $(cat add.dep)"
clean
