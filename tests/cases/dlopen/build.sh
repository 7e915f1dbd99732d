# A host and two plugins, which use symbols of the host.
set -e
dir=$(dirname "$OUT")
for n in 1 2; do
	$CC $CFLAGS -fPIC -c "$CASE/plugin$n.c" -o plugin$n.o
	$CC -shared -o "$dir/plugin$n.so" plugin$n.o
done
$CC $CFLAGS -c "$CASE/main.c" -o main.o
$CC -rdynamic -o "$OUT" main.o -Wl,-rpath,"$dir" -ldl $LDFLAGS
