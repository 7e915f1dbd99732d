#!/bin/bash
# What is expected: a status, files that the program writes, output; and inputs with which it is right, files among them.
source "$SRC/tests/run/lib.sh"

# --- a status: right output with a status other than 0 is right, if that was expected ---
cat >limit.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int n = atoi(argv[1]);
	if (n > 5) {
		printf("too big\n");
		exit(2);
	}
	printf("ok %d\n", n);
	return 0;
}
END
"$HENCE_CC" -g limit.c -o limit || fail "cannot build limit"
hence_exits 0 explain --expect-text 'too big' --expect-status 2 --save r.json -- ./limit 5
like out '.*n > 5.*'
like out '.*prints "too big" \(not "ok 5"\).*|.*too big.*'
hence_exits 0 verify r.json
# Without a word about the status it must be that of the failing run.
hence_exits 3 explain --expect-text 'too big' -- ./limit 5
# The status alone.
hence_exits 0 explain --expect-status 2 -- ./limit 5
like out './limit exits with 0, not 2'
hence_exits 1 explain --expect-status 2 -- ./limit 6
only err 'hence: ./limit does not fail: exited with status 2; that is what is expected'
hence_exits 2 explain --expect-status 256 -- ./limit 6
hence_exits 2 explain --expect-status 2 --test true -- ./limit 6

# --- the failing input is not reduced: of another one nobody knows what is right ---
cat >sum.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int sum = 0;
	for (int i = 2; i < argc; i++)
		sum += atoi(argv[i]);
	printf("sum %d of %d\n", sum, argc - 1);
	return 0;
}
END
"$HENCE_CC" -g sum.c -o sum || fail "cannot build sum"
"$HENCE" explain --no-edits --expect-text 'sum 6 of 3' -- ./sum 1 2 3 </dev/null >out 2>err
! grep -q 'reduced first' out || fail "the input was reduced: $(<out)"

# --- a file that the program writes ---
cat >conv.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int upper;
static char sep[8] = ",";
static void config(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[100];
	if (!f)
		return;
	while (fgets(line, sizeof line, f)) {
		char *eq = strchr(line, '=');
		if (!eq)
			continue;
		*eq++ = 0;
		eq[strlen(eq) - 1] = 0;
		if (!strcmp(line, "upper"))
			upper = !strcmp(eq, "yes");
		else if (!strcmp(line, "sep"))
			strcpy(sep, eq);
	}
	fclose(f);
}
int main(int argc, char **argv)
{
	FILE *in, *out;
	int c;
	config(argv[1]);
	in = fopen("in.txt", "r");
	out = fopen("out.txt", "w");
	if (!in || !out)
		return 1;
	while ((c = fgetc(in)) != EOF)
		if (c == ' ')
			fputs(sep, out);
		else
			fputc(upper && c >= 'a' && c <= 'z' ? c - 32 : c, out);
	fclose(out);
	return 0;
}
END
"$HENCE_CC" -g conv.c -o conv || fail "cannot build conv"
printf 'a b\n' >in.txt
printf 'A;B\n' >right.txt
printf 'sep=;\nupper=yes' >conv.cfg
printf 'sep=;\nupper=yes\n' >good.cfg
"$HENCE" explain --no-edits --expect-file out.txt=right.txt --pass good.cfg -- ./conv conv.cfg </dev/null >out 2>err
like out './conv does not write out.txt as expected: it has "a;b", not "A;B" .line 1.'
! grep -q 'does not pass' out || fail "good.cfg passes: $(<out)"
"$HENCE" explain --no-edits --expect-file out.txt=right.txt --pass-file conv.cfg=good.cfg -- ./conv conv.cfg </dev/null >out 2>err
grep -q 'conv.cfg: .*given with' out || fail 'not compared with good.cfg'
[[ ! -e out.txt ]] || fail "the program wrote to the user's directory"
hence_exits 1 explain --expect-file out.txt=right.txt -- ./conv good.cfg
only err 'hence: ./conv does not fail: the test exited with 0; all is what is expected'
hence_exits 2 explain --expect-file out.txt -- ./conv conv.cfg
hence_exits 2 explain --expect-file out.txt=none.txt -- ./conv conv.cfg
hence_exits 2 explain --pass-file conv.cfg -- ./conv conv.cfg

# --- a test that looks at a file: the program can write, with a passing input too ---
printf '"$@" >/dev/null || exit 1\ncmp -s out.txt right.txt\n' >check.sh
"$HENCE" explain --no-edits --test 'sh ./check.sh "$@"' --pass good.cfg -- ./conv conv.cfg </dev/null >out 2>err
! grep -q 'does not pass' out || fail "good.cfg passes: $(<out)"

# --- a memory error is a failure though the output is what was expected ---
cat >over.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int n = atoi(argv[1]), sum = 0;
	int *a = malloc(4 * sizeof *a);
	for (int i = 0; i <= n; i++)
		a[i] = i;
	for (int i = 0; i < n; i++)
		sum += a[i];
	printf("%d\n", sum);
	free(a);
	return 0;
}
END
"$HENCE_CC" -g over.c -o over || fail "cannot build over"
"$HENCE" explain --expect-text 6 -- ./over 4 </dev/null >out 2>err
like out './over exits with 0, but makes a memory error'
like out 'memory error: over.c:8 writes .*'
