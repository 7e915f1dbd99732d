/*
 * Chains that are found backwards, from the source to the steps: what is expected was derived by hand from
 * the text. Lines are named by comments. Both algorithms must give the same chain, and every step must be
 * proven.
 */
#include "methods_pair.h"

#include "methods/backward.h"

/* A line for each step: the variables, and the statement that defined them. */
static char *text_of(const struct pair *p, const struct causes *causes)
{
	struct str text = STR_INIT;

	for (uint32_t i = 0; i < causes->steps.size; i++) {
		const struct explanation_step *step = &causes->steps.at[i];

		for (uint32_t k = 0; k < step->values.size; k++)
			str_printf(&text, "%s%s=%s (%s)", k ? " " : "", step->values.at[k].name,
			           step->values.at[k].failing, step->values.at[k].reference);
		str_add(&text, step->transition ? " by " : " at ");
		pair_add_line(p->source, step->transition ? step->cause.line : step->at.line,
		              &text);
		str_add(&text, step->proven ? "\n" : " unproven\n");
	}
	return str_steal(&text);
}

static char *find(struct pair *p, enum backward_algorithm algorithm)
{
	const struct comparison compared = pair_comparison(p, NULL);
	struct backward_options options = {.algorithm = algorithm,
	                                   .infer = {.way = HYBRID_REFERENCE}};
	struct causes causes = {0};
	char *text;

	pair_must(backward_find(&compared, &options, &causes));
	text = text_of(p, &causes);
	print_message("%lu experiments\n%s", (unsigned long)causes.experiments, text);
	for (uint32_t i = 0; i < causes.notes.size; i++)
		print_message("note: %s\n", causes.notes.at[i]);
	causes_deinit(&causes);
	return text;
}

/* `other` is as good; NULL: there is no other. */
static void check_either(const char *source, const char *failing, const char *passing,
                         const char *output, const char *expected, const char *other)
{
	struct pair p;
	char *jumped, *searched;

	pair_make(&p, source, failing, passing, output);
	pair_find_symptom(&p);
	jumped = find(&p, BACKWARD_DEPENDENCE);
	searched = find(&p, BACKWARD_HIERARCHICAL);
	assert_string_equal(jumped, searched);
	if (!other || strcmp(jumped, other))
		assert_string_equal(jumped, expected);
	free(jumped);
	free(searched);
	pair_free(&p);
}

static void check(const char *source, const char *failing, const char *passing, const char *output,
                  const char *expected)
{
	check_either(source, failing, passing, output, expected, NULL);
}

/* --- programs --- */

/* Either way is a chain; a mix of both is none. */
static const char two_ways[] = "#include <stdio.h>\n"
			       "#include <stdlib.h>\n"
			       "int main(int argc, char **argv) {\n"
			       "  int x, y, t, s; /*start*/\n"
			       "  x = atoi(argv[1]); /*x*/\n"
			       "  y = x << 1; /*y*/\n"
			       "  if (x > 0) /*if*/\n"
			       "    t = x << 2; /*t*/\n"
			       "  else\n"
			       "    t = 0; /*zero*/\n"
			       "  s = y << 1; /*s*/\n"
			       "  printf(\"%d\\n\", s + t > 0); /*print*/\n"
			       "  return 0; }\n";

static void test_two_ways(void **state)
{
	check_either(two_ways, "1", "0", "0\n",
	             "argv[1]=\"1\" (\"0\") at x\n"
	             "x=1 (0) by x\n"
	             "y=2 (0) by y\n"
	             "s=4 (0) by s\n",
	             "argv[1]=\"1\" (\"0\") at x\n"
	             "x=1 (0) by x\n"
	             "x > 0=true (false) by if\n"
	             "t=4 (0) by t\n");
}

/* A value on its way through calls: parameter, local, result, global. The result is no step of its own: a
   function with one return has no variable for it. */
static const char calls[] = "#include <stdio.h>\n"
			    "#include <stdlib.h>\n"
			    "int total;\n"
			    "static int scale(int n) {\n"
			    "  int factor = 3; /*factor*/\n"
			    "  return n * factor; /*return*/\n"
			    "}\n"
			    "static void add(int what) {\n"
			    "  total += what; /*add*/\n"
			    "}\n"
			    "int main(int argc, char **argv) {\n"
			    "  int n = atoi(argv[1]); /*n*/\n"
			    "  int scaled = scale(n); /*scaled*/\n"
			    "  add(scaled); /*call*/\n"
			    "  printf(\"%d\\n\", total); /*print*/\n"
			    "  return 0; }\n";

static void test_calls(void **state)
{
	check(calls, "4", "7", "8\n",
	      "argv[1]=\"4\" (\"7\") at n\n"
	      "n=4 (7) by n\n"
	      "n=4 (7) by scaled\n"
	      "scaled=12 (21) by scaled\n"
	      "what=12 (21) by call\n"
	      "total=12 (21) by add\n");
}

/* The wrong value stands since a statement was not executed. */
static const char omission[] = "#include <stdio.h>\n"
			       "#include <stdlib.h>\n"
			       "int main(int argc, char **argv) {\n"
			       "  int limit = 5, level; /*start*/\n"
			       "  level = atoi(argv[1]); /*level*/\n"
			       "  if (level > 3) /*if*/\n"
			       "    limit = 9; /*limit*/\n"
			       "  printf(\"limit %d\\n\", limit); /*print*/\n"
			       "  return 0; }\n";

static void test_omission(void **state)
{
	check(omission, "3", "4", "limit 9\n",
	      "argv[1]=\"3\" (\"4\") at start\n"
	      "level=3 (4) by level\n"
	      "level > 3=false (true) by if\n"
	      "limit=5 (9) by if\n");
}

/* Two variables at once: the earlier one stays in the set while the later one is followed. */
static const char sum[] = "#include <stdio.h>\n"
			  "#include <stdlib.h>\n"
			  "int main(int argc, char **argv) {\n"
			  "  int n, a, b; /*start*/\n"
			  "  n = atoi(argv[1]); /*n*/\n"
			  "  a = n + 1; /*a*/\n"
			  "  b = n + 2; /*b*/\n"
			  "  n = 0; /*clear*/\n"
			  "  printf(\"%d\\n\", a * b); /*print*/\n"
			  "  return 0; }\n";

static void test_sum(void **state)
{
	check(sum, "1", "2", "12\n",
	      "argv[1]=\"1\" (\"2\") at n\n"
	      "n=1 (2) by n\n"
	      "a=2 (3) n=1 (2) by a\n"
	      "b=3 (4) a=2 (3) by b\n");
}

/* The failing run goes one call deeper: what it returns comes out of a region that only it has. The statement
   behind the call is passed more often in a run that does the same. */
static const char recursion[] = "#include <stdio.h>\n"
				"#include <stdlib.h>\n"
				"static int digits(int n) {\n"
				"  if (n < 9) /*if*/\n"
				"    return 1;\n"
				"  int rest = digits(n / 10); /*rest*/\n"
				"  return rest + 1; /*return*/\n"
				"}\n"
				"int main(int argc, char **argv) {\n"
				"  int number = atoi(argv[1]); /*number*/\n"
				"  int count = digits(number); /*count*/\n"
				"  printf(\"%d digits\\n\", count); /*print*/\n"
				"  return 0; }\n";

static void test_recursion(void **state)
{
	check(recursion, "914", "814", "3 digits\n",
	      "argv[1]=\"914\" (\"814\") at number\n"
	      "number=914 (814) by number\n"
	      "n=914 (814) by count\n"
	      "n=91 (81) by rest\n"
	      "n=9 (8) by rest\n"
	      "n < 9=false (true) by if\n"
	      "rest=2 (1) by rest\n"
	      "return value of digits=3 (2) by return\n"
	      "rest=3 (2) by rest\n"
	      "return value of digits=4 (3) by return\n"
	      "count=4 (3) by count\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_ways),  cmocka_unit_test(test_calls),
		cmocka_unit_test(test_omission),  cmocka_unit_test(test_sum),
		cmocka_unit_test(test_recursion),
	};

	return cmocka_run_group_tests_name("methods_backward", tests, decoded_set_up,
	                                   decoded_tear_down);
}
