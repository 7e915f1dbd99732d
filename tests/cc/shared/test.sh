#!/bin/bash
# Shared libraries: linked, loaded at run time, with a version script; one runtime in the process.
source "$SRC/tests/cc/lib.sh"
cat >lib.c <<'END'
static int calls;
int helper(int x) { return x + ++calls; }
int api(int x) { return helper(x) * 2; }
END
cat >main.c <<'END'
#include <stdio.h>
int api(int);
int main(void) { printf("%d %d\n", api(1), api(1)); return 0; }
END
cat >loads.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	void *lib = dlopen(argv[1], RTLD_NOW);
	int (*api)(int) = lib ? (int (*)(int))dlsym(lib, "api") : NULL;
	if (!api)
		return puts(dlerror()), 1;
	printf("%d %d\n", api(1), api(1));
	return 0;
}
END
good -fPIC -shared lib.c -o libone.so
good main.c -L. -lone -Wl,-rpath,"$PWD" -o linked
says "4 6" ./linked
good loads.c -o loads -ldl
says "4 6" ./loads ./libone.so
"$CLANG" loads.c -o plain-loads
says "4 6" ./plain-loads ./libone.so
good -c -fPIC lib.c
good --shared -Wl,-soname,libtwo.so.1 -Wl,-z,defs -o libtwo.so lib.o
says "4 6" ./loads ./libtwo.so

# The runtime's symbols that a program and a library of it have are exported by both: otherwise each
# would have a runtime of its own.
exported() { nm -D --defined-only "$1" | grep -o 'hence_rt_[a-z_]*$' | sort -u; }
exported loads >runtime
exported libone.so >in-lib
[ -s runtime ] || fail "the program exports no runtime"
[ -s in-lib ] || fail "the library exports no runtime"

# one_runtime PROGRAM LIBRARY: it works, and whatever the library uses of the runtime is the program's.
one_runtime()
{
	says "4 6" "$1" "$2"
	LD_DEBUG=bindings "$1" "$2" 2>&1 | grep "binding file $2 .*hence_rt_" >bindings
	grep -q hence_rt_head bindings || fail "$2 does not use a runtime"
	! grep -vF " to $1 " bindings || fail "$2 has a runtime of its own"
}
one_runtime ./loads ./libone.so
one_runtime ./loads ./libtwo.so

cat >map <<'END'
/* { not here } */
VERS_1 { # nor { here
	global: api;
	local: *;
};
END
for how in -Wl,--version-script=map -Wl,--version-script,map -Wl,-version-script,map \
	'-Wl,-version-script -Wl,map' '-Xlinker --version-script -Xlinker map' \
	'-Xlinker --version-script=map'; do
	rm -f libmap.so
	good -fPIC -shared lib.c $how -o libmap.so
	nm -D --defined-only libmap.so >symbols
	grep -q ' api@@VERS_1' symbols || fail "the interface is gone: $how"
	! grep -q ' helper' symbols || fail "the script has no effect: $how"
	nm -D --defined-only libmap.so | grep -q 'hence_rt_' || fail "the runtime is hidden: $how"
	one_runtime ./loads ./libmap.so
done
for script in "{ global: api; local: *; };" "{ local: helper; };" "V { api; helper; };" "V { };" \
	"V { local: helper; }; W { global: api; } V;"; do
	echo "$script" >map
	good -fPIC -shared lib.c -Wl,--version-script=map -o libmap.so
	nm -D --defined-only libmap.so | grep -q "hence_rt_" || fail "the runtime is hidden: $script"
	one_runtime ./loads ./libmap.so
done
bad 1 "absent.map" -fPIC -shared lib.c -Wl,--version-script=absent.map -o libx.so
grep -q "$TMPDIR" err && fail "a temporary's name in a message"

good -fPIC -shared lib.c -Wl,-Bsymbolic -o libsym.so
one_runtime ./loads ./libsym.so
# Hidden by default: the hooks must not be.
good -fvisibility=hidden -fPIC -shared -Dapi='__attribute__((visibility("default"))) api' lib.c -o libhid.so
one_runtime ./loads ./libhid.so
# A library alone, from a program that was not built by us.
"$CLANG" main.c -L. -lone -Wl,-rpath,"$PWD" -o plain
says "4 6" ./plain
clean
