#!/bin/bash
# Of several recorded processes one is shown.
source "$SRC/tests/trace/lib.sh"
build prog <<'END'
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	int x = 1;
	if (fork() == 0) {
		x = 2;
		_exit(0);
	}
	wait(&x);
	return 0;
}
END
trace 0 -- ./prog
like err "hence: note: this is process 1 of 2; --process N chooses: 1 $PWD/prog, 2 $PWD/prog"
like out ' +[0-9]+  prog\.c:10 +main +wait\(&x\) = [0-9]+   \(wrote x = 0\)'
! grep -q 'x = 2' out || fail "that is the child's"
trace 0 --process 2 -- ./prog
[[ ! -s err ]] || fail "a note"
like out ' +[0-9]+  prog\.c:7 +main +x = 2'
like out ' +[0-9]+  prog\.c:8 +main +_exit\(0\)  did not return'
printf '#!/bin/sh\n./prog\n' >both.sh
chmod +x both.sh
trace 0 -- ./both.sh
like out ' +1  prog\.c:5 +main +x = 1'
