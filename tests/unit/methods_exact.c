/*
 * The exact model on small programs. Expectations follow from the programs' text. The whole cut of the dual slice is
 * sufficient at every point; where nothing is confounded, experiments say the same as the model.
 */
#include "exact_question.h"

static void expect(struct question *q, const char *names, const char *in_reference,
                   const char *in_failing)
{
	struct dd_set set = question_set(q, names);
	const char *a = question_exact(q, &set, false), *b = question_exact(q, &set, true);

	if (strcmp(a, in_reference) != 0 || strcmp(b, in_failing) != 0)
		fail_msg("{%s}: the reference %s (not %s), the failing run %s (not %s)", names, a,
		         in_reference, b, in_failing);
	dd_set_deinit(&set);
}

/* What the model infers, for the symptom. */
static void expect_inferred(struct question *q, const char *names)
{
	struct dd_set set;
	char *text;
	bool found;

	pair_must(infer_exactly(q->exact, q->dual, &q->point, NULL, &set, &found));
	assert_true(found);
	text = question_names(q, &set);
	assert_string_equal(text, names);
	free(text);
	dd_set_deinit(&set);
}

static void expect_cut(struct question *q, const char *names)
{
	struct dd_set set;
	char *found;

	infer_cut(&q->point, q->dual, &set);
	found = question_names(q, &set);
	assert_string_equal(found, names);
	free(found);
	dd_set_deinit(&set);
}

/* --- the four examples --- */

/* With y of the other run the branch on z would go another way than it went in either. */
static void test_other_branch(void **state)
{
	struct question q;
	struct dd_set set;

	question_begin(&q,
	               "#include <stdio.h>\n#include <stdlib.h>\n"
	               "int main(int argc, char **argv) {\n"
	               "	int y = atoi(argv[1]), z = atoi(argv[2]);\n"
	               "	if (y + z > 10) /*test*/\n"
	               "		y = 0;\n"
	               "	printf(\"%d\\n\", y);\n"
	               "	return 0;\n"
	               "}\n",
	               "8 1", "2 8", "2\n");
	question_before(&q, "test");
	expect_cut(&q, "y");
	expect(&q, "y", "fail", "pass");
	expect(&q, "z", "pass", "fail");
	expect(&q, "", "pass", "fail");
	expect_inferred(&q, "y");
	set = question_set(&q, "y");
	assert_string_equal(question_practical(&q, &set, false), "unresolved");
	dd_set_deinit(&set);
	question_end(&q);
}

/* What was not executed is executed in the other run. */
static void test_omission(void **state)
{
	struct question q;

	question_begin(&q,
	               "#include <stdio.h>\n#include <stdlib.h>\n"
	               "int main(int argc, char **argv) {\n"
	               "	int x = atoi(argv[1]), y = atoi(argv[2]), out = 3;\n"
	               "	if (x) /*test*/\n"
	               "		out = y;\n"
	               "	printf(\"%d\\n\", out);\n"
	               "	return 0;\n"
	               "}\n",
	               "0 5", "1 7", "7\n");
	question_before(&q, "test");
	expect_cut(&q, "x y");
	expect(&q, "x", "fail", "unresolved"); /* 5 is printed */
	expect(&q, "y", "unresolved", "fail");
	expect(&q, "x y", "fail", "pass");
	expect_inferred(&q, "x y");
	question_end(&q);
}

/* The store is not in the slice and is skipped: the index alone decides. An experiment does not skip it,
   and reads what it wrote. */
static void test_index(void **state)
{
	struct question q;
	struct dd_set set;

	question_begin(
		&q,
		"#include <stdio.h>\n#include <stdlib.h>\n"
		"int main(int argc, char **argv) {\n"
		"	int a[4] = {10, 20, 30, 40}, y = atoi(argv[1]), z = atoi(argv[2]);\n"
		"	a[z] = 99; /*store*/\n"
		"	printf(\"%d\\n\", a[y]);\n"
		"	return 0;\n"
		"}\n",
		"1 2", "2 1", "30\n");
	question_before(&q, "store");
	expect(&q, "y", "fail", "pass");
	expect(&q, "z", "pass", "fail");
	set = question_set(&q, "y");
	assert_string_equal(question_practical(&q, &set, false), "unresolved");
	dd_set_deinit(&set);
	question_end(&q);
}

/* The store is in the slice: the index alone makes a load read what it never read. */
static void test_confounded(void **state)
{
	struct question q;

	question_begin(&q,
	               "#include <stdio.h>\n#include <stdlib.h>\n"
	               "int main(int argc, char **argv) {\n"
	               "	int a[4] = {10, 20, 30, 40};\n"
	               "	int y = atoi(argv[1]), z = atoi(argv[2]), w = atoi(argv[3]);\n"
	               "	a[z] = w; /*store*/\n"
	               "	printf(\"%d\\n\", a[y] + a[z]);\n"
	               "	return 0;\n"
	               "}\n",
	               "1 2 5", "2 1 6", "36\n");
	question_before(&q, "store");
	expect(&q, "y", "confounded", "confounded");
	expect(&q, "w", "unresolved", "unresolved");
	expect(&q, "y z w", "fail", "pass");
	question_end(&q);
}

/* It is in the slice, since it takes part in what differs, but is not needed. */
static void test_not_needed(void **state)
{
	struct question q;

	question_begin(&q,
	               "#include <stdio.h>\n#include <stdlib.h>\n"
	               "int main(int argc, char **argv) {\n"
	               "	int y = atoi(argv[1]), z = atoi(argv[2]);\n"
	               "	if (y > z) /*test*/\n"
	               "		z = 1;\n"
	               "	else\n"
	               "		z = 2;\n"
	               "	printf(\"%d\\n\", z);\n"
	               "	return 0;\n"
	               "}\n",
	               "9 3", "2 4", "2\n");
	question_before(&q, "test");
	expect_cut(&q, "y z");
	expect(&q, "y", "fail", "pass"); /* 9 > 4, and 2 > 3 is false */
	expect(&q, "y z", "fail", "pass");
	expect_inferred(&q, "y");
	expect(&q, "z", "pass", "fail"); /* 2 > 3 is false, and 9 > 4 */
	question_end(&q);
}

/* What the last statement computes on the way may be other than in either run. */
static void test_sum(void **state)
{
	struct question q;

	question_begin(&q,
	               "#include <stdio.h>\n#include <stdlib.h>\n"
	               "int main(int argc, char **argv) {\n"
	               "	int large = atoi(argv[1]), small = atoi(argv[2]);\n"
	               "	if (large + small > 40) /*test*/\n"
	               "		printf(\"much\\n\");\n"
	               "	else\n"
	               "		printf(\"little\\n\");\n"
	               "	return 0;\n"
	               "}\n",
	               "50 5", "20 2", "little\n");
	question_before(&q, "test");
	expect_cut(&q, "large small");
	expect(&q, "large", "fail", "pass"); /* 50 + 2 and 20 + 5 */
	expect(&q, "small", "pass", "fail");
	expect_inferred(&q, "large");
	question_end(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_other_branch), cmocka_unit_test(test_omission),
		cmocka_unit_test(test_index),        cmocka_unit_test(test_confounded),
		cmocka_unit_test(test_not_needed),   cmocka_unit_test(test_sum),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
