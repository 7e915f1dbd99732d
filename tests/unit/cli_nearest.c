/* Guessing what a mistyped subcommand was meant to be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli/commands.h"

static const char *const names[] = {"cc", "build", "run", "explain", "reduce"};

static const char *nearest(const char *word)
{
	return cli_nearest(word, names, sizeof(names) / sizeof(names[0]));
}

static void test_near(void **state)
{
	assert_string_equal(nearest("rn"), "run");
	assert_string_equal(nearest("runn"), "run");
	assert_string_equal(nearest("explian"), "explain");
	assert_string_equal(nearest("buidl"), "build");
	assert_string_equal(nearest("c"), "cc");
	assert_string_equal(nearest("redcue"), "reduce");
}

static void test_far(void **state)
{
	assert_null(nearest("zzzzzz"));
	assert_null(nearest(""));
	assert_null(nearest("x"));
	assert_null(nearest("a-very-long-word-that-nobody-could-have-meant-as-a-command"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_near),
		cmocka_unit_test(test_far),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
