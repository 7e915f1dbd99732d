#!/bin/bash
# The account names outside functions without a model, with the number of their calls.
source "$SRC/tests/run/lib.sh"
cat >outside.c <<'EOF'
int a_first(int n) { return n + 1; }
int b_second(int n) { return n + 2; }
int c_third(int n) { return n + 3; }
int d_fourth(int n) { return n + 4; }
int e_fifth(int n) { return n + 5; }
int f_sixth(int n) { return n + 6; }
EOF
"$CLANG" -c outside.c || fail "cannot build outside.c"
build calls outside.o <<'EOF'
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int a_first(int), b_second(int), c_third(int), d_fourth(int), e_fifth(int), f_sixth(int);
int main(int argc, char **argv)
{
	int n = strlen(argv[0]) > 1000, status;
	for (int i = 0; i < 7; i++)
		n = f_sixth(n);
	for (int i = 0; i < 2; i++)
		n = b_second(a_first(n));
	n = c_third(d_fourth(e_fifth(n)));
	if (argc > 1) {
		if (!fork())
			_exit(c_third(0));
		wait(&status);
	}
	return n == 60 ? 0 : n;
}
EOF
run 0 --account account -- ./calls
cat >wanted <<'EOF'
unmodelled-calls: 14
unmodelled: f_sixth 7
unmodelled: a_first 2
unmodelled: b_second 2
unmodelled: c_third 1
unmodelled: d_fourth 1
unmodelled: e_fifth 1
EOF
grep unmodelled account | diff wanted - >difference || fail "$(<difference)"
run 0 -- ./calls
like err 'hence: .* \(14 without a model: f_sixth, a_first, b_second, c_third, d_fourth, \.\.\.\)'

# Those of two processes are added up.
run 0 --account account -- ./calls fork
has account "unmodelled: c_third 2"
has account "unmodelled: f_sixth 7"

# With models there are none.
printf 'a_first, b_second, c_third, d_fourth, e_fifth, f_sixth(n): pure\n' >all.model
run 0 --account account --models all.model -- ./calls
! grep -q '^unmodelled:' account || fail "they have models"
has account "unmodelled-calls: 0"
