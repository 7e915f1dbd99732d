# An instrumented program with an instrumented shared library.
set -e
lib=$(dirname "$OUT")
$CC $CFLAGS -fPIC -c "$CASE/words.c" -o words.o
$CC -shared -o "$lib/libwords.so" words.o -Wl,-soname,libwords.so
$CC $CFLAGS -c "$CASE/main.c" -o main.o
$CC -o "$OUT" main.o -L"$lib" -lwords -Wl,-rpath,"$lib" $LDFLAGS
