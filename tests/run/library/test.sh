#!/bin/bash
# A program that is not built with hence cc but uses a library that is.
source "$SRC/tests/run/lib.sh"
cat >part.c <<'END'
int part(int n) { return n + 2; }
END
cat >main.c <<'END'
int part(int);
int main(void) { return part(40); }
END
mkdir lib
"$HENCE_CC" -shared -fPIC part.c -o lib/libpart.so || fail build
"$CLANG" main.c -o by-rpath -Llib -lpart -Wl,-rpath,'$ORIGIN/lib' || fail build
"$CLANG" main.c -o by-variable -Llib -lpart || fail build
run 42 --account account -- ./by-rpath
has account "functions: 1"
run 2 -- ./by-variable
only err "hence: ./by-variable was not built with hence cc; rebuild with CC=hence-cc, or use 'hence build -- make'"
LD_LIBRARY_PATH=$PWD/lib run 42 --account account -- ./by-variable
has account "functions: 1"
