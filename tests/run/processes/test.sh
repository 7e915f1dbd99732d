#!/bin/bash
# Scripts, forks and exec: each process has its own tape, each with its own outcome.
source "$SRC/tests/run/lib.sh"
build work <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int twice(int n) { return 2 * n; }
int main(int argc, char **argv)
{
	int n = atoi(argv[1]), status;
	if (n < 0) {
		if (!fork())
			_exit(twice(2));
		wait(&status);
		return WEXITSTATUS(status) + 1;
	}
	if (n > 100) {
		char text[20];
		sprintf(text, "%d", n - 100);
		execl("./work", "./work", text, (char *)0);
	}
	if (n == 9)
		return *(volatile int *)0;
	printf("%d\n", twice(n));
	return n;
}
END
cat >test.sh <<'END'
#!/bin/sh
./work 1
./work 9 2>/dev/null
./work 2 | cat
exit 6
END
chmod +x test.sh
run 6 --account account -- ./test.sh
[[ $(tr '\n' ' ' <out) == "2 4 " ]] || fail "output"
has account "outcome: exit 6"
has account "tapes: 3"
has account "functions: 5"
like account 'tape 0: pid [0-9]+ parent 0 functions 2 .* program .*/work outcome exit 1'
like account 'tape 1: .* functions 1 .* outcome signal SIGSEGV at work\.c:[0-9]+:[0-9]+ in main'
like account 'tape 2: .* outcome exit 2'
run 6 -- ./test.sh
has err "hence: ./test.sh exited with status 6"
has err "hence: tape 0: ./work exited with status 1"
like err 'hence: tape 1: \./work was killed by SIGSEGV \(invalid address 0x0\) at work\.c:[0-9:]+ in main\(\)'
like err 'hence: 5 function calls, .*'

# Without '#!' the shell runs it all the same; so do a shell and env in front.
sed 1d test.sh >plain.sh
chmod +x plain.sh
run 6 --account account -- ./plain.sh
has account "tapes: 3"
run 6 --account account -- sh ./test.sh
has account "tapes: 3"
run 5 --account account -- env X=1 ./work 5
has account "tapes: 1"

run 5 --account account -- ./work -1
has account "tapes: 2"
like account 'tape 1: pid [0-9]+ parent 0 .* program .*/work outcome exit 4'
run 5 -- ./work -1
has err "hence: tape 1: ./work (fork from tape 0) exited with status 4"

run 3 --account account -- ./work 203
has account "outcome: exit 3"
has account "tapes: 3"
like account 'tape 0: .* outcome exec'
like account 'tape 1: .* outcome exec'
like account 'tape 2: .* outcome exit 3'

# Many: ten lines and a count.
printf '#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8 9 10 11 12; do ./work 0; done >/dev/null\n' >many.sh
chmod +x many.sh
run 0 -- ./many.sh
[[ $(grep -c '^hence: tape [0-9]*: ' err) == 10 ]] || fail "not ten lines"
has err "hence: and 2 more tapes"
