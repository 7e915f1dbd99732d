/* Alignment of runs of two versions of a program: what is aligned was worked out by hand. */
#include "align_pair.h"

static const char plain[] = "int g;\n"
			    "static int twice(int n)\n"
			    "{\n"
			    "	int r = n * 2; /*r*/\n"
			    "	return r; /*twice*/\n"
			    "}\n"
			    "int main(int argc, char **argv)\n"
			    "{\n"
			    "	int n = argv[1][0] - '0'; /*n*/\n"
			    "	for (int i = 0; i < n; i++) { /*test*/\n"
			    "		g += twice(i); /*body*/\n"
			    "		if (g > 5) /*if*/\n"
			    "			g--; /*large*/\n"
			    "	}\n"
			    "	g += 7; /*after*/\n"
			    "	return 0; /*return*/\n"
			    "}\n";

/* The same text has everything aligned. */
static void test_same(void **state)
{
	struct pair p = pair_versions(plain, plain, "5");

	assert_int_equal(p.al.spans.size, 1);
	assert_int_equal(p.al.spans.at[0].count, p.al.a_statements);
	assert_int_equal(p.al.forks.size, 0);
	pair_free(&p);
}

/* Text with some of it replaced. Caller frees. */
static char *change(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);

	assert_non_null(at);
	return str_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static void test_one_line(void **state)
{
	char *new = change(plain, "int r = n * 2;", "int r = n * 3;");
	struct pair p = pair_versions(plain, new, "3");

	/* The line that was changed is not the same statement. */
	pair_expect(&p, "r", 0, -1);
	pair_expect_alone(&p, "r", 0);
	pair_expect(&p, "twice", 0, 0);
	pair_expect(&p, "body", 0, 0);
	/* 0, 2, 6 and 0, 3, 9: only the third is large in the old version, and in the new one. */
	pair_expect(&p, "large", 0, 0);
	pair_expect(&p, "after", 0, 0);
	pair_expect(&p, "return", 0, 0);
	pair_free(&p);
	p = pair_versions(plain, new, "4");
	/* 0, 2, 6, 5 + 6 and 0, 3, 9, 8 + 9. */
	pair_expect(&p, "large", 1, 1);
	pair_free(&p);
	free(new);
}

/* Another value lets a branch go another way. */
static void test_effect(void **state)
{
	char *new = change(plain, "int r = n * 2;", "int r = n * 9;");
	struct pair p = pair_versions(plain, new, "2");

	pair_expect(&p, "if", 1, 1);
	pair_expect_alone(&p, "large", 0);
	pair_expect_decided(&p, 1, "large", 0, "if", 1);
	pair_expect(&p, "after", 0, 0);
	pair_free(&p);
	free(new);
}

static void test_function_added(void **state)
{
	char *first = change(plain, "int main(",
	                     "static void note(int n)\n{\n	g += n - n; /*note*/\n}\n"
	                     "int main(");
	char *new = change(first, "		if (g > 5)",
	                   "		note(i);\n		if (g > 5)");
	struct pair p = pair_versions(plain, new, "4");

	for (uint32_t i = 0; i < 4; i++) {
		pair_expect_alone(&p, "note", i);
		pair_expect(&p, "r", i, (int)i);
		pair_expect(&p, "if", i, (int)i);
	}
	pair_expect(&p, "after", 0, 0);
	pair_free(&p);
	free(first);
	free(new);
}

static void test_branch_added(void **state)
{
	char *new = change(plain, "		g += twice(i);",
	                   "		if (i == 1) /*new*/\n			continue;\n	"
	                   "	g += twice(i);");
	struct pair p = pair_versions(plain, new, "3");

	pair_expect(&p, "body", 0, 0);
	/* The second round has no body in the new version. */
	pair_expect(&p, "r", 1, -1);
	pair_expect(&p, "r", 2, 1);
	pair_expect(&p, "test", 2, 2);
	pair_expect_alone(&p, "new", 1);
	pair_expect(&p, "after", 0, 0);
	pair_free(&p);
	free(new);
}

/* The lines are indented now. */
static void test_wrapped(void **state)
{
	static const char old[] = "int g;\n"
				  "int main(int argc, char **argv)\n"
				  "{\n"
				  "	g = 1; /*one*/\n"
				  "	g = 2; /*two*/\n"
				  "	g = 3; /*three*/\n"
				  "	return 0; /*return*/\n"
				  "}\n";
	char *new = change(old, "	g = 2; /*two*/\n",
	                   "	if (argv[1][0] == '1') { /*if*/\n		g = 2; "
	                   "/*two*/\n	}\n");
	struct pair p = pair_versions(old, new, "1");

	pair_expect(&p, "one", 0, 0);
	pair_expect(&p, "two", 0, 0);
	pair_expect(&p, "three", 0, 0);
	pair_free(&p);
	p = pair_versions(old, new, "2");
	pair_expect(&p, "one", 0, 0);
	pair_expect(&p, "two", 0, -1);
	pair_expect(&p, "three", 0, 0);
	pair_free(&p);
	free(new);
	/* The other way round, and as a loop. */
	new = change(old, "	g = 2; /*two*/\n",
	             "	for (int i = 0; i < argv[1][0] - '0'; i++) {\n		g = 2; "
	             "/*two*/\n	}\n");
	p = pair_versions(new, old, "3");
	pair_expect(&p, "two", 0, 0);
	pair_expect(&p, "two", 1, -1);
	pair_expect(&p, "two", 2, -1);
	pair_expect(&p, "three", 0, 0);
	pair_expect(&p, "return", 0, 0);
	pair_free(&p);
	free(new);
}

/* The loop's test was changed: the rounds are aligned one after the other. */
static void test_loop_changed(void **state)
{
	char *new = change(plain, "i < n; i++", "i <= n; i++");
	struct pair p = pair_versions(plain, new, "2");

	pair_expect(&p, "test", 0, -1);
	pair_expect(&p, "r", 0, 0);
	pair_expect(&p, "r", 1, 1);
	pair_expect_alone(&p, "r", 2);
	pair_expect(&p, "after", 0, 0);
	pair_free(&p);
	free(new);
}

/* A condition that was changed decides about the same. */
static void test_condition_changed(void **state)
{
	char *new = change(plain, "g > 5", "g > 1");
	struct pair p = pair_versions(plain, new, "2");

	/* 0, 2. */
	pair_expect(&p, "if", 0, 0);
	pair_expect(&p, "if", 1, 1);
	pair_expect_alone(&p, "large", 0);
	pair_expect_decided(&p, 1, "large", 0, "if", 1);
	pair_expect(&p, "after", 0, 0);
	pair_free(&p);
	free(new);
}

/* Branches of a value that is calculated otherwise do not. */
static void test_value_changed(void **state)
{
	char *old = change(plain, "n * 2;", "n > 0 && n < 9;");
	char *new = change(plain, "n * 2;", "(n > 0 && n < 2) || n > 5;");
	struct pair p = pair_versions(old, new, "2");

	pair_expect(&p, "r", 0, -1);
	pair_expect(&p, "twice", 0, 0);
	assert_int_equal(p.al.forks.size, 0);
	pair_free(&p);
	free(old);
	free(new);
}

static void test_reordered(void **state)
{
	char *without = change(plain,
	                       "static int twice(int n)\n{\n	int r = n * 2; /*r*/\n	return r; "
	                       "/*twice*/\n}\n",
	                       "static int twice(int n);\n");
	char *new = str_format("%sstatic int twice(int n)\n{\n	int r = n * 2; /*r*/\n	return r; "
	                       "/*twice*/\n}\n",
	                       without);
	struct pair p = pair_versions(plain, new, "4");

	assert_int_equal(p.al.spans.size, 1);
	assert_int_equal(p.al.spans.at[0].count, p.al.a_statements);
	pair_free(&p);
	free(without);
	free(new);
}

static void test_switch(void **state)
{
	static const char old[] = "int g;\n"
				  "int main(int argc, char **argv)\n"
				  "{\n"
				  "	switch (argv[1][0]) { /*switch*/\n"
				  "	case '1':\n"
				  "		g = 1; /*one*/\n"
				  "		break;\n"
				  "	case '2':\n"
				  "		g = 2; /*two*/\n"
				  "		break;\n"
				  "	}\n"
				  "	g = 3; /*after*/\n"
				  "	return 0;\n"
				  "}\n";
	char *new = change(old, "	case '1':\n",
	                   "	case '0':\n		g = 9; /*zero*/\n		"
	                   "break;\n	case '1':\n");
	struct pair p = pair_versions(old, new, "2");

	pair_expect(&p, "switch", 0, 0);
	pair_expect(&p, "two", 0, 0);
	pair_expect(&p, "after", 0, 0);
	assert_int_equal(p.al.forks.size, 0);
	pair_free(&p);
	p = pair_versions(old, new, "0");
	pair_expect(&p, "switch", 0, 0);
	pair_expect_alone(&p, "zero", 0);
	pair_expect_decided(&p, 1, "zero", 0, "switch", 0);
	pair_expect(&p, "after", 0, 0);
	pair_free(&p);
	free(new);
}

/* --- what cannot be --- */

static void expect_error(const char *a, const char *b, const char *text)
{
	struct modules *modules = modules_create();
	struct versions *versions;
	struct hence_error *error = versions_create(modules, a, modules, b, &versions);

	assert_non_null(error);
	assert_int_equal(error->kind, HENCE_ERROR_INPUT);
	if (!strstr(error->message, text))
		fail_msg("the error is: %s", error->message);
	error_destroy(error);
	modules_destroy(modules);
}

static void test_errors(void **state)
{
	char *new = change(plain, "n * 2", "n * 3");

	pair_build("old", plain);
	pair_build("new", new);
	unlink("new/prog.c");
	expect_error("old/prog", "new/prog", "new/prog.c");
	expect_error("old/prog", "/bin/true", "/bin/true was not built with hence cc");
	/* Both versions were built from one file. */
	assert_int_equal(system("cp old/prog old/before"), 0);
	pair_build("old", new);
	expect_error("old/before", "old/prog", "was changed between the two builds");
	free(new);
}

/* Without versions. */
static void test_different(void **state)
{
	char *new = change(plain, "n * 2", "n * 3");
	struct pair p = pair_versions(plain, new, "2");
	struct alignment al;
	struct hence_error *error =
		align_runs(&p.runs[0].recording, &p.runs[1].recording, NULL, &al);

	assert_non_null(error);
	assert_int_equal(error->kind, HENCE_ERROR_INPUT);
	assert_non_null(strstr(error->message, "different programs"));
	error_destroy(error);
	pair_free(&p);
	free(new);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),          cmocka_unit_test(test_one_line),
		cmocka_unit_test(test_effect),        cmocka_unit_test(test_function_added),
		cmocka_unit_test(test_branch_added),  cmocka_unit_test(test_wrapped),
		cmocka_unit_test(test_loop_changed),  cmocka_unit_test(test_reordered),
		cmocka_unit_test(test_switch),        cmocka_unit_test(test_errors),
		cmocka_unit_test(test_different),     cmocka_unit_test(test_condition_changed),
		cmocka_unit_test(test_value_changed),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, pair_clean_versions);
}
