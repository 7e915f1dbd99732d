/* Explanations as graphs. That graphviz takes them, tests/report/formats shows. */
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
	made_assert_golden(&e, explanation_print_dot, "explained.dot");
	explanation_deinit(&e);
	made_bare(&e);
	made_assert_golden(&e, explanation_print_dot, "bare.dot");
	explanation_deinit(&e);
}

static char *print_failing(const char *message, bool full)
{
	const struct explanation_style style = {.full = full};
	struct explanation e = {.verdict = EXPLANATION_UNPROVEN, .program = mem_strdup("p")};
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	e.failure.message = mem_strdup(message);
	explanation_print_dot(&e, &style, file);
	fclose(file);
	explanation_deinit(&e);
	return text;
}

static void assert_label(const char *message, bool full, const char *expected)
{
	char *text = print_failing(message, full);
	char *node = str_format("failure0 [label=<<TABLE BORDER=\"0\" CELLSPACING=\"0\" "
	                        "CELLPADDING=\"2\">\n\t\t<TR><TD ALIGN=\"LEFT\" BALIGN=\"LEFT\" "
	                        "COLSPAN=\"3\"><B>%s</B></TD></TR></TABLE>>, ",
	                        expected);

	if (!strstr(text, node))
		fail_msg("no %s in %s", node, text);
	free(node);
	free(text);
}

/* No text ends a label, or begins an escape or a tag in it. */
static void test_escapes(void **state)
{
	assert_label("a\"b\\N'c'<BR/>&lt;]>>", false,
	             "p a&quot;b&#92;&#92;N&#39;c&#39;&lt;BR/&gt;&amp;lt;]&gt;&gt;");
	assert_label("\n\x01\xff\xef\xbf\xbf\xe2\x80\xae\xc3\xa9", false,
	             "p "
	             "&#92;&#92;n&#92;&#92;x01&#92;&#92;xff&#92;&#92;xef&#92;&#92;xbf&#92;&#92;xbf&"
	             "#92;&#92;xe2&#92;&#92;x80&#92;&#92;xae\xc3\xa9");
}

#define TEN  "1234567890"
#define LONG TEN TEN TEN TEN TEN TEN "1234"
#define BR   "<BR ALIGN=\"LEFT\"/>"

/* Between words if there are any; not within a character; not more than a few lines, unless all are wanted. */
static void test_wrap(void **state)
{
	assert_label(TEN " " TEN " " TEN " " TEN " " TEN " 1234567", false,
	             "p " TEN " " TEN " " TEN " " TEN " " TEN " 1234567");
	assert_label(TEN " " TEN " " TEN " " TEN " " TEN " 12345678", false,
	             "p " TEN " " TEN " " TEN " " TEN " " TEN BR "12345678");
	assert_label(LONG "\xc3\xa9\xc3\xa9 x", false, "p" BR LONG BR "\xc3\xa9\xc3\xa9 x");
	assert_label(LONG LONG LONG LONG LONG LONG "x", false,
	             "p" BR LONG BR LONG BR LONG BR LONG BR LONG BR "...");
	assert_label(LONG LONG LONG LONG LONG LONG "x", true,
	             "p" BR LONG BR LONG BR LONG BR LONG BR LONG BR LONG BR "x");
}

/* Of very many variables only some are shown. */
static void test_many(void **state)
{
	struct explanation e = {.verdict = EXPLANATION_EXPLAINED};
	struct explanation_step *step = made_step(&e, EXPLANATION_VALUE, 1);
	char *text;

	for (int i = 0; i < 13; i++) {
		char *name = str_format("v%d", i);

		made_value(step, name, i ? "1" : "", "2", NULL);
		free(name);
	}
	text = made_printed(&e, explanation_print_dot);
	assert_non_null(strstr(text, ">v10</FONT>"));
	assert_null(strstr(text, "\"></FONT>")); /* which graphviz refuses */
	assert_null(strstr(text, ">v11</FONT>"));
	assert_non_null(strstr(text, "... 2 more"));
	free(text);
	explanation_deinit(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
