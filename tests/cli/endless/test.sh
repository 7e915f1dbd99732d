#!/bin/bash
# A first run that seems endless is noticed within seconds, without --timeout, and is explained as a hang; limits other than the
# time are said.
source "$SRC/tests/run/lib.sh"

cat >search.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static int find(const int *t, int n, int v)
{
	int lo = 0, hi = n;
	while (lo < hi) {
		int mid = (lo + hi) / 2;
		if (t[mid] < v)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}
int main(int argc, char **argv)
{
	int t[] = {1, 3, 5, 7, 9, 11};
	printf("%d\n", find(t, 6, atoi(argv[1])));
	return 0;
}
END
"$HENCE_CC" -g search.c -o search || fail "cannot build search"
hence_exits 0 explain --no-edits --pass 1 -- ./search 6
like err 'hence: the program has computed for 5 seconds without reading or writing: .*'
# The loop, and what does not get on in it.
like out './search does not end: the loop at search.c:6 .*'
tr -s ' \n' ' ' <out >flat
grep -q 'lo < hi is true with lo = 2, hi = 3, which do not change' flat || fail "what does not change is not named"
like out 'compared with: ./search 1 \(given with --pass\)'

cat >much.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	static char b[1 << 20];
	memset(b, 'x', sizeof b);
	for (int i = 0; i < 1100; i++)
		fwrite(b, 1, sizeof b, stdout);
	printf("%d\n", 100 / atoi(argv[1]));
	return 0;
}
END
"$HENCE_CC" -g much.c -o much || fail "cannot build much"
hence_exits 2 explain -- ./much 0
like err 'hence: ./much was stopped when it had written 1 GB to one file or to its output, .*'
