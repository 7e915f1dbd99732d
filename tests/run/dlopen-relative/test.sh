#!/bin/bash
# A library loaded by a relative path, by a program that stands in another folder than hence: its IR
# is found all the same.
source "$SRC/tests/run/lib.sh"
mkdir folder
build folder/prog -ldl <<'END'
#include <dlfcn.h>
int main(void)
{
	void *library = dlopen("./plug.so", RTLD_NOW);
	int (*twice)(int) = library ? (int (*)(int))dlsym(library, "twice") : 0;
	return twice ? twice(21) : 1;
}
END
echo 'int twice(int n) { return 2 * n; }' >plug.c
"$HENCE_CC" -shared -fPIC -o folder/plug.so plug.c || fail "cannot build the library"
printf '#!/bin/sh\ncd folder && ./prog\n' >script
chmod +x script
run 42 --account account -- ./script
has account "functions: 2"
