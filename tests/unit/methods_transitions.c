/*
 * Cause transitions of small programs, from the source to the chain: what is expected was derived by hand
 * from the text. Lines are named by comments. Every step must be proven.
 */
#include "methods_pair.h"

/* A line for each point: where it lies, the variables, and the statement that made them so. */
static char *text_of(const struct pair *p)
{
	struct str text = STR_INIT;

	for (uint32_t i = 0; i < p->transitions.found.steps.size; i++) {
		const struct explanation_step *step = &p->transitions.found.steps.at[i];

		pair_add_line(p->source, step->at.line, &text);
		str_add(&text, ":");
		for (uint32_t k = 0; k < step->values.size; k++)
			str_printf(&text, " %s=%s (%s)", step->values.at[k].name,
			           step->values.at[k].failing, step->values.at[k].reference);
		if (step->transition) {
			str_add(&text, " by ");
			pair_add_line(p->source, step->cause.line, &text);
		}
		str_add(&text, step->proven ? "\n" : " unproven\n");
	}
	return str_steal(&text);
}

static void find_transitions(struct pair *p)
{
	struct comparison compared;

	pair_find_symptom(p);
	compared = pair_comparison(p, NULL);
	pair_must(transitions_find(&compared, false, &p->transitions));
	p->found = true;
}

static void check(const char *source, const char *failing, const char *passing,
                  const char *expected_output, const char *what, const char *expected)
{
	struct pair p;
	char *text;

	pair_make(&p, source, failing, passing, expected_output);
	find_transitions(&p);
	text = text_of(&p);
	print_message("%lu experiments\n%s%s\n", (unsigned long)p.transitions.found.experiments,
	              text, str_text(&p.symptom.what));
	assert_string_equal(str_text(&p.symptom.what), what);
	assert_string_equal(text, expected);
	free(text);
	pair_free(&p);
}

/* --- programs --- */

/* Sorts one element too many: that behind the end of the array. */
static const char shell_sort[] =
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"static void sort(long list[], int count) {\n"
	"  int gap = 1, from, to;\n"
	"  do gap = 3 * gap + 1; while (gap < count);\n"
	"  do {\n"
	"    gap /= 3;\n"
	"    for (from = gap; from < count; from++) {\n"
	"      long moved = list[from]; /*take*/\n"
	"      for (to = from; to >= gap && list[to - gap] > moved; to -= gap) /*compare*/\n"
	"        list[to] = list[to - gap];\n"
	"      if (to != from) /*differs*/\n"
	"        list[to] = moved; /*put*/\n"
	"    } /*next*/\n"
	"  } while (gap != 1);\n"
	"}\n"
	"int main(int argc, char **argv) {\n"
	"  int i = 0; /*start*/\n"
	"  long *list = malloc((argc - 1) * sizeof(long));\n"
	"  for (i = 0; i < argc - 1; i++) /*loop*/\n"
	"    list[i] = atol(argv[i + 1]);\n"
	"  sort(list, argc); /*call*/\n"
	"  for (i = 0; i < argc - 1; i++)\n"
	"    printf(\"%ld \", list[i]); /*print*/\n"
	"  printf(\"\\n\");\n"
	"  free(list);\n"
	"  return 0;\n"
	"}\n";

static void test_shell_sort(void **state)
{
	check(shell_sort, "11 14", "9 8 7", "11 14 \n", "the program prints 0",
	      "start: argc=3 (4)\n"
	      "call: list[2]=0 (7) by loop\n"
	      "compare: moved=0 (7) by take\n"
	      "8: list[0]=0 (7) by put\n");
}

/* A value on its way through calls: parameter, local, result, global. */
static const char calls[] = "#include <stdio.h>\n"
			    "#include <stdlib.h>\n"
			    "int total;\n"
			    "static int scale(int n) {\n"
			    "  int factor = n > 5 ? 2 : 3;\n"
			    "  return n * factor; }\n"
			    "static void add(int what) {\n"
			    "  total += what; /*add*/\n"
			    "}\n"
			    "int main(int argc, char **argv) {\n"
			    "  int n = atoi(argv[1]); /*start*/\n"
			    "  int scaled = scale(n);\n"
			    "  add(scaled);\n"
			    "  printf(\"%d\\n\", total); /*print*/\n"
			    "  return 0; }\n";

static void test_calls(void **state)
{
	check(calls, "4", "7", "8\n", "the program prints 12",
	      "start: argv[1]=\"4\" (\"7\")\n"
	      "12: n=4 (7) by start\n"
	      "5: n=4 (7) by 12\n"
	      "6: n=4 (7) factor=3 (2) by 5\n"
	      "13: scaled=12 (14) by 12\n"
	      "add: what=12 (14) by 13\n"
	      "9: total=12 (14) by add\n");
}

static const char direct[] = "#include <stdio.h>\n"
			     "#include <stdlib.h>\n"
			     "static int twice(int n) {\n"
			     "  int m = n; /*twice*/\n"
			     "  if (n > 10)\n"
			     "    m = n + 1; /*wrong*/\n"
			     "  return m + m; /*return*/\n"
			     "}\n"
			     "int main(int argc, char **argv) {\n"
			     "  int n = atoi(argv[1]); /*start*/\n"
			     "  printf(\"%d\\n\", twice(n)); /*print*/\n"
			     "  return 0; }\n";

static void test_direct(void **state)
{
	check(direct, "12", "6", "24\n", "the program prints 26",
	      "start: argv[1]=\"12\" (\"6\")\n"
	      "print: n=12 (6) by start\n"
	      "twice: n=12 (6) by print\n"
	      "return: m=13 (6) by wrong\n");
}

static const char input[] = "#include <stdio.h>\n"
			    "#include <string.h>\n"
			    "static int count(const char *text) {\n"
			    "  int n = 0; /*count*/\n"
			    "  for (; *text; text++)\n"
			    "    if (*text != 'x') /*test*/\n"
			    "      n++;\n"
			    "  return n;\n"
			    "}\n"
			    "int main(void) {\n"
			    "  char line[100]; int n;\n"
			    "  printf(\"hello\\n\"); /*start*/\n"
			    "  fgets(line, sizeof(line), stdin); /*read*/\n"
			    "  line[strcspn(line, \"\\n\")] = 0; /*cut*/\n"
			    "  n = count(line);\n"
			    "  printf(\"%d\\n\", n); /*print*/\n"
			    "  return 0; }\n";

static void test_input(void **state)
{
	check(input, "<abxx\n", "<abcd\n", "hello\n4\n", "the program prints 2",
	      "cut: line=\"abxx\\n\" (\"abcd\\n\") by read\n"
	      "5: n=2 (3) main.line=\"abxx\" (\"abcd\") by test\n"
	      "5: n=2 (4) by test\n"
	      "print: n=2 (4) by 15\n");
}

static const char letters[] = "#include <stdio.h>\n"
			      "int main(void) {\n"
			      "  int c, sum = 0; /*start*/\n"
			      "  while ((c = getchar()) != EOF) { /*get*/\n"
			      "    if (c >= '0' && c <= '9')\n"
			      "      sum = 10 * sum + (c - '0'); /*digit*/\n"
			      "    if (c == 'k')\n"
			      "      sum *= 1024; /*kilo*/\n"
			      "  }\n"
			      "  printf(\"%d\\n\", sum); /*print*/\n"
			      "  return 0; }\n";

static void test_letters(void **state)
{
	check(letters, "<12k ", "<12m ", "12000\n", "the program prints 12288",
	      "get: c=107 (109) by get\n"
	      "7: c == 107=true (false) by 7\n"
	      "get: sum=12288 (12) by kilo\n");
}

static const char crash[] = "#include <stdio.h>\n"
			    "#include <stdlib.h>\n"
			    "#include <string.h>\n"
			    "struct node { struct node *next; const char *key; int value; };\n"
			    "static struct node *list;\n"
			    "static void add(const char *key, int value) {\n"
			    "  struct node *n = malloc(sizeof(*n)); /*add*/\n"
			    "  n->key = key;\n"
			    "  n->value = value;\n"
			    "  n->next = list;\n"
			    "  list = n;\n"
			    "}\n"
			    "static struct node *find(const char *key) {\n"
			    "  for (struct node *n = list; n; n = n->next) /*find*/\n"
			    "    if (!strcmp(n->key, key))\n"
			    "      return n; /*found*/\n"
			    "  return NULL; /*none*/\n"
			    "}\n"
			    "int main(int argc, char **argv) {\n"
			    "  struct node *n;\n"
			    "  add(\"one\", 1); /*start*/\n"
			    "  add(\"two\", 2);\n"
			    "  n = find(argv[1]); /*lookup*/\n"
			    "  printf(\"looking\\n\");\n"
			    "  printf(\"%d\\n\", n->value); /*use*/\n"
			    "  return 0; }\n";

static void test_crash(void **state)
{
	check(crash, "three", "two", NULL, "the program dies of SIGSEGV at prog.c:25 in main",
	      "start: argv[1]=\"three\" (\"two\")\n"
	      "15: strcmp() != 0=true (false) by 15\n"
	      "24: n=NULL (list) by lookup\n");
}

static const char status[] = "#include <stdlib.h>\n"
			     "#include <string.h>\n"
			     "static int errors;\n"
			     "static void check(const char *word) {\n"
			     "  if (strlen(word) > 3) /*check*/\n"
			     "    errors++; /*error*/\n"
			     "}\n"
			     "int main(int argc, char **argv) {\n"
			     "  for (int i = 1; i < argc; i++) /*start*/\n"
			     "    check(argv[i]); /*word*/\n"
			     "  return errors ? 2 : 0; /*return*/\n"
			     "}\n";

static void test_status(void **state)
{
	check(status, "abc abcd", "abc abc", NULL, "the program exits with 2",
	      "start: argv[2]=\"abcd\" (\"abc\")\n"
	      "check: strlen() > 3=true (false) by check\n"
	      "7: errors=1 (0) by error\n");
}

/* Each of the two is enough to fail, but `want` comes from no step before it, and leads to no step behind. */
static const char apart[] =
	"#include <stdlib.h>\n"
	"#include <string.h>\n"
	"static char *have, *want;\n"
	"static char *copy(const char *s) {\n"
	"  char *r = malloc(strlen(s) + 1); /*room*/\n"
	"  strcpy(r, s); /*copy*/\n"
	"  return r;\n"
	"}\n"
	"static int kind(const char *unit) {\n"
	"  if (!strcmp(unit, \"m\") || !strcmp(unit, \"km\")) return 1; /*one*/\n"
	"  if (!strcmp(unit, \"s\") || !strcmp(unit, \"h\")) return 2; /*two*/\n"
	"  return 3;\n"
	"}\n"
	"int main(int argc, char **argv) {\n"
	"  have = copy(argv[1]); /*have*/\n"
	"  want = copy(argv[2]); /*want*/\n"
	"  int a = kind(have); /*a*/\n"
	"  int b = kind(want); /*b*/\n"
	"  return a != b; }\n";

static void test_apart(void **state)
{
	struct pair p;
	char *text;

	pair_make(&p, apart, "mile km", "s h", NULL);
	find_transitions(&p);
	text = text_of(&p);
	print_message("%s", text);
	assert_non_null(strstr(text, "a=3 (2)"));
	assert_null(strstr(text, "want="));
	assert_null(strstr(text, "argv[2]"));
	free(text);
	pair_free(&p);
}

static const char extra[] = "#include <stdio.h>\n"
			    "#include <stdlib.h>\n"
			    "int main(int argc, char **argv) {\n"
			    "  int limit = atoi(argv[1]); /*start*/\n"
			    "  int verbose = limit > 10; /*verbose*/\n"
			    "  puts(\"begin\");\n"
			    "  if (verbose) /*test*/\n"
			    "    puts(\"limit is large\"); /*extra*/\n"
			    "  puts(\"end\");\n"
			    "  return 0; }\n";

static void test_extra(void **state)
{
	check(extra, "12", "3", "begin\nend\n", "the program prints \"limit is large\"",
	      "start: argv[1]=\"12\" (\"3\")\n"
	      "verbose: limit=12 (3) by start\n"
	      "6: verbose=1 (0) by verbose\n");
}

static const char recursion[] = "#include <stdio.h>\n"
				"#include <stdlib.h>\n"
				"static int depth(int n) {\n"
				"  int below; /*entry*/\n"
				"  if (n <= 1) /*base*/\n"
				"    return 1;\n"
				"  below = depth(n / 2); /*recurse*/\n"
				"  return below + 1;\n"
				"}\n"
				"int main(int argc, char **argv) {\n"
				"  int n = atoi(argv[1]); /*start*/\n"
				"  int d = depth(n); /*call*/\n"
				"  printf(\"depth %d\\n\", d); /*print*/\n"
				"  return 0; }\n";

static void test_recursion(void **state)
{
	check(recursion, "9", "3", "depth 3\n", "the program prints 4",
	      "start: argv[1]=\"9\" (\"3\")\n"
	      "call: n=9 (3) by start\n"
	      "base: n=9 (3) by call\n"
	      "base: n=4 (1) by recurse\n"
	      "8: below=3 (1) by recurse\n"
	      "9: return value of depth=4 (2) by 8\n"
	      "print: d=4 (2) by call\n");
}

/* The failing run comes to the call one time less than the reference: it is the same execution of it. */
static const char passes[] = "#include <stdio.h>\n"
			     "#include <string.h>\n"
			     "static int open;\n"
			     "static int check(const char *text) {\n"
			     "  for (; *text; text++) {\n"
			     "    if (*text == '(') open++; /*open*/\n"
			     "    if (*text == ')') open--; /*close*/\n"
			     "    if (*text == '!') return 0; /*give up*/\n"
			     "  }\n"
			     "  return 1;\n"
			     "}\n"
			     "int main(int argc, char **argv) {\n"
			     "  for (int i = 1; i < argc; i++) /*start*/\n"
			     "    if (check(argv[i])) /*call*/\n"
			     "      printf(\"%d\\n\", open); /*print*/\n"
			     "  return 0; }\n";

static void test_passes(void **state)
{
	check(passes, "(!) ()", "() ()", "0\n", "the program prints 1",
	      "start: argv[1]=\"(!)\" (\"()\")\n"
	      "give up: argv[1]=\"(!)\" (\"()\") open=1 (0) by close\n"
	      "start: open=1 (0) by call\n");
}

/* Nothing can be changed while a result is in no variable, but before and behind it. */
static const char gap[] = "#include <stdio.h>\n"
			  "#include <string.h>\n"
			  "static const char signs[] = \"+-x/\";\n"
			  "static int number_of(const char *sign) {\n"
			  "  const char *place = strchr(signs, sign[0]); /*place*/\n"
			  "  if (!place)\n"
			  "    return -1;\n"
			  "  int number = place - signs; /*number*/\n"
			  "  return 2 * number;\n"
			  "}\n"
			  "int main(int argc, char **argv) {\n"
			  "  int twice = number_of(argv[1]); /*start*/\n"
			  "  printf(\"%d\\n\", twice); /*print*/\n"
			  "  return 0; }\n";

static void test_gap(void **state)
{
	check(gap, "x", "+", "2\n", "the program prints 4",
	      "start: argv[1]=\"x\" (\"+\")\n"
	      "6: place=&signs[2] (&signs[0]) by place\n"
	      "9: number=2 (0) by number\n"
	      "10: return value of number_of=4 (0) by 9\n"
	      "print: twice=4 (0) by start\n");
}

/* Either of two ways makes the output wrong: the chain is one of them, never a mix (x -> t, or x -> y -> s). */
static const char mix[] = "#include <stdio.h>\n"
			  "#include <stdlib.h>\n"
			  "int main(int argc, char **argv) {\n"
			  "  int x = atoi(argv[1]), y, s, t; /*start*/\n"
			  "  y = x << 1; /*y*/\n"
			  "  if (x > 0) /*if*/\n"
			  "    t = x << 2; /*then*/\n"
			  "  else\n"
			  "    t = 0;\n"
			  "  s = y << 1; /*s*/\n"
			  "  printf(\"%d\\n\", s + t > 0); /*print*/\n"
			  "  return 0; }\n";

static void test_mix(void **state)
{
	struct pair p;
	char *text;

	pair_make(&p, mix, "1", "0", "0\n");
	find_transitions(&p);
	text = text_of(&p);
	print_message("%s", text);
	assert_non_null(strstr(text, "y: x=1 (0) by start\n"));
	/* y is the cause only when x is none any more: behind the branch. */
	if (strstr(text, "s=4 (0) by s\n")) {
		assert_non_null(strstr(text, "y=2 (0) by if\n"));
		assert_null(strstr(text, "t=4"));
	} else {
		assert_non_null(strstr(text, "t=4 (0) by then\n"));
		assert_null(strstr(text, "y=2"));
	}
	free(text);
	pair_free(&p);
}

/* Of all points that are looked at, the transitions are those with other variables than the last before that has any. */
static void test_all_points(void **state)
{
	struct comparison compared;
	const char *before = NULL;
	uint32_t count = 0;
	struct pair p;

	pair_make(&p, calls, "4", "7", "8\n");
	pair_find_symptom(&p);
	compared = pair_comparison(&p, NULL);
	pair_must(transitions_find(&compared, true, &p.transitions));
	p.found = true;
	for (uint32_t i = 0; i < p.transitions.all.size; i++) {
		const struct explanation_step *step = &p.transitions.all.at[i];
		const char *name = step->values.size == 1 ? step->values.at[0].name : NULL;

		assert_true(step->at.line);
		assert_true(step->values.size || !step->transition);
		/* Locals called n are two. */
		if (name && before && strcmp(name, "n") != 0)
			assert_int_equal(step->transition, strcmp(name, before) != 0);
		before = step->values.size ? name : before;
		count += step->transition;
	}
	assert_true(count >= 5);
	pair_free(&p);
}

static bool stop(void *context)
{
	return --*(uint32_t *)context == 0 || *(uint32_t *)context > UINT32_MAX / 2;
}

/* Ends wherever it is told to, with what it has. */
static void test_stop(void **state)
{
	struct pair p;

	pair_make(&p, calls, "4", "7", "8\n");
	pair_find_symptom(&p);
	for (uint32_t after = 1; after < 2000; after *= 3) {
		uint32_t left = after;
		const struct budget budget = {.ended = stop, .context = &left};
		const struct comparison compared = pair_comparison(&p, &budget);

		pair_must(transitions_find(&compared, false, &p.transitions));
		assert_true(p.transitions.found.stopped || p.transitions.found.steps.size == 7);
		for (uint32_t i = 0; i < p.transitions.found.steps.size; i++)
			assert_true(p.transitions.found.steps.at[i].proven ||
			            p.transitions.found.stopped);
		if (after > 1000)
			assert_false(p.transitions.found.stopped);
		transitions_deinit(&p.transitions);
	}
	pair_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shell_sort), cmocka_unit_test(test_calls),
		cmocka_unit_test(test_direct),     cmocka_unit_test(test_input),
		cmocka_unit_test(test_letters),    cmocka_unit_test(test_crash),
		cmocka_unit_test(test_status),     cmocka_unit_test(test_extra),
		cmocka_unit_test(test_recursion),  cmocka_unit_test(test_passes),
		cmocka_unit_test(test_gap),        cmocka_unit_test(test_mix),
		cmocka_unit_test(test_apart),      cmocka_unit_test(test_all_points),
		cmocka_unit_test(test_stop),
	};

	return cmocka_run_group_tests_name("methods_transitions", tests, decoded_set_up,
	                                   decoded_tear_down);
}
