/* Dual slices of small programs: what is in them was worked out by hand. */
#include "slice_dual.h"

#define HEAD "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
#define MAIN "int main(int argc, char **argv)\n{\n"

static void equal_values(void **state)
{
	dual_check(HEAD MAIN "	int n = atoi(argv[1]); /*n*/\n"
	                     "	int k = n % 2; /*k*/\n"
	                     "	int c = 5; /*c*/\n"
	                     "	int z = k * 0; /*z*/\n"
	                     "	int r = n + z + c; /*r*/\n"
	                     "	printf(\"%d\\n\", r); /*out*/\n"
	                     "	return 0;\n}\n",
	           "3", "4", "out", "n r out", "n r out");
}

/* A value stands because the statement was not executed: the branch is why, in both runs. */
static void omission(void **state)
{
	dual_check(HEAD MAIN "	int x = 1; /*x*/\n"
	                     "	int same = argc; /*same*/\n"
	                     "	int flag = argv[1][0] == 'y'; /*flag*/\n"
	                     "	if (same) /*both*/\n"
	                     "		if (flag) /*if*/\n"
	                     "			x = 2; /*set*/\n"
	                     "	printf(\"%d\\n\", x); /*out*/\n"
	                     "	return 0;\n}\n",
	           "n", "y", "out", "x flag if out", "x flag if set out");
}

/* The element that is read is another: both are where the values came from, the third is not. */
static void array_index(void **state)
{
	dual_check(HEAD MAIN "	int a[3], i = argv[1][0] - '0'; /*i*/\n"
	                     "	a[0] = argc; /*zero*/\n"
	                     "	a[1] = 10; /*one*/\n"
	                     "	a[2] = 20; /*two*/\n"
	                     "	printf(\"%d\\n\", a[i]); /*out*/\n"
	                     "	return 0;\n}\n",
	           "1", "2", "out", "i one two out", "i one two out");
}

/* The same statement ends both texts, but elsewhere: what is read there differs for that. */
static void written_elsewhere(void **state)
{
	dual_check(HEAD MAIN "	char name[20]; /*name*/\n"
	                     "	strcpy(name, \"size=3\"); /*fixed*/\n"
	                     "	size_t n = strlen(argv[1]); /*n*/\n"
	                     "	name[n] = 0; /*end*/\n"
	                     "	char *value = strchr(name, '='); /*value*/\n"
	                     "	puts(value ? value : \"none\"); /*out*/\n"
	                     "	return 0;\n}\n",
	           "xxxx", "xxxxxx", "out", "fixed n end value out", "fixed n end value out");
}

/* What one write made for all elements is the same in both runs, whichever is read. */
static void filled_at_once(void **state)
{
	dual_check(HEAD MAIN "	int a[3] = {10, 20, 30}; /*a*/\n"
	                     "	int i = argv[1][0] - '0'; /*i*/\n"
	                     "	printf(\"%d\\n\", a[i]); /*out*/\n"
	                     "	return 0;\n}\n",
	           "1", "2", "out", "i out", "i out");
}

static void moved_blocks(void **state)
{
	dual_check(HEAD "struct node { int v, w; struct node *next; };\n" MAIN
	                "	void *pad = malloc(atoi(argv[1])); /*pad*/\n"
	                "	struct node *p = malloc(sizeof(*p)); /*p*/\n"
	                "	p->next = malloc(sizeof(*p)); /*next*/\n"
	                "	p->next->v = 3; /*v*/\n"
	                "	p->next->w = argv[1][0]; /*w*/\n"
	                "	struct node copy = *p; /*copy*/\n"
	                "	int r = copy.next->v + p->next->w; /*r*/\n"
	                "	printf(\"%d\\n\", r); /*out*/\n"
	                "	return pad == p;\n}\n",
	           "16", "90000", "out", "w r out", "w r out");
}

static void strings(void **state)
{
	dual_check(HEAD MAIN "	char a[20], b[20], c[40];\n"
	                     "	strcpy(a, argv[1]); /*copy*/\n"
	                     "	sprintf(b, \"%d\", 42); /*fixed*/\n"
	                     "	sprintf(c, \"%s-%s\", a, b); /*join*/\n"
	                     "	puts(c); /*out*/\n"
	                     "	return 0;\n}\n",
	           "abc", "abd", "out", "copy join out", "copy join out");
}

/* Of a copy only bytes that differ are followed. */
static void structures(void **state)
{
	dual_check(HEAD "struct s { int x, y[30]; };\n"
	                "static struct s twice(struct s s)\n{\n"
	                "	s.x *= 2; /*double*/\n	return s;\n}\n" MAIN
	                "	struct s s = {0}, t;\n"
	                "	s.x = atoi(argv[1]); /*x*/\n"
	                "	s.y[0] = argc; /*y*/\n"
	                "	t = twice(s); /*call*/\n"
	                "	int r = t.x + t.y[0]; /*r*/\n"
	                "	printf(\"%d\\n\", r); /*out*/\n"
	                "	return 0;\n}\n",
	           "3", "4", "out", "double x call r out", "double x call r out");
}

/* The second run goes deeper. */
static void recursion(void **state)
{
	dual_check(HEAD "static int sum(int n)\n{\n"
	                "	if (n == 0) /*test*/\n"
	                "		return 0; /*zero*/\n"
	                "	return n + sum(n - 1); /*more*/\n}\n" MAIN
	                "	int n = atoi(argv[1]); /*n*/\n"
	                "	int r = sum(n); /*r*/\n"
	                "	printf(\"%d\\n\", r); /*out*/\n"
	                "	return 0;\n}\n",
	           "1", "3", "out", "test zero more n r out", "test zero more n r out");
}

/* An iteration more: the loop's test is why. */
static void loops(void **state)
{
	dual_check(HEAD MAIN "	int n = atoi(argv[1]), s = 0, q = 0; /*n*/\n"
	                     "	for (int i = 0; i < n; i++) { /*for*/\n"
	                     "		q ^= i; /*q*/\n"
	                     "		s += 2; /*s*/\n"
	                     "	}\n"
	                     "	printf(\"%d\\n\", s); /*out*/\n"
	                     "	return q;\n}\n",
	           "2", "3", "out", "n for s out", "n for s out");
}

static void called_through_pointers(void **state)
{
	dual_check(HEAD "static int one(int x) { return x + 1; /*one*/ }\n"
	                "static int two(int x) { return x + 2; /*two*/ }\n" MAIN
	                "	int (*f)(int) = argv[1][0] == 'a' ? one : two; /*f*/\n"
	                "	int x = argc; /*x*/\n"
	                "	int r = f(x); /*r*/\n"
	                "	printf(\"%d\\n\", r); /*out*/\n"
	                "	return 0;\n}\n",
	           "a", "b", "out", "one f r out", "two f r out");
}

/* Only one run prints: why it came there. */
static void only_in_one(void **state)
{
	dual_check(HEAD MAIN "	int n = atoi(argv[1]); /*n*/\n"
	                     "	int k = argc; /*k*/\n"
	                     "	if (n > 3) /*if*/\n"
	                     "		printf(\"%d\\n\", k); /*out*/\n"
	                     "	return 0;\n}\n",
	           "3", "4", "out", "n if", "n if out");
}

/* The loop's last test controls it, which only the second run came to. */
static void early_return(void **state)
{
	dual_check(HEAD MAIN "	int n = atoi(argv[1]); /*n*/\n"
	                     "	for (int i = 0; i < 3; i++) /*for*/\n"
	                     "		if (i == n) /*if*/\n"
	                     "			return 1; /*left*/\n"
	                     "	printf(\"%d\\n\", 7); /*out*/\n"
	                     "	return 0;\n}\n",
	           "1", "5", "out", "n if", "n for if out");
}

/* Each side is in one run only, but what it reads is the same in both. */
static void conditional_values(void **state)
{
	dual_check(HEAD MAIN "	int n = atoi(argv[1]); /*n*/\n"
	                     "	int a = 3; /*a*/\n"
	                     "	int b = 4; /*b*/\n"
	                     "	int c = argc; /*c*/\n"
	                     "	int r = (n > 5 ? a : b) + (c && n); /*r*/\n"
	                     "	printf(\"%d\\n\", r); /*out*/\n"
	                     "	return 0;\n}\n",
	           "3", "8", "out", "n r out", "n r out");
}

/* --- how it ends --- */

static void returned(void **state)
{
	dual_check(HEAD MAIN "	int n = atoi(argv[1]); /*n*/\n"
	                     "	int k = argc; /*k*/\n"
	                     "	return n + k; /*ret*/\n}\n",
	           "3", "4", "ret", "n ret", "n ret");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_values),
		cmocka_unit_test(omission),
		cmocka_unit_test(array_index),
		cmocka_unit_test(written_elsewhere),
		cmocka_unit_test(filled_at_once),
		cmocka_unit_test(moved_blocks),
		cmocka_unit_test(strings),
		cmocka_unit_test(structures),
		cmocka_unit_test(recursion),
		cmocka_unit_test(loops),
		cmocka_unit_test(called_through_pointers),
		cmocka_unit_test(only_in_one),
		cmocka_unit_test(early_return),
		cmocka_unit_test(conditional_values),
		cmocka_unit_test(returned),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
