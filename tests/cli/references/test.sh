#!/bin/bash
# Which runs a failing one may be compared with, and what is said of those that are of no use.
source "$SRC/tests/run/lib.sh"

cat >list.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static const char *names[] = {"zero", "one", NULL, "three"};
int main(int argc, char **argv)
{
	int n = atoi(argv[1]);
	if (n > 3) {
		fprintf(stderr, "list: no such number: %d\n", n);
		return 1;
	}
	if (n == 3)
		abort();
	printf("%c\n", names[n][0]);
	return 0;
}
END
"$HENCE_CC" -g list.c -o list || fail "cannot build list"

# --- a run that ends with a message and status 1 is a reference for a crash ---
hence_exits 0 explain --no-edits --pass 7 -- ./list 2
like out 'compared with: ./list 7 \(given with --pass\)'
like out '.*proven both ways.*'

# --- what fails, too, is said with how ---
"$HENCE" reduce --pass 2x -- ./list 2 </dev/null >out 2>err
like err 'hence: the passing input does not pass: ./list fails with it, too \(it was killed by SIGSEGV.*\); give one with which it does not fail'
cat >status.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	if (argc > 1 && argv[1][0] == 'b') {
		fprintf(stderr, "status: bad word\n");
		return 3;
	}
	puts("good");
	return 0;
}
END
"$HENCE_CC" -g status.c -o status || fail "cannot build status"
"$HENCE" reduce --pass bb -- ./status bad </dev/null >out 2>err
like err "hence: the passing input does not pass: ./status fails with it, too \(it exited with status 3: 'status: bad word'\); give one with which it does not fail"

# --- another build that only writes something else to standard error ---
sed 's/bad word/good word/' status.c >other.c
"$HENCE_CC" -g other.c -o other || fail "cannot build other"
"$HENCE" explain --pass-prog ./other -- ./status bad </dev/null >out 2>err
like out './status exits with 3 as the other build, but writes something else to standard'
like out '- the failure cannot be compared with the reference: both runs print the same'
like out '  status\.c:6.*the other build has: fprintf.*'
hence_exits 1 explain --pass-prog ./status -- ./status bad

# --- what only confinement makes fail is not explained ---
cat >socket.c <<'END'
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int s = socket(AF_INET, SOCK_STREAM, 0);
	if (s < 0) {
		perror("socket");
		return 1;
	}
	close(s);
	puts("fine");
	return 0;
}
END
"$HENCE_CC" -g socket.c -o socket || fail "cannot build socket"
hence_exits 3 explain -- ./socket 4
only err 'hence: ./socket exits with 1, but hence runs it confined, and socket() was refused, which may be the reason; with --unconfined it may do what you may do'
hence_exits 1 explain --unconfined -- ./socket 4
mkdir outside inside
cat >log.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	FILE *f = fopen(argv[1], "w");
	fprintf(f, "start\n");
	fclose(f);
	return 0;
}
END
"$HENCE_CC" -g log.c -o inside/log || fail "cannot build log"
cd inside || exit 1
hence_exits 3 explain -- ./log "$OLDPWD/outside/file"
like err 'hence: ./log dies of SIGSEGV .*, but hence runs it confined, and open\(".*/outside/file"\) for writing was refused, .*'
[[ ! -e ../outside/file ]] || fail "the file was written"
