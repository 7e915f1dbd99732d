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
		{"./b =>\n",
	         "t:1: nothing behind '=>'; write \"TEXT\", @FILE, exit STATUS, passes or fails"},
		{"./b => ok\n", "t:1: 'ok' is nothing to expect; write \"TEXT\", @FILE, exit "
	                        "STATUS, passes or fails"},
		{"./b => @\n", "t:1: '@' is nothing to expect; write \"TEXT\", @FILE, exit STATUS, "
	                       "passes or fails"},
		{"./b => exit\n", "t:1: 'exit' needs an exit status from 0 to 255 behind it"},
		{"./b => exit 256\n", "t:1: 'exit' needs an exit status from 0 to 255 behind it"},
		{"./b => exit -1\n", "t:1: 'exit' needs an exit status from 0 to 255 behind it"},
		{"./b => exit 1x\n", "t:1: 'exit' needs an exit status from 0 to 255 behind it"},
		{"./b => exit 0000000001\n",
	         "t:1: 'exit' needs an exit status from 0 to 255 behind it"},
		{"./b => exit \"1\"\n", "t:1: 'exit' needs an exit status from 0 to 255 behind it"},
		{"./b => \"x\" exit <\n",
	         "t:1: 'exit' needs an exit status from 0 to 255 behind it"},
		{"./b => exit 1 exit 2\n", "t:1: 'exit' stands behind what is expected"},
		{"./b => \"x\" exit 1 exit 1\n", "t:1: 'exit' stands behind what is expected"},
		{"./b => exit 1 @x\n", "t:1: '@x' stands behind what is expected"},
		{"./b => passes exit 1\n", "t:1: 'exit' stands behind what is expected"},
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

static void test_statuses(void **state)
{
	struct suite s;

	parse("./prog => exit 3 # three\n"
	      "./prog exit => \"text\" exit 255\n"
	      "./prog < in => @exit exit 0\n"
	      "./prog 1 => \"exit 4\"\n"
	      "./prog 2\n"
	      "./prog 3 => passes\n",
	      &s);
	assert_int_equal(s.tests.size, 6);
	assert_int_equal(s.tests.at[0].expected, SUITE_EXIT);
	assert_int_equal(s.tests.at[0].status, 3);
	assert_int_equal(s.tests.at[1].expected, SUITE_OUTPUT);
	assert_string_equal(str_text(&s.tests.at[1].output), "text");
	assert_string_equal(s.tests.at[1].command.at[1], "exit");
	assert_int_equal(s.tests.at[1].status, 255);
	assert_string_equal(s.tests.at[2].output_file, "exit");
	assert_int_equal(s.tests.at[2].status, 0);
	assert_string_equal(str_text(&s.tests.at[3].output), "exit 4");
	assert_int_equal(s.tests.at[3].status, 0);
	assert_true(suite_has_status(&s.tests.at[4]));
	assert_int_equal(s.tests.at[4].status, 0);
	assert_false(suite_has_status(&s.tests.at[5]));
	suite_deinit(&s);
}

/* Two tests of the same command, and of the same input if they say no more. */
static void check_two(const char *first, const char *second, bool contradict)
{
	char *text = str_format("# tests\n./b 1 %s\n./b 2\n./b 1 %s\n", first, second);
	struct hence_error *error;
	struct suite s;

	parse(text, &s);
	error = suite_read_files("t", &s);
	if (contradict) {
		assert_non_null(error);
		assert_int_equal(error->kind, HENCE_ERROR_INPUT);
		assert_string_equal(error->message,
		                    "t:4: something else is expected than in line 2, of the same "
		                    "command and input; leave one out");
	} else {
		assert_null(error);
	}
	error_destroy(error);
	suite_deinit(&s);
	free(text);
}

static void test_contradictions(void **state)
{
	static const struct {
		const char *first, *second;
		bool contradict;
	} all[] = {
		{"=> \"a\"", "=> \"b\"", true},
		{"=> \"a\"", "=> \"a\\n\"", false},
		{"=> \"a\\n\"", "=> \"a\"", false},
		{"=> \"a\"", "=> \"a\\n\\n\"", true},
		{"=> \"a\"", "=> \"ab\"", true},
		{"=> \"a\"", "=> \"a\" exit 1", true},
		{"=> \"a\" exit 1", "=> \"a\" exit 1", false},
		{"=> \"a\" exit 1", "=> exit 1", false},
		{"=> \"a\" exit 1", "", true},
		{"", "=> exit 1", true},
		{"", "=> exit 0", false},
		{"", "=> \"a\"", false},
		{"=> passes", "=> fails", true},
		{"=> fails", "=> passes", true},
		{"=> passes", "=> \"a\" exit 1", false},
		{"=> fails", "=> \"a\"", false},
		{"=> fails", "=> fails", false},
		{"< /dev/null => \"a\"", "=> \"b\"", false},
		{"< /dev/null => \"a\"", "< /dev/null => \"b\"", true},
		{"x => \"a\"", "y => \"b\"", false},
		{"x => \"a\"", "=> \"b\"", false},
		{"=> @/dev/null", "=> \"\"", false},
		{"=> @/dev/null", "=> \"a\"", true},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		check_two(all[i].first, all[i].second, all[i].contradict);
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
		cmocka_unit_test(test_lines),    cmocka_unit_test(test_quotes),
		cmocka_unit_test(test_statuses), cmocka_unit_test(test_contradictions),
		cmocka_unit_test(test_refused),  cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
