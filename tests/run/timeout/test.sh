#!/bin/bash
# --timeout kills the whole tree and says so.
source "$SRC/tests/run/lib.sh"
build forever <<'END'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	fork();
	FILE *f = fopen("pids", "a");
	fprintf(f, "%d\n", (int)getpid());
	fclose(f);
	for (;;)
		usleep(1000);
}
END
run 137 --timeout 0.5 -- ./forever
has err "hence: ./forever ran longer than 0.5 s (--timeout) and was killed"
[[ $(wc -l <pids) == 2 ]] || fail "not two processes"
for pid in $(<pids); do
	gone "$pid" || fail "process $pid still runs"
done
run 137 --timeout=0.3 --account account -- ./forever
has account "outcome: timeout"
build quick <<'END'
int main(void) { return 3; }
END
run 3 --timeout 100 -- ./quick
