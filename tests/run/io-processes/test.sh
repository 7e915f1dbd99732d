#!/bin/bash
# --io with several processes: each tape has its own part, and a child knows what its parent had opened.
source "$SRC/tests/run/lib.sh"
build both <<'EOF'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	FILE *f = fopen("data", "r");
	char text[20];
	int ends[2], status;
	fread(text, 1, 4, f);
	printf("parent\n");
	fflush(stdout);
	pipe(ends);
	if (!fork()) {
		fread(text, 1, 3, f);
		write(ends[1], text, 3);
		_exit(0);
	}
	wait(&status);
	read(ends[0], text, 3);
	fwrite(text, 1, 3, stdout);
	return 0;
}
EOF
printf 'abcdefghij' >data
run 0 --account account --io io -- ./both
only out "parent
efg"
sed -n '/^# tape 0:/,/^# tape 1:/p' io >parent
sed -n '/^# tape 1:/,$p' io >child
like child '# tape 1: .*/both, forked from tape 0, 1 argument at .*'
cat >wanted <<'EOF'
both.c:9:2 fread: data[0..4) -> argument 1
both.c:10:2 printf: stdout[0..7)
EOF
grep -E ' (fread|printf):' parent | diff wanted - >difference || fail "parent: $(<difference)"
like parent 'both\.c:19:2 read: fd [0-9]+\[0\.\.3\) -> argument 2'
like parent 'both\.c:20:2 fwrite: stdout\[7\.\.10\) <- argument 1'
[[ $(grep -c '^both' child) == 2 ]] || fail "the child has its own two lines only"
has child "both.c:14:3 fread: data[4..7) -> argument 1"
like child 'both\.c:15:3 write: fd [0-9]+\[0\.\.3\) <- argument 2'

# Two programs that a script runs.
build one <<'EOF'
#include <stdio.h>
int main(void) { return puts("from one") < 0; }
EOF
build two <<'EOF'
#include <stdio.h>
int main(void)
{
	char text[20];
	return !fgets(text, sizeof(text), stdin);
}
EOF
printf '#!/bin/sh\n./one >file\n./two <file\n' >script
chmod +x script
run 0 --io io -- ./script
[[ $(grep -v '^#' io) == "one.c:2:25 puts: stdout[0..9)
two.c:5:10 fgets: stdin[0..9) -> argument 1" ]] || fail "$(<io)"
[[ $(grep -c '^# tape' io) == 2 ]] || fail "two tapes have two heads"
