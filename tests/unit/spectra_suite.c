/* The format of a file of tests, and the message for each way to be wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "spectra/suite.h"

static void parse(const char *text, struct suite *out)
{
	struct hence_error *error = suite_parse("t", text, strlen(text), out);

	if (error)
		print_error("%s\n", error->message);
	assert_null(error);
}

static void assert_words(const struct suite_test *test, const char *const *words, uint32_t count)
{
	assert_int_equal(test->command.size, count);
	for (uint32_t i = 0; i < count; i++)
		assert_string_equal(test->command.at[i], words[i]);
	assert_null(test->command.at[count]);
}

static void test_lines(void **state)
{
	struct suite s;

	parse("# comment\n"
	      "\n"
	      "./prog 9 8 7 => \"7 8 9\\n\"   # another\n"
	      "  ./prog -v < in.txt => @right.txt\n"
	      "./prog a<in.txt =>passes\n"
	      "./prog a=b =>fails\n"
	      "./prog x => fails\r\n"
	      "./prog",
	      &s);
	assert_int_equal(s.tests.size, 6);
	assert_words(&s.tests.at[0], (const char *const[]){"./prog", "9", "8", "7"}, 4);
	assert_int_equal(s.tests.at[0].line, 3);
	assert_int_equal(s.tests.at[0].expected, SUITE_OUTPUT);
	assert_string_equal(str_text(&s.tests.at[0].output), "7 8 9\n");
	assert_null(s.tests.at[0].input);
	assert_null(s.tests.at[0].output_file);
	assert_words(&s.tests.at[1], (const char *const[]){"./prog", "-v"}, 2);
	assert_string_equal(s.tests.at[1].input, "in.txt");
	assert_string_equal(s.tests.at[1].output_file, "right.txt");
	assert_words(&s.tests.at[2], (const char *const[]){"./prog", "a"}, 2);
	assert_string_equal(s.tests.at[2].input, "in.txt");
	assert_int_equal(s.tests.at[2].expected, SUITE_PASSES);
	assert_string_equal(s.tests.at[3].command.at[1], "a=b");
	assert_int_equal(s.tests.at[3].expected, SUITE_FAILS);
	assert_int_equal(s.tests.at[4].expected, SUITE_FAILS);
	assert_int_equal(s.tests.at[5].expected, SUITE_EXIT);
	suite_deinit(&s);
}

static void test_quotes(void **state)
{
	struct suite s;

	parse("./prog 'a  b' \"c \\\" \\\\ \\n\" d\\ e '' '#' x#y '=>' \"<\" \\\n"
	      "  'it''s' => \"\\ttab \\x41\\102\\\\ \\\"q\\\" #\"\n"
	      "'./my prog' 2 => passes\n",
	      &s);
	assert_int_equal(s.tests.size, 2);
	assert_words(&s.tests.at[0],
	             (const char *const[]){"./prog", "a  b", "c \" \\ \\n", "d e", "", "#", "x#y",
	                                   "=>", "<", "its"},
	             10);
	assert_string_equal(str_text(&s.tests.at[0].output), "\ttab AB\\ \"q\" #");
	assert_int_equal(s.tests.at[0].line, 1);
	assert_int_equal(s.tests.at[1].line, 3);
	assert_string_equal(s.tests.at[1].command.at[0], "./my prog");
	assert_int_equal(s.tests.at[1].expected, SUITE_PASSES);
	suite_deinit(&s);
}

static void assert_refused(const char *text, size_t size, const char *message)
{
	struct suite s;
	struct hence_error *error = suite_parse("t", text, size, &s);

	assert_non_null(error);
	assert_int_equal(error->kind, HENCE_ERROR_INPUT);
	assert_string_equal(error->message, message);
	error_destroy(error);
	suite_deinit(&s);
}

static void test_refused(void **state)
{
	static const struct {
		const char *text, *message;
	} all[] = {
		{"", "t has no tests; write one in a line: ./prog ARGS => \"what is right\""},
		{"# nothing\n\n",
	         "t has no tests; write one in a line: ./prog ARGS => \"what is right\""},
		{"./a\n./b 'x\n", "t:2: a ' is not closed; add another in the same line"},
		{"./b \"x\n", "t:1: a \" is not closed; add another in the same line"},
		{"./b => \"x\n", "t:1: a \" is not closed; add another in the same line"},
		{"./b => \"\\q\"\n", "t:1: there is no escape '\\q'; \\n, \\t, \\\\, \\\", \\x41 "
	                             "and the like are as in C"},
		{"./b => \"a\\0b\"\n", "t:1: a zero byte cannot be written here; put what is right "
	                               "into a file: => @FILE"},
		{"./b =>\n", "t:1: nothing behind '=>'; write \"TEXT\", @FILE, passes or fails"},
		{"./b => ok\n",
	         "t:1: 'ok' is nothing to expect; write \"TEXT\", @FILE, passes or fails"},
		{"./b => @\n",
	         "t:1: '@' is nothing to expect; write \"TEXT\", @FILE, passes or fails"},
		{"./b => passes now\n", "t:1: 'now' stands behind what is expected"},
		{"./b => passes => fails\n", "t:1: more than one thing is expected"},
		{"./b => passes < in\n",
	         "t:1: '<' stands behind what is expected; write it before '=>'"},
		{"=> passes\n", "t:1: no program before '=>'"},
		{"< in.txt\n", "t:1: no program before '<'"},
		{"< in.txt ./b\n", "t:1: no program before '<'"},
		{"./b <\n", "t:1: no file behind '<'"},
		{"./b < a < b\n", "t:1: two files for standard input; a test has one"},
		{"LANG=C ./b\n", "t:1: 'LANG=C': variables cannot be set here; set it in the "
	                         "environment of hence"},
		{"./b | sort\n", "t:1: '|' is not understood: a test is one program, with '< FILE' "
	                         "at most; write it in quotes if it is an argument"},
		{"./b *.txt\n", "t:1: '*' is not expanded here as a shell does it; write it in "
	                        "quotes if it is meant as it is"},
		{"./b \"$HOME\"\n",
	         "t:1: '$' is not expanded here; write '\\$' if it is meant as it is"},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		assert_refused(all[i].text, strlen(all[i].text), all[i].message);
	assert_refused("./b \0 x\n", 8, "t:1: there is a zero byte; is it a text file?");
}

/* Whatever stands there: no crash, and an error or tests. */
static void test_random(void **state)
{
	static const char signs[] = "./b '\"\\<=>@#\n\t x\r$*n0";
	uint32_t seed = 7;

	for (unsigned round = 0; round < 20000; round++) {
		char text[24];
		struct suite s;

		for (unsigned i = 0; i < sizeof(text); i++) {
			seed = seed * 1664525 + 1013904223;
			text[i] = signs[(seed >> 16) % sizeof(signs)];
		}
		error_destroy(suite_parse("t", text, seed >> 8 & 15, &s));
		suite_deinit(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_quotes),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
