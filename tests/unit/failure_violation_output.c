/* What was violated when the output is wrong: the value that was printed, the byte, the call. */
#include "violation_run.h"

/* A program that prints one thing with printf; `value` is an expression of argc. */
static struct asked print_one(const char *type, const char *format, const char *value)
{
	static char source[2048];

	snprintf(source, sizeof(source),
	         "#include <stdio.h>\n"
	         "int main(int argc, char **argv)\n"
	         "{\n"
	         "	%s x = %s;\n"
	         "	printf(\"x is %s;\\n\", x); /*here*/\n"
	         "	return 0;\n"
	         "}\n",
	         type, value, format);
	return asked_open(source);
}

/* --- integers --- */

static const struct integer {
	const char *type, *format, *value;
	const char *expected; /* between `x is ` and `;` */
	const char *numbers;
	uint64_t right; /* as bits of the argument */
} integers[] = {
	{"int", "%d", "argc + 2", "5", "4 == 5", 5},
	{"int", "%i", "-argc", "-3", "-2 == -3", (uint32_t)-3},
	{"int", "%d", "argc", "20", "2 == 20", 20},
	{"int", "%d", "argc * 10", "2", "20 == 2", 2},
	{"int", "%5d", "argc + 10", "  123", "12 == 123", 123},
	{"int", "%-5d", "argc + 10", "123  ", "12 == 123", 123},
	{"int", "%05d", "argc + 10", "00013", "00012 == 00013", 13},
	{"int", "%.3d", "argc + 10", "013", "012 == 013", 13},
	{"int", "%+d", "argc", "+3", "+2 == +3", 3},
	{"unsigned", "%u", "argc - 3", "4294967294", "4294967295 == 4294967294", 4294967294},
	{"unsigned", "%x", "argc + 28", "1f", "1e == 1f", 31},
	{"unsigned", "%#x", "argc + 28", "0x1f", "0x1e == 0x1f", 31},
	{"unsigned", "%X", "argc + 9", "C", "B == C", 12},
	{"unsigned", "%o", "argc + 7", "12", "11 == 12", 10},
	{"long", "%ld", "argc * 10000000000L", "-7", "20000000000 == -7", (uint64_t)-7},
	{"long long", "%lld", "argc", "3", "2 == 3", 3},
	{"unsigned long", "%zu", "argc", "3", "2 == 3", 3},
};

static void test_integers(void **state)
{
	for (uint32_t i = 0; i < sizeof(integers) / sizeof(*integers); i++) {
		const struct integer *c = &integers[i];
		struct asked a = print_one(c->type, c->format, c->value);
		char *expected = str_format("x is %s;\n", c->expected);
		const char *number = c->expected + strspn(c->expected, " ");
		char *wanted = str_format("x == %.*s", (int)strcspn(number, " "), number);

		asked_must(&a, expected, NULL);
		assert_int_equal(a.found.failure, EXPLANATION_WRONG_OUTPUT);
		asked_words(&a, NULL, wanted, c->numbers);
		asked_at(&a, "here");
		asked_actual(&a);
		assert_true(asked_holds(&a, c->right));
		assert_false(asked_holds(&a, c->right + 1));
		free(expected);
		free(wanted);
		asked_close(&a);
	}
}

/* Only the low bytes of the argument are printed. */
static void test_small(void **state)
{
	struct asked a = print_one("int", "%hhd", "argc + 256");

	asked_must(&a, "x is 5;\n", NULL);
	asked_words(&a, "byte 5 of standard output is \"2\", not \"5\"", "x == 5", "2 == 5");
	assert_true(asked_holds(&a, 5));
	assert_true(asked_holds(&a, 0x105));
	assert_false(asked_holds(&a, 6));
	asked_close(&a);
}

static void test_characters(void **state)
{
	struct asked a = print_one("int", "%c", "'a' + argc");

	asked_must(&a, "x is b;\n", NULL);
	asked_words(&a, NULL, "x == 'b'", "'c' == 'b'");
	assert_true(asked_holds(&a, 'b'));
	assert_false(asked_holds(&a, 'c'));
	asked_close(&a);
	a = asked_open("#include <stdio.h>\n"
	               "int main(int argc, char **argv)\n"
	               "{\n"
	               "	for (int i = 0; i < 4; i++)\n"
	               "		putchar('a' + i * argc); /*here*/\n"
	               "	return 0;\n"
	               "}\n");
	asked_must(&a, "accg", NULL);
	asked_at(&a, "here");
	asked_words(&a, "byte 2 of standard output is \"e\", not \"c\"", "97 + i * argc == 'c'",
	            "'e' == 'c'");
	assert_int_equal(asked_actual(&a), 'e');
	assert_true(asked_holds(&a, 'c'));
	asked_close(&a);
}

/* --- floating point --- */

static uint64_t bits_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static void test_reals(void **state)
{
	struct asked a = print_one("double", "%.2f", "argc * 1.5");

	asked_must(&a, "x is 3.14;\n", NULL);
	asked_words(&a, NULL, "x == 3.14", "3.00 == 3.14");
	assert_true(asked_holds(&a, bits_of(3.14)));
	assert_true(asked_holds(&a, bits_of(3.1351)));
	assert_true(asked_holds(&a, bits_of(3.1449)));
	assert_false(asked_holds(&a, bits_of(3.1349)));
	assert_false(asked_holds(&a, bits_of(3.1451)));
	asked_close(&a);
	a = print_one("double", "%g", "argc * 1e10");
	asked_must(&a, "x is -2.5e-07;\n", NULL);
	assert_true(asked_holds(&a, bits_of(-2.5e-07)));
	assert_true(asked_holds(&a, bits_of(-2.500001e-07)));
	assert_false(asked_holds(&a, bits_of(2.5e-07)));
	assert_false(asked_holds(&a, bits_of(-2.50001e-07)));
	asked_close(&a);
	a = print_one("double", "%e", "argc");
	asked_must(&a, "x is inf;\n", NULL);
	assert_true(asked_holds(&a, bits_of(__builtin_inf())));
	assert_false(asked_holds(&a, bits_of(1e308)));
	asked_close(&a);
}

/* --- what comes of several --- */

/* The second argument is wrong. */
static void test_second(void **state)
{
	struct asked a = asked_open("#include <stdio.h>\n"
	                            "int main(int argc, char **argv)\n"
	                            "{\n"
	                            "	int w = argc + 1, h = argc * 4;\n"
	                            "	printf(\"%dx%d=%d\\n\", w, h, w * h); /*here*/\n"
	                            "	return 0;\n"
	                            "}\n");

	asked_must(&a, "3x7=21\n", NULL);
	asked_words(&a, NULL, "h == 7", "8 == 7");
	assert_true(asked_holds(&a, 7));
	asked_close(&a);
}

/* The number is printed by one call, what follows it by another. */
static void test_two_calls(void **state)
{
	struct asked a = asked_open("#include <stdio.h>\n"
	                            "int main(int argc, char **argv)\n"
	                            "{\n"
	                            "	printf(\"%d\", argc); /*here*/\n"
	                            "	puts(\" files\");\n"
	                            "	return 0;\n"
	                            "}\n");

	asked_must(&a, "23 files\n", NULL);
	asked_at(&a, "here");
	asked_words(&a, "byte 1 of standard output is \" \", not \"3\"", "argc == 23", "2 == 23");
	assert_true(asked_holds(&a, 23));
	asked_close(&a);
}

/* What is expected is no number: any other would do. */
static void test_no_number(void **state)
{
	struct asked a = print_one("int", "%d", "argc");

	asked_must(&a, "x is none;\n", NULL);
	asked_words(&a, NULL, "x != 2", "");
	assert_true(asked_holds(&a, 3));
	assert_false(asked_holds(&a, 2));
	asked_close(&a);
}

/* By way of a va_list. */
static void test_list(void **state)
{
	struct asked a = asked_open("#include <stdarg.h>\n"
	                            "#include <stdio.h>\n"
	                            "static void say(const char *format, ...)\n"
	                            "{\n"
	                            "	va_list list;\n"
	                            "	va_start(list, format);\n"
	                            "	vprintf(format, list); /*here*/\n"
	                            "	va_end(list);\n"
	                            "}\n"
	                            "int main(int argc, char **argv)\n"
	                            "{\n"
	                            "	say(\"%s has %d\\n\", argv[1], argc + 2);\n"
	                            "	return 0;\n"
	                            "}\n");

	asked_must(&a, "word has 7\n", NULL);
	asked_at(&a, "here");
	assert_int_equal(a.found.kind, VIOLATION_CHECK);
	asked_words(&a, NULL, "the value that is printed == 7", "4 == 7");
	asked_close(&a);
}

/* --- text --- */

static const char text[] = "#include <stdio.h>\n"
			   "int main(int argc, char **argv)\n"
			   "{\n"
			   "	char name[8];\n"
			   "	for (int i = 0; i < 3 + argc / 2; i++)\n"
			   "		name[i] = 'a' + i;\n"
			   "	name[3 + argc / 2] = 0;\n"
			   "	printf(\"<%s>\\n\", name); /*here*/\n"
			   "	return 0;\n"
			   "}\n";

static void test_text(void **state)
{
	struct asked a = asked_open(text);

	/* a byte of it */
	asked_must(&a, "<axcd>\n", NULL);
	asked_at(&a, "here");
	asked_words(&a, NULL, "name[1] == 'x'", "'b' == 'x'");
	assert_int_equal(asked_actual(&a), 'b');
	assert_true(asked_holds(&a, 'x'));
	/* shorter */
	asked_must(&a, "<abc>\n", NULL);
	asked_words(&a, "byte 4 of standard output is \"d\", not \">\"", "name[3] == 0",
	            "'d' == 0");
	assert_true(asked_holds(&a, 0));
	/* longer */
	asked_must(&a, "<abcde>\n", NULL);
	asked_words(&a, "byte 5 of standard output is \">\", not \"e\"", "name[4] == 'e'",
	            "0 == 'e'");
	assert_true(asked_holds(&a, 'e'));
	/* something else behind it: no value explains that */
	asked_must(&a, "<abcd!\n", NULL);
	assert_int_equal(a.found.kind, VIOLATION_EVENT);
	asked_close(&a);
}

/* Which of two texts is printed is decided by a pointer. */
static void test_pointer(void **state)
{
	struct asked a =
		asked_open("#include <stdio.h>\n"
	                   "static const char *const names[] = {\"zero\", \"one\", \"two\"};\n"
	                   "int main(int argc, char **argv)\n"
	                   "{\n"
	                   "	const char *name = names[argc - 1];\n"
	                   "	puts(name); /*here*/\n"
	                   "	return 0;\n"
	                   "}\n");

	asked_must(&a, "two\n", NULL);
	asked_at(&a, "here");
	assert_int_equal(a.found.kind, VIOLATION_CHECK);
	assert_true(asked_holds(&a, asked_actual(&a) + 4));
	asked_close(&a);
}

static void test_write(void **state)
{
	struct asked a = asked_open("#include <unistd.h>\n"
	                            "int main(int argc, char **argv)\n"
	                            "{\n"
	                            "	char bytes[4] = {1, 2, 3, '\\n'};\n"
	                            "	bytes[1] += argc;\n"
	                            "	write(1, bytes, 4); /*here*/\n"
	                            "	return 0;\n"
	                            "}\n");

	asked_must(&a, "\1\5\3\n", NULL);
	asked_at(&a, "here");
	asked_words(&a, "byte 1 of standard output is \"\\004\", not \"\\005\"", "bytes[1] == 5",
	            "4 == 5");
	assert_true(asked_holds(&a, 5));
	asked_close(&a);
}

/* --- calls --- */

static const char lines[] = "#include <stdio.h>\n"
			    "int main(int argc, char **argv)\n"
			    "{\n"
			    "	puts(\"begin\");\n"
			    "	for (int i = 0; i < argc; i++)\n"
			    "		puts(\"line\"); /*line*/\n"
			    "	if (argc == 2)\n"
			    "		puts(\"two\"); /*two*/\n"
			    "	return 0; /*return*/\n"
			    "}\n";

static void test_calls(void **state)
{
	struct asked a = asked_open(lines);

	/* another text */
	asked_must(&a, "begin\nline\nline\none\n", NULL);
	assert_int_equal(a.found.kind, VIOLATION_EVENT);
	asked_at(&a, "two");
	asked_words(&a, "byte 16 of standard output is \"t\", not \"o\"", "", "");
	/* too much */
	asked_must(&a, "begin\nline\nline\n", NULL);
	assert_int_equal(a.found.kind, VIOLATION_EVENT);
	asked_at(&a, "two");
	asked_words(&a, "byte 16 of standard output is \"t\", and nothing more is expected", "",
	            "");
	/* not enough */
	asked_must(&a, "begin\nline\nline\ntwo\nend\n", NULL);
	assert_int_equal(a.found.kind, VIOLATION_EVENT);
	asked_at(&a, "two");
	asked_words(&a, "byte 20 of standard output is missing: \"e\"", "", "");
	assert_int_equal(a.found.also.size, 1);
	assert_int_equal(decoded_line_of(&a.d, a.found.also.at[0]), decoded_line(&a.d, "return"));
	/* as expected */
	asked_try(&a, "begin\nline\nline\ntwo\n", NULL);
	assert_non_null(a.error);
	assert_int_equal(a.error->kind, HENCE_ERROR_NOTHING);
	asked_close(&a);
}

/* The program dies before it has printed all: that is what is wrong. */
static void test_crash(void **state)
{
	struct asked a = asked_open("#include <stdio.h>\n"
	                            "int main(int argc, char **argv)\n"
	                            "{\n"
	                            "	int *p = 0, x = argc;\n"
	                            "	printf(\"%d\\n\", x); /*print*/\n"
	                            "	fflush(stdout);\n"
	                            "	return *p; /*here*/\n"
	                            "}\n");

	asked_must(&a, "2\n3\n", NULL);
	assert_int_equal(a.found.failure, EXPLANATION_CRASH);
	asked_at(&a, "here");
	/* But not if what it printed before was wrong. */
	asked_must(&a, "3\n", NULL);
	assert_int_equal(a.found.failure, EXPLANATION_WRONG_OUTPUT);
	asked_at(&a, "print");
	asked_close(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_integers),   cmocka_unit_test(test_small),
		cmocka_unit_test(test_characters), cmocka_unit_test(test_reals),
		cmocka_unit_test(test_second),     cmocka_unit_test(test_two_calls),
		cmocka_unit_test(test_no_number),  cmocka_unit_test(test_list),
		cmocka_unit_test(test_text),       cmocka_unit_test(test_pointer),
		cmocka_unit_test(test_write),      cmocka_unit_test(test_calls),
		cmocka_unit_test(test_crash),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
