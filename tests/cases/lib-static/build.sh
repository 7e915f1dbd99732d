# A static library through ar, and one object through ld -r.
set -e
for f in main stack grow unused; do
	$CC $CFLAGS -c "$CASE/$f.c" -o $f.o
done
ld -r -o both.o stack.o grow.o
rm -f libstack.a
ar rcs libstack.a both.o unused.o
$CC -o "$OUT" main.o -L. -lstack $LDFLAGS
