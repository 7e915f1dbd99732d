#!/bin/bash
# Reducing keeps the failure: of two errors with the same status the one with the same message, whatever it names of the input.
source "$SRC/tests/run/lib.sh"

cat >check.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void die(const char *what, const char *name, int line)
{
	fprintf(stderr, "line %d: %s %s\n", line, what, name);
	exit(1);
}
int main(int argc, char **argv)
{
	char s[100], seen[100] = "";
	int line = 0;
	while (fgets(s, sizeof s, stdin)) {
		line++;
		s[strcspn(s, "\n")] = 0;
		if (!strcmp(s, seen))
			die("repeated", s, line);
		if (s[0] < 'a' || s[0] > 'z')
			die("misspelt", s, line);
		strcpy(seen, s);
	}
	printf("%d lines\n", line);
	return 0;
}
END
"$HENCE_CC" -g check.c -o check || fail "cannot build check"
printf 'one\ntwo\nfour\nfour\nfive\n' >in
# A single byte that is no letter makes another error with the same status, and so does an empty line.
hence_exits 0 reduce --stdin in -o small -- ./check
./check <small 2>err && fail "it does not fail"
grep -q 'repeated' err || fail "another failure: $(<err)"
lines=$(grep -c '' small)
[[ $lines == 2 ]] || fail "not the smallest: $(<small)"
