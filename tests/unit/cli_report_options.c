/* How a report looks, and which format a file gets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cli/report_options.h"

/* --- characters --- */

static void set(const char *all, const char *ctype, const char *lang)
{
	const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *const values[] = {all, ctype, lang};

	for (int i = 0; i < 3; i++)
		if (values[i])
			setenv(names[i], values[i], 1);
		else
			unsetenv(names[i]);
}

static bool is_unicode(void)
{
	const struct report_options options = {.formats = REPORT_ALL};

	return report_options_style(&options).unicode;
}

static void test_unicode(void **state)
{
	set("C", NULL, NULL);
	assert_false(is_unicode());
	set(NULL, NULL, NULL);
	assert_false(is_unicode());
	set("C.UTF-8", NULL, NULL);
	assert_true(is_unicode());
	set(NULL, "C.UTF-8", "C");
	assert_true(is_unicode());
	set(NULL, NULL, "C.UTF-8");
	assert_true(is_unicode());
	set("C", "C.UTF-8", "C.UTF-8");
	assert_false(is_unicode());
	set("", "", "C.UTF-8");
	assert_true(is_unicode());
	set("xx_XX.utf8@none", NULL, NULL); /* it is not installed */
	assert_true(is_unicode());
	set("xx_XX.ISO-8859-1", NULL, NULL);
	assert_false(is_unicode());
	set("xx_XX", NULL, NULL);
	assert_false(is_unicode());
}

/* --- colours and length --- */

static void test_style(void **state)
{
	struct report_options options = {
		.formats = REPORT_ALL, .color = COLOR_ALWAYS, .full = true};

	setenv("NO_COLOR", "1", 1);
	assert_true(report_options_style(&options).coloured);
	assert_true(report_options_style(&options).full);
	options.color = COLOR_NEVER;
	assert_false(report_options_style(&options).coloured);
	options.color = COLOR_AUTO;
	assert_false(report_options_style(&options).coloured);
	options.out = "file";
	assert_int_equal(report_options_style(&options).width, 0);
	unsetenv("NO_COLOR");
	assert_false(report_options_style(&options).coloured);
}

/* --- endings --- */

static enum report_format format_of(unsigned formats, const char *out)
{
	struct report_options options = {.formats = formats, .out = out};

	report_options_choose_format(&options);
	return options.format;
}

static void test_endings(void **state)
{
	struct report_options given = {
		.formats = REPORT_ALL, .format = REPORT_GCC, .has_format = true, .out = "a.html"};

	assert_int_equal(format_of(REPORT_ALL, "a.json"), REPORT_JSON);
	assert_int_equal(format_of(REPORT_ALL, "x/a.b.sarif"), REPORT_SARIF);
	assert_int_equal(format_of(REPORT_ALL, "a.html"), REPORT_HTML);
	assert_int_equal(format_of(REPORT_ALL, "a.dot"), REPORT_DOT);
	assert_int_equal(format_of(REPORT_ALL, "a.txt"), REPORT_TEXT);
	assert_int_equal(format_of(REPORT_ALL, "a.gcc"), REPORT_TEXT);
	assert_int_equal(format_of(REPORT_ALL, "json"), REPORT_TEXT);
	assert_int_equal(format_of(REPORT_ALL, "x.json/file"), REPORT_TEXT);
	assert_int_equal(format_of(REPORT_ALL, NULL), REPORT_TEXT);
	assert_int_equal(format_of(REPORT_LISTS, "a.html"), REPORT_TEXT);
	assert_int_equal(format_of(REPORT_LISTS, "a.json"), REPORT_JSON);
	report_options_choose_format(&given);
	assert_int_equal(given.format, REPORT_GCC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unicode),
		cmocka_unit_test(test_style),
		cmocka_unit_test(test_endings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
