/* Words as a shell has them: split, quoted, and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "explain/failure_case.h"

/* The words of a text, each in [..]. Caller frees. */
static char *split(const char *text)
{
	struct input input = {VEC_INIT};
	struct str out = STR_INIT;

	assert_null(failure_words_split("--pass", text, &input));
	for (uint32_t i = 0; i < input.parts.size; i++) {
		assert_int_equal(input.parts.at[i].kind, INPUT_ARGUMENT);
		str_printf(&out, "[%s]", str_text(&input.parts.at[i].bytes));
	}
	input_deinit(&input);
	return str_steal(&out);
}

static void expect(const char *text, const char *words)
{
	char *got = split(text);

	assert_string_equal(got, words);
	free(got);
}

static void test_split(void **state)
{
	expect("", "");
	expect("  \t\n", "");
	expect("a", "[a]");
	expect(" a  bc ", "[a][bc]");
	expect("''", "[]");
	expect("a '' \"\" b", "[a][][][b]");
	expect("'a b' \"c d\"", "[a b][c d]");
	expect("a'b'\"c\"d", "[abcd]");
	expect("a\\ b \\'", "[a b][']");
	expect("'a\\b'", "[a\\b]");
	expect("\"a\\\"b\\\\c\\d\"", "[a\"b\\c\\d]");
	expect("$x *", "[$x][*]");
}

static void refuse(const char *text, const char *part)
{
	struct input input = {VEC_INIT};
	struct hence_error *error = failure_words_split("--pass", text, &input);

	assert_non_null(error);
	assert_int_equal(error->kind, HENCE_ERROR_INPUT);
	assert_non_null(strstr(error->message, "--pass"));
	assert_non_null(strstr(error->message, part));
	error_destroy(error);
	input_deinit(&input);
}

static void test_refused(void **state)
{
	refuse("a 'b", "' is not closed");
	refuse("a \"b", "\" is not closed");
	refuse("a\\", "backslash");
}

/* Any bytes that are quoted come back, when nothing in them needs $'..'. */
static void test_quote(void **state)
{
	srand(1);
	for (int i = 0; i < 3000; i++) {
		struct str quoted = STR_INIT, wanted = STR_INIT;
		int size = rand() % 12;
		char *got;

		str_add_char(&wanted, '[');
		for (int j = 0; j < size; j++)
			str_add_char(&wanted, (char)(' ' + rand() % 95));
		failure_words_quote(wanted.text + 1, wanted.length - 1, &quoted);
		str_add_char(&wanted, ']');
		got = split(str_text(&quoted));
		assert_string_equal(got, str_text(&wanted));
		free(got);
		str_deinit(&quoted);
		str_deinit(&wanted);
	}
}

static void test_escapes(void **state)
{
	struct str quoted = STR_INIT;

	failure_words_quote("a\n\x01'\\", 5, &quoted);
	assert_string_equal(str_text(&quoted), "$'a\\n\\001\\'\\\\'");
	str_deinit(&quoted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_quote),
		cmocka_unit_test(test_escapes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
