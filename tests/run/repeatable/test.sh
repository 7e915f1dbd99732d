#!/bin/bash
# What the system makes different in each run is equal under hence: addresses, the stack canary and the
# pointer guard, also after an exec and in a child.
source "$SRC/tests/run/lib.sh"
build show <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>
static int global;
static void show(void)
{
	unsigned long canary, guard;
	int local;
	__asm__("movq %%fs:0x28, %0" : "=r"(canary));
	__asm__("movq %%fs:0x30, %0" : "=r"(guard));
	printf("%lx %lx %p %p %p %p\n", canary, guard, (void *)&local, (void *)&global,
	       malloc(10), (void *)printf);
	printf("%.16s\n", (char *)getauxval(AT_RANDOM));
	fflush(stdout);
}
int main(int argc, char **argv)
{
	show();
	if (argc == 1)
		execl("./show", "./show", "again", (char *)0);
	if (!fork()) {
		show();
		_exit(0);
	}
	wait(0);
	return 0;
}
END
run 0 -- ./show
mv out first
run 0 -- ./show
diff first out || fail "two runs differ"
[[ $(wc -l <first) == 6 ]] || fail "not all of it was printed"
