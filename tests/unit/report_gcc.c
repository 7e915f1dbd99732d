/* Explanations as messages of a compiler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explanation_made.h"

static void test_golden(void **state)
{
	struct explanation e;

	made_explained(&e);
	made_assert_golden(&e, explanation_print_gcc, "explained.gcc");
	explanation_deinit(&e);
	made_bare(&e);
	made_assert_golden(&e, explanation_print_gcc, "bare.gcc");
	explanation_deinit(&e);
}

/* A failure in a place that has no source is where the chain ends. */
static void test_failure_place(void **state)
{
	struct explanation e;
	char *text;

	made_explained(&e);
	explanation_place_deinit(&e.failure.at);
	text = made_printed(&e, explanation_print_gcc);
	assert_memory_equal(text,
	                    "src/sample.c:38:3: error: ", strlen("src/sample.c:38:3: error: "));
	free(text);
	explanation_place_deinit(&e.steps.at[e.steps.size - 1].at);
	text = made_printed(&e, explanation_print_gcc);
	assert_memory_equal(text, "src/sample.c:8: error: ", strlen("src/sample.c:8: error: "));
	free(text);
	e.failure.at = made_place("", 3, 1, NULL, NULL); /* #line 3 "" */
	text = made_printed(&e, explanation_print_gcc);
	assert_memory_equal(text, "src/sample.c:8: error: ", strlen("src/sample.c:8: error: "));
	free(text);
	explanation_deinit(&e);
}

static unsigned count_lines(const char *text)
{
	unsigned lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

/* However many lines a text has, a message has one; names of files stay what an editor can open. */
static void test_one_line(void **state)
{
	static const char bad[] = "a b\n:1:2: error: c\r\x1b[0m";
	struct explanation e;
	char *text;
	unsigned lines;

	made_explained(&e);
	text = made_printed(&e, explanation_print_gcc);
	lines = count_lines(text);
	free(text);
	free(e.steps.at[0].when);
	e.steps.at[0].when = mem_strdup(bad);
	free(e.steps.at[1].statement);
	e.steps.at[1].statement = mem_strdup(bad);
	free(e.suspects.at[0].why);
	e.suspects.at[0].why = mem_strdup(bad);
	free(e.notes.at[0]);
	e.notes.at[0] = mem_strdup(bad);
	free(e.failure.message);
	e.failure.message = mem_strdup(bad);
	free(e.steps.at[0].at.file);
	e.steps.at[0].at.file = mem_strdup("my dir/a:b.c");
	text = made_printed(&e, explanation_print_gcc);
	assert_int_equal(count_lines(text), lines);
	assert_non_null(strstr(text, "\nmy dir/a:b.c:28:6: note: argc is 3 (not 4) when a b\\n"));
	assert_null(strchr(text, '\x1b'));
	assert_null(strchr(text, '\r'));
	free(text);
	explanation_deinit(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_failure_place),
		cmocka_unit_test(test_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
