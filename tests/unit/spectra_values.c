/* Lines that compute the same in two runs: worked out by hand from the source. */
#include "align_pair.h"

#include "spectra/values.h"

static bool never(void *context)
{
	return false;
}

static bool at_once(void *context)
{
	return true;
}

static void test_lines(void **state)
{
	struct pair p = pair_create("static int twice(int x)\n"
	                            "{\n"
	                            "	return 2 * x;\n" /* 3 */
	                            "}\n"
	                            "int main(int argc, char **argv)\n"
	                            "{\n"
	                            "	int n = argv[1][0] - '0', sum = 0;\n" /* 7 */
	                            "	int all = twice(21);\n"               /* 8 */
	                            "	for (int i = 0; i < n; i++)\n"        /* 9 */
	                            "		sum += 5;\n"                  /* 10 */
	                            "	if (n > 9)\n"                         /* 11 */
	                            "		sum = 0;\n"                   /* 12 */
	                            "	return sum > 1000 || all > 100;\n"    /* 13 */
	                            "}\n",
	                            "3", "4");
	struct values *a, *b;
	const char *file = "prog.c";

	pair_must(values_find(&p.runs[0].recording, never, NULL, &a));
	pair_must(values_find(&p.runs[1].recording, never, NULL, &b));
	assert_true(values_same(a, b, file, 3));   /* called with 21 in both */
	assert_true(values_same(a, b, file, 8));   /* its result */
	assert_false(values_same(a, b, file, 7));  /* the argument */
	assert_false(values_same(a, b, file, 9));  /* another number of rounds */
	assert_false(values_same(a, b, file, 10)); /* another sum */
	assert_false(values_same(a, b, file, 11)); /* n, though both are false */
	assert_false(values_same(a, b, file, 12)); /* neither executes it */
	assert_false(values_same(a, b, "other.c", 3));
	values_destroy(a);
	values_destroy(b);
	pair_free(&p);
}

static void test_stopped(void **state)
{
	struct pair p = pair_create("int main(int argc, char **argv)\n"
	                            "{\n"
	                            "	volatile int n = 0;\n"
	                            "	while (n < 100000)\n"
	                            "		n++;\n"
	                            "	return argv[1][0] == 'x';\n"
	                            "}\n",
	                            "3", "4");
	struct values *values;

	pair_must(values_find(&p.runs[0].recording, at_once, NULL, &values));
	assert_null(values);
	pair_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_stopped),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
