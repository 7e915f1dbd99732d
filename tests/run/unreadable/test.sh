#!/bin/bash
# A tape that cannot be read: the others are, the account says which it was, and the exit code is 4, or 2 when that is
# because of the program's file.
source "$SRC/tests/run/lib.sh"
build good <<'EOF'
#include <stdio.h>
int main(void) { return printf("good\n") != 5; }
EOF
build gone.whole <<'EOF'
#include <stdio.h>
int main(void) { return puts("good") < 0; }
EOF
cat >script <<'EOF'
#!/bin/sh
./good
cp gone.whole gone
./gone
rm gone
./good
EOF
chmod +x script
run 2 --account account --io io -- ./script
only out "good
good
good"
only err "hence: tape 1 ($PWD/gone) cannot be read, so the account is not complete"
has account "outcome: exit 0"
has account "functions: 2"
like account "note: tape 1 \($PWD/gone\) cannot be read: .*/00000001\.tape: .*$PWD/gone.*"
like account 'tape 0: .* functions 1 .* outcome exit 0'
like account 'tape 1: pid [0-9]+ parent 1 bytes .* outcome exit 0'
like account 'tape 2: .* functions 1 .* outcome exit 0'
[[ $(grep -c 'printf: stdout' io) == 2 ]] || fail "two tapes can be listed"
like io '# the rest cannot be read: .*gone.*'
run 2 -- ./script
like err "hence: tape 1 \($PWD/gone\) cannot be read: .*"
like err 'hence: 2 function calls, .*'
[[ $(tail -1 err) == "hence: tape 1 ($PWD/gone) cannot be read, so the account is not complete" ]] || fail "last line"

# A program that writes over its tape.
build wild <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[500];
	unsigned long start, end, offset;
	while (fgets(line, sizeof(line), maps))
		if (strstr(line, ".tape") && sscanf(line, "%lx-%lx %*s %lx", &start, &end, &offset) == 3 && offset <= 4096 &&
		    end - start > 8192)
			memset((char *)start + 4096 - offset + atoi(argv[1]), 0xee, 40);
	printf("done\n");
	return 7;
}
EOF
for where in 0 6 26 34; do
	run 4 --account account -- ./wild $where
	only out "done"
	has account "outcome: exit 7"
	like err "hence: tape 0 \($PWD/wild\) cannot be read, so the account is not complete|hence: tape 0 \(a program\) .*"
	like account 'note: tape 0 .* cannot be read: .*00000000\.tape.*'
done
