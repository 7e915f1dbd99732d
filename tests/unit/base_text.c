/* Growing strings and error objects. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/str.h"

static void test_str_empty(void **state)
{
	struct str s = STR_INIT;
	char *text;

	assert_string_equal(str_text(&s), "");
	text = str_steal(&s);
	assert_string_equal(text, "");
	free(text);
	str_deinit(&s);
	str_deinit(&s);
}

static void test_str_adds(void **state)
{
	struct str s = STR_INIT;

	str_add(&s, "ab");
	str_add_char(&s, 'c');
	str_add_bytes(&s, "d\0e", 3);
	str_printf(&s, "%s=%d", "n", -5);
	assert_int_equal(s.length, 10);
	assert_memory_equal(str_text(&s), "abcd\0en=-5", 11);
	str_deinit(&s);
	assert_int_equal(s.length, 0);
}

/* Every length around the first sizes of the buffer, by each way of adding. */
static void test_str_growth(void **state)
{
	struct str one = STR_INIT, format = STR_INIT;

	for (size_t i = 0; i < 1000; i++) {
		str_add_char(&one, (char)('a' + i % 26));
		str_printf(&format, "%c", (char)('a' + i % 26));
		assert_int_equal(strlen(str_text(&one)), i + 1);
		assert_string_equal(str_text(&one), str_text(&format));
	}
	str_deinit(&one);
	str_deinit(&format);
}

static void test_str_long_printf(void **state)
{
	struct str s = STR_INIT;

	str_printf(&s, "%5000d|", 7);
	assert_int_equal(s.length, 5001);
	assert_string_equal(str_text(&s) + 4998, " 7|");
	str_deinit(&s);
}

static void test_str_steal_empties(void **state)
{
	struct str s = STR_INIT;
	char *text;

	str_add(&s, "first");
	text = str_steal(&s);
	str_add(&s, "second");
	assert_string_equal(text, "first");
	assert_string_equal(str_text(&s), "second");
	free(text);
	str_deinit(&s);
	text = str_format("%s-%03d", "x", 7);
	assert_string_equal(text, "x-007");
	free(text);
}

static void test_error(void **state)
{
	struct hence_error *error = error_create(HENCE_ERROR_INPUT, "no file '%s'", "a.c");

	assert_int_equal(error->kind, HENCE_ERROR_INPUT);
	assert_int_equal(error->kind, 2); /* it is the exit code */
	assert_string_equal(error->message, "no file 'a.c'");
	error_destroy(error);
	error_destroy(NULL);
}

static void test_error_from_errno(void **state)
{
	struct hence_error *error;

	errno = ENOENT;
	error = error_from_errno(HENCE_ERROR_INTERNAL, "cannot open %s", "x");
	assert_int_equal(error->kind, 4);
	assert_string_equal(error->message, "cannot open x: No such file or directory");
	error_destroy(error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_str_empty),         cmocka_unit_test(test_str_adds),
		cmocka_unit_test(test_str_growth),        cmocka_unit_test(test_str_long_printf),
		cmocka_unit_test(test_str_steal_empties), cmocka_unit_test(test_error),
		cmocka_unit_test(test_error_from_errno),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
