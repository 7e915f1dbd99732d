#!/bin/bash
# -x and suffixes.
source "$SRC/tests/cc/lib.sh"
hello hello.txt
echo 'int helper(void) { return 5; }' >helper.weird
echo 'int other(void) { return 6; }' >other.c
good -x c hello.txt helper.weird -x none other.c -o prog
says hello ./prog
good -E hello.txt -x c -o hello.i
good -x c -E hello.txt -o hello.i
good hello.i -o from-i
says hello ./from-i
cp hello.i raw
good -x cpp-output raw -o from-raw
says hello ./from-raw
# -x holds for what follows, not for what comes before; objects after it need -x none.
good -c other.c -o other.o
good other.o -x c hello.txt -o prog2
says hello ./prog2
good --language=c -c hello.txt -o lang.o
readelf -S lang.o | grep -q '\.text' || fail "--language"

for name in a.cc a.cpp a.cxx a.C a.c++ a.ii; do
	echo 'int main() { return 0; }' >$name
	bad 1 "hence cc: C++ is not supported yet: $name" -c $name
	[ "$(wc -l <err)" = 1 ] || fail "more than one line"
done
bad 1 "C++ is not supported yet: hello.txt" -x c++ -c hello.txt
bad 1 "C++ is not supported yet: a.cc" other.c a.cc -o prog3
[ ! -e prog3 ] || fail "a program in spite of C++"
good -E a.cc
"$CLANG" -S -emit-llvm other.c -o other.ll
bad 1 "LLVM IR is not supported, give its C source instead: other.ll" -c other.ll
bad 1 "only 64-bit x86 code can be recorded, not -m32" -m32 -c other.c
clean
