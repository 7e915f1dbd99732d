#!/bin/bash
# A program that does not end by itself: what it did so far, and where it was.
source "$SRC/tests/trace/lib.sh"

build spin <<'END'
int main(void)
{
	for (;;)
		;
}
END
trace 0 --timeout 1 -- ./spin
[[ ! -s out ]] || fail "there was no statement"
has err 'hence: ./spin was stopped by --timeout'
has err 'hence: when it was stopped, after 0 statements, it was at spin.c:3 in main()'

build nap <<'END'
#include <unistd.h>
static void nap(void)
{
	sleep(100);
}
int main(void)
{
	nap();
	return 0;
}
END
trace 0 --timeout 1 -- ./nap
like out ' +2  nap\.c:4 +nap   sleep\(100\)  did not return'
has err 'hence: when it was stopped, after 2 statements, it was at nap.c:4 in nap(), in a call of sleep()'

# --to ends the reading before the end: then nobody knows.
trace 0 --timeout 1 --to 1 -- ./nap
only err 'hence: ./nap was stopped by --timeout'

# Threads are recorded up to the second one.
build threads -pthread <<'END'
#include <pthread.h>
static int count;
static void *work(void *arg) { count++; return arg; }
int main(void)
{
	pthread_t thread;
	if (!count)
		count = 1;
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	return count;
}
END
trace 0 -- ./threads
like out ' +1  threads\.c:7 +main  count != 0 is false   \(read count = 0\)'
like err 'hence: threads are not supported yet: .*'
