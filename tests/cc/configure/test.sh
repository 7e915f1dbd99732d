#!/bin/bash
# What configure scripts do: probe the compiler with small programs and flags, believe the exit code.
source "$SRC/tests/cc/lib.sh"

cat >configure <<'END'
#!/bin/sh
# In the manner of autoconf.
CC=${CC-gcc}
: >config.h
ac_compile='$CC -c $CFLAGS $CPPFLAGS conftest.c >conftest.log 2>&1'
ac_link='$CC -o conftest $CFLAGS $CPPFLAGS $LDFLAGS conftest.c $LIBS >conftest.log 2>&1'
try() { rm -f conftest conftest.o; eval "$1" && test -s conftest"$2"; }
say() { echo "$1: $2"; }

echo 'int main(void) { return 0; }' >conftest.c
try "$ac_link" "" && ./conftest && say works yes || { say works no; exit 1; }
$CC conftest.c && test -f a.out && say default a.out
try "$ac_compile" .o && say object o
$CC -E conftest.c >/dev/null && say cpp "$CC -E"
$CC --version >/dev/null 2>&1 && $CC -v >/dev/null 2>&1 && say asks yes

cat >conftest.c <<_E
#ifndef __GNUC__
       choke me
#endif
_E
try "$ac_compile" .o && say gnu yes
printf '%s\n' '#include <stdlib.h>' 'int main(void) { return sizeof(long) == 8 ? 0 : 1; }' >conftest.c
try "$ac_link" "" && ./conftest && say long 8
header() { echo "#include <$1>" >conftest.c; try "$ac_compile" .o && say "$1" yes || say "$1" no; }
header unistd.h
header no/such.h
function()
{
	printf 'char %s(void);\nint main(void) { return %s(); }\n' $1 $1 >conftest.c
	CFLAGS="$CFLAGS -fno-builtin" try "$ac_link" "" && say "$1" yes || say "$1" no
}
function getpid
function no_such_function
LIBS=-lm function cos
flag()
{
	echo 'int main(void) { return 0; }' >conftest.c
	CFLAGS="-Werror $1" try "$ac_compile" .o && say "$1" yes || say "$1" no
}
flag -Wall
flag -fPIC
flag -Wno-unheard-of-in-clang
flag -fstack-protector-strong
flag -std=c1234
printf '%s\n' 'int x = 1/0;' 'int a[sizeof(long) == 8 ? -1 : 1];' >conftest.c
try "$ac_compile" .o && say wrong accepted || say wrong rejected
LDFLAGS=-Wl,--version-script=conftest.map
echo '{ global: main; local: *; };' >conftest.map
echo 'int main(void) { return 0; }' >conftest.c
try "$ac_link" "" && say version-script yes
END
cat >want <<'END'
works: yes
default: a.out
object: o
cpp: CCNAME -E
asks: yes
gnu: yes
long: 8
unistd.h: yes
no/such.h: no
getpid: yes
no_such_function: no
cos: yes
-Wall: yes
-fPIC: yes
-Wno-unheard-of-in-clang: yes
-fstack-protector-strong: yes
-std=c1234: no
wrong: rejected
version-script: yes
END
CC=$HENCE_CC sh configure >got 2>err || fail "configure: $(cat conftest.log)"
sed "s|CCNAME|$HENCE_CC|" want | diff - got >diffs || fail "$(cat diffs)"
# The same through the stand-ins, and with the flags of a hardened distribution.
CC=gcc CFLAGS="-g -O2 -flto=auto -D_FORTIFY_SOURCE=2 -fstack-clash-protection -fcf-protection" \
	"$HENCE" build sh configure >got 2>err || fail "configure under hence build"
sed "s|CCNAME|gcc|" want | diff - got >diffs || fail "$(cat diffs)"
clean
