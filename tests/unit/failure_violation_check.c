/* Conditions that the user gives: what they mean, compared with compiled C; when they are false; what is refused. */
#include "violation_run.h"

/* --- against C --- */

static const char variables[] =
	"#include <stdbool.h>\n"
	"#include <stdint.h>\n"
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"enum colour { RED, GREEN = 7, BLUE = -2 };\n"
	"enum { LIMIT = 40 };\n"
	"struct point { int x, y; };\n"
	"struct inner { char c; union { int i; float f; }; struct point p[3]; };\n"
	"struct flags { unsigned a : 3; int b : 5; unsigned c : 20; unsigned long d : 40; bool e : "
	"1; };\n"
	"struct list { int v; struct list *next; };\n"
	"char c = 'x'; signed char sc = -3; unsigned char uc = 250; short s = -300;\n"
	"unsigned short us = 65000; unsigned u = 4000000000u; long l = -5000000000;\n"
	"unsigned long ul = 18000000000000000000u; long long ll = 123456789012;\n"
	"float f = 1.5f; double d = -2.25; bool b = true; enum colour colour = GREEN;\n"
	"static int a[4] = {3, 1, 4, 1}, grid[2][3] = {{1, 2, 3}, {4, 5, 6}};\n"
	"struct inner in = {.c = 'q', .i = 77, .p = {{1, 2}, {3, 4}, {5, 6}}};\n"
	"struct flags flags = {5, -7, 1000, 1ul << 33, 1};\n"
	"struct list second = {22, 0}, first = {11, &second}, *head = &first;\n"
	"uint8_t u8 = 200; size_t size = 12; const char *text = \"hello\";\n"
	"static void integer(long v) { printf(\"%ld\", v); }\n"
	"static void positive(unsigned long v) { printf(\"%luu\", v); }\n"
	"static void real(double v) { printf(\"%a\", v); }\n"
	"#define SHOW(e) _Generic((e), float: real, double: real, unsigned: positive, unsigned "
	"long: "
	"positive, unsigned long long: positive, default: integer)(e), printf(\" %zu\\n\", "
	"sizeof(e))\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	int i = 5, n = -7, *p = &a[1], x = 100; static int kept = 31;\n"
	"	struct inner *q = &in; struct point pt = {8, 9}; int **pp = &p;\n"
	"	{ int x = 200; kept += x - 200; /*here*/\n";

static const char *const expressions[] = {
	/* literals */
	"1",
	"0x1F",
	"017",
	"0b101",
	"4294967295",
	"0xffffffff",
	"5u",
	"5l",
	"5ul",
	"5LL",
	"1.5",
	"2.f",
	"1e3",
	"'a'",
	"'\\n'",
	"'\\x41'",
	"'\\101'",
	"'\\''",
	"'\\377'",
	"true",
	"false",
	"2147483648",
	/* names */
	"c",
	"sc",
	"uc",
	"s",
	"us",
	"u",
	"l",
	"ul",
	"ll",
	"f",
	"d",
	"b",
	"colour",
	"i",
	"n",
	"kept",
	"x",
	"argc",
	"u8",
	"size",
	"RED",
	"GREEN",
	"BLUE",
	"LIMIT",
	/* places */
	"a[2]",
	"2[a]",
	"*a",
	"*(a + 2)",
	"*p",
	"p[1]",
	"p[-1]",
	"**pp",
	"grid[1][2]",
	"*grid[1]",
	"in.c",
	"in.i",
	"in.p[1].y",
	"q->p[2].x",
	"(*q).c",
	"q->i",
	"(&in)->c",
	"pt.y",
	"head->next->v",
	"head->v",
	"text[1]",
	"*text",
	"+flags.a",
	"+flags.b",
	"+flags.c",
	"+flags.d",
	"+flags.e",
	"argv[1][2]",
	"(&a[1])[1]",
	/* one operand */
	"-i",
	"+n",
	"!i",
	"!0",
	"~i",
	"-u",
	"-uc",
	"~uc",
	"-d",
	"-f",
	"!d",
	"!!n",
	"- -i",
	"-flags.a",
	"!head",
	"!head->next->next",
	"~ul",
	"-b",
	/* two */
	"i + n",
	"i - n",
	"i * n",
	"i / 2",
	"n / 2",
	"n % 3",
	"u / 7",
	"u % 7",
	"l / 3",
	"ul / 7",
	"ul % 11",
	"i + u",
	"n + u",
	"n < u",
	"n > u",
	"l < u",
	"sc + uc",
	"uc + uc",
	"us * us",
	"s * s",
	"c + 1",
	"f * 2",
	"f + d",
	"d / 4",
	"f / 3",
	"i / 2.0",
	"d * n",
	"ul + 1.0",
	"u * 1.0f",
	"i + 0.5f",
	"i << 3",
	"n << 1",
	"n >> 1",
	"u >> 3",
	"ul >> 60",
	"1 << 31",
	"1u << 31",
	"1l << 40",
	"i << sc + 4",
	"i & 6",
	"i | 8",
	"i ^ 3",
	"u & 0xff",
	"n & 0xff",
	"l | 1",
	"uc ^ sc",
	"i < n",
	"i <= 5",
	"i > n",
	"i >= 6",
	"i == 5",
	"i != 5",
	"d < 0",
	"d >= -2.25",
	"f == 1.5",
	"f != d",
	"c == 'x'",
	"colour == GREEN",
	"colour > 3",
	"BLUE < 0",
	"sc < uc",
	"us > s",
	"i && n",
	"i && 0",
	"0 || n",
	"0 || 0",
	"d && f",
	"head && head->v == 11",
	"i ? 3 : 4",
	"0 ? 3 : 4.5",
	"i ? u : n",
	"n < 0 ? -n : n",
	"i ? 1 ? 2 : 3 : 4",
	/* pointers */
	"p - a",
	"&a[3] - p",
	"p == &a[1]",
	"p + 1 == &a[2]",
	"p < &a[3]",
	"p != NULL",
	"head->next->next == NULL",
	"head->next->next == 0",
	"&in.p[1] == in.p + 1",
	"(char *)&a[1] - (char *)a",
	"p - 1 == a",
	"1 + a == p",
	"NULL == head",
	"a == &a[0]",
	"text != 0",
	/* precedence */
	"1 + 2 * 3",
	"(1 + 2) * 3",
	"1 << 2 + 1",
	"6 & 3 == 3",
	"1 | 2 ^ 3 & 2",
	"10 - 3 - 2",
	"100 / 10 / 2",
	"1 < 2 == 1",
	"0 && 1 || 1",
	"1 || 0 && 0",
	"-2 * -3",
	"!0 + 1",
	"~0 & 7",
	"1 ? 0 : 1 ? 2 : 3",
	"2 * 3 % 4",
	"*p + 1",
	"-*p",
	"!*a == 0",
	"&*p == p",
	"- a[0] + 1",
	/* casts and sizes */
	"(char)300",
	"(unsigned char)n",
	"(short)u",
	"(int)d",
	"(int)-3.99",
	"(long)u",
	"(unsigned)n",
	"(unsigned long)n",
	"(float)1 / 3",
	"(double)1 / 3",
	"(int)f * 2",
	"(bool)0.5",
	"(_Bool)n",
	"(long)d",
	"(unsigned char)uc + 10",
	"(uint8_t)300",
	"(int16_t)us",
	"(size_t)-1 > 5",
	"(double)ul",
	"(float)ul",
	"(unsigned)3000000000.0",
	"(unsigned long)1e19",
	"(signed char)200",
	"(unsigned long long)i",
	"(long int)i",
	"(int)(char)200",
	"*(unsigned char *)&n",
	"(int)'a'",
	"sizeof(int)",
	"sizeof(a)",
	"sizeof a",
	"sizeof a[0]",
	"sizeof(in)",
	"sizeof(*head)",
	"sizeof(long)",
	"sizeof(char *)",
	"sizeof(a) / sizeof(a[0])",
	"sizeof(c + c)",
	"sizeof(short)",
	"sizeof(head->next->next->v)",
	"sizeof(1.0f)",
	"sizeof 'a'",
	"sizeof(unsigned char) + 1",
	"sizeof(p)",
	"sizeof(flags)",
	NULL,
};

static char *source_of_table(void)
{
	struct str source = STR_INIT;

	str_add(&source, variables);
	for (uint32_t i = 0; expressions[i]; i++)
		str_printf(&source, "	SHOW(%s);\n", expressions[i]);
	str_add(&source, "	}\n	return 0;\n}\n");
	return str_steal(&source);
}

/* The condition holds at each evaluation. */
static bool holds(struct asked *a, const char *condition)
{
	char *check = str_format("prog.c:%u: %s", decoded_line(&a->d, "here"), condition);

	asked_try(a, NULL, check);
	free(check);
	if (a->error && a->error->kind != HENCE_ERROR_NOTHING)
		fail_msg("%s: %s", condition, a->error->message);
	return a->error;
}

/* The compiler says what each expression is; the check must say the same, and that it is nothing else. */
static void test_values(void **state)
{
	char *source = source_of_table(), *line, *rest, *output;
	struct asked a = asked_open(source);
	uint32_t i = 0;

	output = mem_strdup(str_text(&a.output));
	for (line = strtok_r(output, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest), i++) {
		char *value = line, *size = strchr(line, ' '), *condition;

		assert_non_null(expressions[i]);
		*size++ = 0;
		condition = str_format("(%s) == %s && sizeof(%s) == %s", expressions[i], value,
		                       expressions[i], size);
		if (!holds(&a, condition))
			fail_msg("%s is not so: %s", condition, str_text(&a.found.numbers));
		free(condition);
		condition = str_format("(%s) != %s", expressions[i], value);
		if (holds(&a, condition))
			fail_msg("%s is so", condition);
		assert_int_not_equal(a.found.kind, VIOLATION_BRANCH);
		free(condition);
	}
	assert_null(expressions[i]);
	free(output);
	free(source);
	asked_close(&a);
}

/* --- when it is false --- */

static const char loop[] =
	"#include <stdio.h>\n"
	"struct list { int v; struct list *next; };\n"
	"int total;\n"
	"static int add(int v)\n"
	"{\n"
	"	total += v; /*add*/\n"
	"	return total; /*return*/\n"
	"}\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	struct list third = {5, 0}, second = {-9, &third}, first = {4, &second};\n"
	"	int late;\n"
	"	for (struct list *l = &first; l; l = l->next)\n"
	"		add(l->v); /*call*/\n"
	"	late = argc; /*late*/\n"
	"	total = late; /*after*/\n"
	"	return 0;\n"
	"}\n"
	"void never(int n)\n"
	"{\n"
	"	total = n; /*never*/\n"
	"}\n";

/* Asks for a condition at a marked line. */
static void ask_at(struct asked *a, const char *mark, const char *condition)
{
	char *check = str_format("prog.c:%u: %s", decoded_line(&a->d, mark), condition);

	asked_try(a, NULL, check);
	free(check);
}

static void test_first(void **state)
{
	struct asked a = asked_open(loop);

	ask_at(&a, "return", "total >= 0");
	assert_null(a.error);
	assert_int_equal(a.found.failure, EXPLANATION_CHECK);
	asked_at(&a, "return");
	asked_words(&a, "total >= 0 does not hold: the first time, after it held once",
	            "total >= 0", "-5 >= 0");
	assert_string_equal(a.found.function, "add");
	assert_int_equal(asked_actual(&a), (uint32_t)-5);
	assert_true(asked_holds(&a, 0));
	/* before the line */
	ask_at(&a, "add", "total + v >= 0");
	assert_null(a.error);
	asked_words(&a, NULL, "total + v >= 0", "4 + -9 >= 0");
	ask_at(&a, "call", "l->v != 5 && l->next != NULL");
	assert_null(a.error);
	asked_words(&a, NULL, "l->v != 5 && l->next != NULL", "5 != 5 && NULL != NULL");
	asked_close(&a);
}

/* How often it held, and when it cannot be evaluated. */
static void test_held(void **state)
{
	struct asked a = asked_open(loop);

	ask_at(&a, "call", "l->v > -10");
	assert_int_equal(a.error->kind, HENCE_ERROR_NOTHING);
	assert_non_null(strstr(a.error->message, "held each time at prog.c:14 (3 evaluations)"));
	ask_at(&a, "call", "l->next->v > -10");
	assert_int_equal(a.error->kind, HENCE_ERROR_NOTHING);
	assert_non_null(strstr(a.error->message,
	                       "(2 evaluations); 1 time it could not be evaluated: a "
	                       "pointer is NULL"));
	ask_at(&a, "call", "l->next && l->next->v > -10");
	assert_null(a.error);
	asked_words(&a, NULL, "l->next && l->next->v > -10", "NULL && ... > -10");
	ask_at(&a, "late", "late == 0");
	assert_int_equal(a.error->kind, HENCE_ERROR_INPUT);
	assert_non_null(strstr(a.error->message, "something has no value yet"));
	ask_at(&a, "after", "total / (late - 2)");
	assert_non_null(strstr(a.error->message, "something is divided by 0"));
	ask_at(&a, "after", "1 << late * 20");
	assert_non_null(strstr(a.error->message, "something is shifted too far"));
	asked_close(&a);
}

/* What the index was counts as well as what lay there. */
static void test_index(void **state)
{
	struct asked a = asked_open("int a[8];\n"
	                            "int main(int argc, char **argv)\n"
	                            "{\n"
	                            "	int i = argc;\n"
	                            "	a[i] = argc + 5;\n"
	                            "	return 0; /*here*/\n"
	                            "}\n");
	struct asked_variables v = {0};

	ask_at(&a, "here", "a[i] == 9");
	assert_null(a.error);
	asked_actual(&a);
	term_variables(a.terms, a.found.claim, asked_count, &v);
	/* the element, the index, and what other elements might be */
	assert_int_equal(v.count, 3);
	asked_words(&a, NULL, "a[i] == 9", "7 == 9");
	asked_close(&a);
}

/* --- what is refused --- */

static void refused(struct asked *a, const char *check, const char *words)
{
	asked_try(a, NULL, check);
	if (!a->error)
		fail_msg("%s is accepted", check);
	assert_int_equal(a->error->kind, HENCE_ERROR_INPUT);
	if (!strstr(a->error->message, words))
		fail_msg("%s: %s", check, a->error->message);
}

static void test_syntax(void **state)
{
	static const struct {
		const char *condition, *words;
	} wrong[] = {
		{"", "column 1: it ends where a value should come"},
		{"a +", "column 4: it ends where a value should come"},
		{"(a", "column 3: ')' is missing at the end"},
		{"a[1", "column 4: ']' is missing at the end"},
		{"(a b)", "column 4: ')' is missing before 'b)'"},
		{"a b", "column 3: what follows from 'b' on is too much"},
		{"a = 3", "column 3: = changes something; to compare write =="},
		{"a ? b", "column 6: ':' is missing at the end"},
		{"f(3)", "column 2: functions cannot be called"},
		{"s == \"x\"", "column 6: strings cannot be compared"},
		{"a @ b", "column 3: '@' has no place in a condition"},
		{"a++", "column 4: it ends where a value should come"},
		{"a, b", "column 2: ',' has no place in a condition"},
		{"12abc", "column 1: '12abc' is no number"},
		{"99999999999999999999", "is too large"},
		{"1.5L", "long double"},
		{"(long double)1", "long double is not supported"},
		{"sizeof(struct x)", "name a variable: sizeof(x)"},
		{"'ab'", "a character between ' and ' is wrong"},
		{"p->", "column 4: the name of a member should come"},
		{"* ", "it ends where a value should come"},
		{")", "column 1: a value should come before ')'"},
	};
	struct violation_check check;
	struct str deep = STR_INIT;

	for (uint32_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		char *text = str_format("prog.c:3: %s", wrong[i].condition);
		struct hence_error *error = violation_check_parse(text, &check);

		if (!error || !strstr(error->message, wrong[i].words))
			fail_msg("%s: %s", text, error ? error->message : "is accepted");
		assert_int_equal(error->kind, HENCE_ERROR_INPUT);
		error_destroy(error);
		free(text);
	}
	str_add(&deep, "prog.c:3: ");
	for (int i = 0; i < 100000; i++)
		str_add(&deep, i & 1 ? "(" : "!");
	struct hence_error *error = violation_check_parse(str_text(&deep), &check);

	assert_non_null(error);
	assert_non_null(strstr(error->message, "nested too deeply"));
	error_destroy(error);
	str_deinit(&deep);
}

static void test_text(void **state)
{
	static const char *const wrong[] = {
		"",        "x",        "a.c",      "a.c:3",     ":3: x",
		"a.c:: x", "a.c:x: y", "a.c:0: x", "a.c:-1: x", "a.c:99999999999: x"};
	struct violation_check check;

	for (uint32_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct hence_error *error = violation_check_parse(wrong[i], &check);

		if (!error)
			fail_msg("%s is accepted", wrong[i]);
		assert_non_null(strstr(error->message, "is not FILE:LINE: CONDITION"));
		error_destroy(error);
	}
	assert_null(violation_check_parse("a:b.c:12:x ? y : z", &check));
	assert_string_equal(check.file, "a:b.c");
	assert_int_equal(check.line, 12);
	assert_string_equal(check.expression, "x ? y : z");
	violation_check_deinit(&check);
}

static void test_meaning(void **state)
{
	struct asked a = asked_open(loop);

	refused(&a, "prog.c:6: totl == 3", "totl is not known: there is no variable totl");
	refused(&a, "prog.c:6: v + nothing", "column 5: nothing is not known");
	refused(&a, "prog.c:14: l->w == 3", "there is no member w; there are: v, next");
	refused(&a, "prog.c:14: l.v == 3", "'v' is taken from a value that has no members");
	refused(&a, "prog.c:14: first == 3", "a value of type struct list cannot be used here");
	refused(&a, "prog.c:14: *total", "what is no pointer is taken for one");
	refused(&a, "prog.c:14: total[1]", "what is no pointer is taken for one");
	refused(&a, "prog.c:14: &3", "this has no address");
	refused(&a, "prog.c:14: l * 2", "this cannot be done with a pointer");
	refused(&a, "prog.c:14: l + 1.5", "a pointer is moved by what is no integer");
	refused(&a, "prog.c:14: 1.5 % 2", "this cannot be done with floating point");
	refused(&a, "prog.c:14: ~1.5", "this cannot be done with floating point");
	refused(&a, "prog.c:14: 1.5 << 2", "this cannot be done with floating point");
	refused(&a, "prog.c:14: (void)1", "void has no value");
	refused(&a, "prog.c:2: total", "prog.c:2 was not executed; executed lines nearby: 6, 7");
	refused(&a, "prog.c:21: total", "was not executed");
	refused(&a, "prog.c:999: total", "was not executed");
	refused(&a, "other.c:3: total", "the program has no source file other.c");
	asked_close(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),  cmocka_unit_test(test_first),
		cmocka_unit_test(test_held),    cmocka_unit_test(test_index),
		cmocka_unit_test(test_syntax),  cmocka_unit_test(test_text),
		cmocka_unit_test(test_meaning),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
