# Version scripts, -z defs, -Bsymbolic, --gc-sections, --as-needed; the executable is not position-independent.
set -e
lib=$(dirname "$OUT")
echo '{ global: inner_*; local: *; };' > inner.map
echo '{ global: outer_*; local: *; };' > outer.map
$CC $CFLAGS -fPIC -ffunction-sections -c "$CASE/inner.c" -o inner.o
$CC $CFLAGS -fPIC -ffunction-sections -Wno-missing-prototypes -c "$CASE/outer.c" -o outer.o
$CC -shared -Wl,-z,defs -Wl,--version-script=inner.map -Wl,-soname,libinner.so -o "$lib/libinner.so" inner.o
$CC -shared -Wl,-z,defs -Wl,-Bsymbolic -Wl,--version-script=outer.map -Wl,--gc-sections -Wl,--as-needed \
	-o "$lib/libouter.so" outer.o -L"$lib" -linner -Wl,-rpath,"$lib"
$CC $CFLAGS -fno-pie -c "$CASE/main.c" -o main.o
$CC -no-pie -Wl,--as-needed -o "$OUT" main.o -L"$lib" -louter -linner -Wl,-rpath,"$lib" $LDFLAGS
