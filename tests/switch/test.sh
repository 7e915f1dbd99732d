#!/bin/bash
# Critical predicates from end to end: faults of several kinds, and which branches hide them, by reasoning.
source "$SRC/tests/run/lib.sh"

# switches CODE ARGS...
switches() {
	hence_exits "$1" switch "${@:2}"
}

# finds N: so many predicates are told.
finds() {
	[[ $(grep -c 'would have passed' out) == "$1" ]] || fail "not $1 predicates: $(<out)"
}

# --- a wrong branch: the discount is given for 9 though it begins with 10. Not giving it mends it. ---
build price -g <<'END_C'
#include <stdio.h>
#include <stdlib.h>
static int price(int count)
{
	int sum = count * 5;
	if (count > 8)
		sum -= 10;
	return sum;
}
int main(int argc, char **argv)
{
	printf("%d\n", price(atoi(argv[1])));
	return 0;
}
END_C
switches 0 --expect-text 45 -- ./price 9
finds 1
like out 'price\.c:6:[0-9]+ in price\(\): count > 8 is true; had it been false, the program would have passed'
like out '1 critical predicate; 1 of 1 switched branches tried, .*'

# --- a loop that takes one too many: it must end before its last round ---
build sum -g <<'END_C'
#include <stdio.h>
int main(void)
{
	int a[] = {1, 2, 3, 4}, sum = 0;
	for (int i = 0; i <= 3; i++)
		sum += a[i];
	printf("%d\n", sum);
	return 0;
}
END_C
switches 0 --expect-text 6 -- ./sum
finds 1
like out 'sum\.c:5:[0-9]+ in main\(\): i <= 3 is true \(instance 4 of 5\); had it been false, the program would have passed'

# --- a switch: letters that are no vowel ---
build kind -g <<'END_C'
#include <stdio.h>
static const char *kind(int c)
{
	switch (c) {
	case 'a': case 'e': case 'y': return "vowel";
	case '1': return "digit";
	default: return "other";
	}
}
int main(int argc, char **argv)
{
	puts(kind(argv[1][0]));
	return 0;
}
END_C
switches 0 --all --expect-text other -- ./kind y
finds 1
like out "kind\.c:4:[0-9]+ in kind\(\): switch \(c\) goes to case .*; had it gone to default, the program would have passed"
like out '1 critical predicate; 2 of 2 .*'

# --- a missing check, and a crash: the list is not empty, but find() was told so. Nobody says what is right. ---
build find -g <<'END_C'
#include <stdio.h>
#include <stddef.h>
struct node { int key; struct node *next; };
static struct node *find(struct node *list, int key)
{
	for (; list; list = list->next)
		if (list->key == key)
			return list;
	return NULL;
}
int main(int argc, char **argv)
{
	struct node b = {2, NULL}, a = {1, &b}, *found;
	if (argc > 9)
		return 0;
	printf("looking\n");
	found = find(&a, argc + 2);
	printf("%d\n", found->key);
	return 0;
}
END_C
switches 0 --all -- ./find
# Either of the two comparisons finds something. Leaving main() at once is no crash either, but no work.
finds 3
like out 'find\.c:7:[0-9]+ in find\(\): list->key == key is false \(instance 1 of 2\); had it been true, the program would have passed'
like out 'find\.c:7:[0-9]+ in find\(\): list->key == key is false \(instance 2 of 2\); had it been true, the program would have passed'
like out 'find\.c:14:[0-9]+ in main\(\): argc > 9 is false; had it been true, the program would have passed, but without .*'
[[ $(grep -n 'find.c:14' out | cut -d: -f1) -gt $(grep -n 'instance 1' out | cut -d: -f1) ]] ||
	fail "what gives up comes first"

# --- omission: a flag is not set, so the line is not printed. The branch that was not taken is the one. ---
build flag -g <<'END_C'
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
	int verbose = 0, done = 0;
	if (strcmp(argv[1], "-V") == 0)
		verbose = 1;
	for (int i = 0; i < 2; i++)
		done += i;
	if (verbose)
		printf("verbose\n");
	printf("%d\n", done);
	return 0;
}
END_C
printf 'verbose\n1\n' >right
switches 0 --all --expect right -- ./flag -v
finds 2
like out 'flag\.c:6:[0-9]+ in main\(\): strcmp\(\) == 0 is false; .*'
like out 'flag\.c:10:[0-9]+ in main\(\): verbose != 0 is false; .*'
# --- the nearest comes first, or the first ---
switches 0 --expect right --all -- ./flag -v
[[ $(grep -m1 'would have' out) == flag.c:10:* ]] || fail "not the nearest first"
switches 0 --expect right --all --first -- ./flag -v
[[ $(grep -m1 'would have' out) == flag.c:6:* ]] || fail "not the first first"

# --- a test judges ---
cat >judge <<'END_SH'
#!/bin/sh
"$@" | grep -qx verbose
END_SH
chmod +x judge
switches 0 --all --test ./judge -- ./flag -v
finds 2
like out 'flag\.c:10:[0-9]+ in main\(\): verbose != 0 is false; .*'

# --- a test that runs the program so that it cannot be switched is told ---
cat >closed <<'END_SH'
#!/bin/bash
env -u HENCE_SERVER "$@" | grep -qx verbose
END_SH
chmod +x closed
switches 3 --all --test ./closed -- ./flag -v
like out '[0-9]+ of [0-9]+ runs did not come to the branch that was to be switched; the test must run .*'

# --- none: a wrong constant ---
build constant -g <<'END_C'
#include <stdio.h>
int main(int argc, char **argv)
{
	if (argc > 1)
		puts("argument");
	printf("%d\n", 41);
	return 0;
}
END_C
switches 3 --expect-text 42 -- ./constant
like out '1 of 1 switched branches tried, none makes the program pass; .*'

# --- a loop without end: it is left ---
build hang -g <<'END_C'
#include <stdio.h>
int main(void)
{
	unsigned i;
	for (i = 3; i >= 0; i--)
		;
	puts("done");
	return 0;
}
END_C
switches 0 --timeout 1 -- ./hang
like out 'hang\.c:5:[0-9]+ in main\(\): .*; had it been false, the program would have passed'

# --- recursion, goto, a callback of qsort(), setjmp(): the right instance is switched ---
build mixed -g <<'END_C'
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf back;
static int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	if (x < y)
		return -1;
	return x > y;
}
static int depth(int n)
{
	if (n == 3)
		longjmp(back, n);
	return depth(n + 1);
}
int main(void)
{
	int a[] = {3, 1, 2}, i = 0;
	qsort(a, 3, sizeof(*a), compare);
	if (setjmp(back) == 0)
		depth(0);
again:
	printf("%d", a[i]);
	if (++i < 2)
		goto again;
	puts("");
	return 0;
}
END_C
switches 0 --all --expect-text 123 -- ./mixed
finds 1
like out 'mixed\.c:26:[0-9]+ in main\(\): .* < 2 is false \(instance 2 of 2\); had it been true, .*'
