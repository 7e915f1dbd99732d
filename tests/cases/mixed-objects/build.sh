# The second half is built by gcc, in all builds.
set -e
gcc -O1 -c "$CASE/plain.c" -o plain.o
$CC $CFLAGS -c "$CASE/main.c" -o main.o
$CC -o "$OUT" main.o plain.o $LDFLAGS
