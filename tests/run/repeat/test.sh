#!/bin/bash
# --check-repeat: equal runs, runs that part, and input that cannot be read twice.
source "$SRC/tests/run/lib.sh"
build same <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv)
{
	char *p = malloc(100), line[100];
	int n = 0;
	while (fgets(line, sizeof(line), stdin))
		n += line[0];
	printf("%d %d\n", n, p == (char *)&n);
	srand(5);
	return rand() % 2 + (time(0) == 0) + 20;
}
END
printf 'one\ntwo\n' >input
"$HENCE" run -- ./same <input >first 2>/dev/null
code=$?
run "$code" --stdin input --check-repeat -- ./same
cmp -s first out || fail "the second run's output is seen"
like err 'hence: two runs gave the same tape \([0-9,]+ bytes\)'
"$HENCE" run --check-repeat -- ./same <input >out 2>err
[[ $? == "$code" ]] || fail "exit code"
like err 'hence: two runs gave the same tape \([0-9,]+ bytes\)'
run "$("$HENCE" run -- ./same </dev/null >/dev/null 2>&1; echo $?)" --stdin /dev/null --check-repeat -- ./same

echo x | "$HENCE" run --check-repeat -- ./same >out 2>err
[[ ${PIPESTATUS[1]} == 2 ]] || fail "exit code"
only err "hence: --check-repeat must read standard input twice, so it must be a file or /dev/null; use --stdin FILE"
only out ""

build parts <<'END'
#include <stdio.h>
static int flip(const char *name)
{
	FILE *f = fopen(name, "r");
	if (f) {
		fclose(f);
		return 1;
	}
	return 0;
}
int main(void)
{
	FILE *f;
	if (flip("state")) /* here */
		return 1;
	f = fopen("state", "w");
	fclose(f);
	return 0;
}
END
run 3 --stdin /dev/null --check-repeat -- ./parts
like err 'hence: two runs differ at byte [0-9,]+, at parts\.c:[0-9]+:[0-9]+ in (flip|main)\(\).*'
