/* Plausible edits, in all formats, and what is said of how much they are worth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explanation_made.h"
#include "report/saved.h"

/* Caller frees with free(). */
static char *print_styled(const struct explanation *e, made_print *print,
                          const struct explanation_style *style)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	print(e, style, file);
	fclose(file);
	return text;
}

static char *print_full(const struct explanation *e)
{
	const struct explanation_style style = {.width = 80, .full = true};

	return print_styled(e, explanation_print_text, &style);
}

static void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
}

static void has_not(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' is in:\n%s", part, text);
}

static void text_has(const struct explanation *e, const char *part)
{
	char *text = made_printed(e, explanation_print_text);

	has(text, part);
	free(text);
}

static void text_has_not(const struct explanation *e, const char *part)
{
	char *text = made_printed(e, explanation_print_text);

	has_not(text, part);
	free(text);
}

static void test_golden(void **state)
{
	struct explanation e;

	made_fixed(&e);
	made_assert_golden(&e, explanation_print_gcc, "fixed.gcc");
	made_assert_golden(&e, explanation_print_text, "fixed.text");
	explanation_deinit(&e);
	made_only_fixed(&e);
	made_assert_golden(&e, explanation_print_gcc, "fix.gcc");
	made_assert_golden(&e, explanation_print_text, "fix.text");
	explanation_deinit(&e);
}

/* The defect comes before what it is compared with, and before the chain; it is never called more than it is. */
static void test_first(void **state)
{
	struct explanation e;
	char *text;

	made_fixed(&e);
	text = made_printed(&e, explanation_print_text);
	assert_true(strstr(text, "likely defect: src/sort.c:10:17 in order()") <
	            strstr(text, "compared with:"));
	has(text, "with this change the program prints what is expected, and the 3 passing");
	has(text, "2 other kinds of change of this line make it pass, too");
	has(text, "1 other line has such a change, too: src/sort.c:14 (deleted)");
	has_not(text, "little evidence");
	has_not(text, "the fix");
	has_not(text, "correct");
	free(text);
	text = print_full(&e);
	has(text, "it changes what 4 executions of that place compute");
	free(text);
	explanation_deinit(&e);
}

/* What the program does with the change depends on how it fails. */
static void test_effects(void **state)
{
	static const char *const effects[][2] = {
		{"wrong-output", "the program prints what is expected"},
		{"crash", "the program does not crash"},
		{"assert", "the program meets the assertion"},
		{"exit", "the program exits as it should"},
		{"hang", "the program terminates"},
		{"memory", "the program has no memory error"},
		{"test", "the program passes the test"},
		{"other", "the program passes"},
	};
	struct explanation e;

	made_fixed(&e);
	for (size_t i = 0; i < sizeof(effects) / sizeof(*effects); i++) {
		e.failure.kind = explanation_kind_of(effects[i][0]);
		text_has(&e, effects[i][1]);
	}
	explanation_deinit(&e);
}

/* One failing run and no passing one is little. */
static void test_thin(void **state)
{
	struct explanation e;

	made_fixed(&e);
	e.fixes.at[0].passing = e.fixes.at[0].passing_of = 0;
	text_has(&e, "possible defect: ");
	text_has_not(&e, "likely defect");
	text_has(&e, "this is little evidence: it was tried on one failing run");
	text_has(&e, "one short output can become right");
	text_has(&e, "(412 edits tried of 900)");
	e.failure.kind = EXPLANATION_CRASH;
	text_has(&e, "one run can pass");
	text_has_not(&e, "short output");
	/* Two failing runs are more. */
	e.fixes.at[0].failing = e.fixes.at[0].failing_of = 2;
	text_has(&e, "likely defect: ");
	text_has(&e, "with this change all 2 failing runs pass");
	text_has_not(&e, "little evidence");
	e.fixes.at[0].failing = 1;
	text_has(&e, "1 of 2 failing runs passes");
	explanation_deinit(&e);
}

static void test_passing(void **state)
{
	struct explanation e;

	made_fixed(&e);
	e.fixes.at[0].experiment = 0;
	e.fixes.at[0].passing = e.fixes.at[0].passing_of = 1;
	text_has(&e, "and the passing run\n  stays as it was");
	e.fixes.at[0].passing = 0;
	text_has(&e, "but 1 of 1 passing run\n  does not stay as it was");
	e.fixes.at[0].passing_of = 3;
	text_has(&e, "but 3 of 3 passing runs\n  do not stay as they were");
	e.fixes.at[0].passing = 2;
	text_has(&e, "but 1 of 3 passing runs\n  does not stay as it was");
	explanation_deinit(&e);
}

/* Where many lines have one, the first is not worth much; three others are named, and with --full all. */
static void test_many(void **state)
{
	struct explanation e;
	char *text;

	made_fixed(&e);
	for (unsigned i = 20; i < 26; i++)
		made_fix(&e, made_place("src/sort.c", i, 1, NULL, NULL), "n = 1;", "n = 2;", 4, 1);
	e.stats.edit_places = 14;
	text_has(&e, "possible defect");
	text_has(&e, "13 other lines have such a change, too, so that it is here may well be");
	text = made_printed(&e, explanation_print_text);
	has(text, "src/sort.c:21 (n");
	has_not(text, "src/sort.c:22");
	has(text, "...");
	free(text);
	text = print_full(&e);
	has(text, "src/sort.c:25");
	free(text);
	e.fixes_only = true;
	text_has(&e, "14 lines have such a change: most of them must be accidents");
	text_has(&e, "and 4 more (--all shows them)");
	explanation_deinit(&e);
}

static void test_none(void **state)
{
	struct explanation e;

	made_explained(&e);
	text_has_not(&e, "change of the code");
	e.stats.edits = 40;
	e.stats.edits_run = 12;
	text_has(&e, "- no small change of the code was found: 12 edits tried of 40");
	e.stats.edits_idle = 20;
	text_has(&e, "(20 of the");
	e.fixes_only = true;
	e.verdict = EXPLANATION_UNPROVEN;
	text_has(&e, "\n\nno small change of the code was found: 12 edits tried of 40");
	text_has_not(&e, "no cause could be proven");
	explanation_deinit(&e);
}

/* Several lines, long ones, and marks that are not inside. */
static void test_lines(void **state)
{
	struct explanation e;
	struct explanation_fix *fix;
	char *text;

	made_only_fixed(&e);
	fix = &e.fixes.at[0];
	free(fix->before);
	free(fix->after);
	fix->before = mem_strdup("f();\ng();");
	fix->after = mem_strdup("f();\nif (n)\n\tg();");
	fix->mark = 5;
	fix->mark_length = 6;
	text_has(&e,
	         "    - f();\n    - g();\n    + f();\n    + if (n)\n      ^~~~~~\n    + g();\n");
	fix->mark = 1000;
	fix->mark_length = 1000;
	text_has(&e, "    + g();\n    with this");
	free(fix->after);
	fix->after = mem_alloc(301);
	memset(fix->after, 'x', 300);
	fix->mark = 250;
	fix->mark_length = 40;
	text = made_printed(&e, explanation_print_text);
	has(text, "    + ...xxx");
	for (const char *at = text; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		assert_true(strcspn(at, "\n") <= 80);
		if (!*at)
			break;
	}
	free(text);
	explanation_deinit(&e);
}

/* Texts that would do something to a terminal, an editor or a page. */
static void test_hostile(void **state)
{
	static const char bad[] =
		"</pre><script>window.pwned=1</script>\"'&\x1b[2J\xff \xe2\x80\xae";
	struct explanation e;
	struct explanation_fix *fix;
	char *text;
	unsigned scripts = 0;

	made_fixed(&e);
	fix = &e.fixes.at[0];
	free(fix->before);
	free(fix->after);
	fix->before = mem_strdup(bad);
	fix->after = mem_strdup(bad);
	fix->no_patch = mem_strdup(bad);
	fix->mark = 3;
	fix->mark_length = sizeof(bad);
	free(e.fixes.at[1].after);
	e.fixes.at[1].after = mem_strdup(bad);
	for (int only = 0; only < 2; only++) {
		e.fixes_only = only;
		for (unsigned i = 0; i < explanation_format_count; i++) {
			text = made_printed(&e, explanation_formats[i].print);
			has_not(text, "\x1b[2J");
			has_not(text, "\xe2\x80\xae");
			free(text);
		}
		text = made_printed(&e, explanation_print_html);
		scripts = 0;
		for (const char *at = text; (at = strstr(at, "<script")); at++)
			scripts++;
		assert_int_equal(scripts, 1);
		has(text, "<del>- &lt;/pre&gt;&lt;script&gt;window.pwned=1&lt;/script&gt;");
		has(text, "<ins>+ &lt;/p<mark>re&gt;&lt;script&gt;");
		free(text);
	}
	explanation_deinit(&e);
}

static void test_html(void **state)
{
	struct explanation e;
	char *text;

	made_fixed(&e);
	text = made_printed(&e, explanation_print_html);
	has(text, "Likely defect</h2>");
	has(text, "a[j + <mark>1</mark>])</ins>");
	has(text, "<a class=\"flag\" href=\"#fix-1\">with a change here it passes</a>");
	assert_true(strstr(text, "id=\"fixes\"") < strstr(text, "id=\"chain\""));
	free(text);
	e.stats.edit_places = 6;
	text = made_printed(&e, explanation_print_html);
	has(text, "Possible defect</h2>");
	free(text);
	explanation_deinit(&e);
	made_only_fixed(&e);
	text = made_printed(&e, explanation_print_html);
	has(text, "Small changes with which it passes</h2>");
	has_not(text, "No step is known");
	has_not(text, "#chain");
	has(text, "id=\"fix-3\"");
	free(text);
	explanation_deinit(&e);
}

/* SARIF has a fix only where there is a patch, and the line is what was changed. */
static void test_sarif(void **state)
{
	struct explanation e;
	char *text;

	made_fixed(&e);
	text = made_printed(&e, explanation_print_sarif);
	has(text, "\"deletedRegion\":{\"startLine\":10,\"startColumn\":2,\"endColumn\":31}");
	has(text, "\"insertedContent\":{\"text\":\"/* \xf0\x9f\x98\x80 */ if (a[j] > a[j + 1])\"}");
	free(text);
	free(e.fixes.at[0].patch);
	e.fixes.at[0].patch = NULL;
	text = made_printed(&e, explanation_print_sarif);
	has_not(text, "\"fixes\"");
	free(text);
	e.fixes.at[0].patch = mem_strdup("---");
	e.fixes.at[0].at.source[5] = 'x';
	text = made_printed(&e, explanation_print_sarif);
	has_not(text, "\"fixes\"");
	free(text);
	explanation_deinit(&e);
}

/* A report of hence fix, and a reference that is an edit, there and back. */
static void test_again(void **state)
{
	struct explanation e, again;
	struct saved saved;
	char *json, *texts[2];

	for (int empty = 0; empty < 2; empty++) {
		made_only_fixed(&e);
		e.reference.kind = RECIPE_EDIT;
		e.reference.edit = mem_strdup("main:1:constant:1");
		free(e.fixes.at[1].patch); /* it is kept byte for byte */
		e.fixes.at[1].patch = mem_strdup("-\t\"\xe4\"\n");
		if (empty) {
			for (uint32_t i = 0; i < e.fixes.size; i++)
				explanation_fix_deinit(&e.fixes.at[i]);
			e.fixes.size = 0;
			e.stats.edits = e.stats.edits_run = e.stats.edits_idle = 0;
			e.verdict = EXPLANATION_UNPROVEN;
		}
		explanation_settle(&e);
		json = made_printed(&e, explanation_print_json);
		has(json,
		    empty ? "\"fixes\":[],\"fixes_only\":true" : "\"tried_on\":{\"failing\":1,");
		if (!empty)
			has(json, "\"edit\":{\"edit\":\"main:1:constant:1\",\"file\":"
			          "\"src/sort.c\",\"line\":10,\"before\":");
		assert_null(saved_parse("r.json", json, strlen(json), &saved));
		assert_null(saved_check_kind(&saved));
		assert_null(explanation_read_saved(&saved, &again));
		saved_deinit(&saved);
		free(json);
		if (!empty)
			assert_string_equal(again.fixes.at[1].patch, "-\t\"\xe4\"\n");
		assert_string_equal(again.reference.edit, "main:1:constant:1");
		assert_true(again.fixes_only && again.fixes_sought);
		for (unsigned i = 0; i < explanation_format_count; i++) {
			texts[0] = made_printed(&e, explanation_formats[i].print);
			texts[1] = made_printed(&again, explanation_formats[i].print);
			assert_string_equal(texts[0], texts[1]);
			free(texts[0]);
			free(texts[1]);
		}
		explanation_deinit(&e);
		explanation_deinit(&again);
	}
}

/* For report/schema: the JSON of a report with changes, or of one of `hence fix`. */
static void print_json(const char *name)
{
	struct explanation e;
	char *text;

	if (!strcmp(name, "fix"))
		made_only_fixed(&e);
	else
		made_fixed(&e);
	e.reference.kind = RECIPE_EDIT;
	e.reference.edit = mem_strdup("main:1:constant:1");
	free(e.fixes.at[1].patch);
	e.fixes.at[1].patch = mem_strdup("-\t\"\xe4\"\n");
	explanation_settle(&e);
	text = made_printed(&e, explanation_print_json);
	fputs(text, stdout);
	free(text);
	explanation_deinit(&e);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),  cmocka_unit_test(test_first),
		cmocka_unit_test(test_effects), cmocka_unit_test(test_thin),
		cmocka_unit_test(test_passing), cmocka_unit_test(test_many),
		cmocka_unit_test(test_none),    cmocka_unit_test(test_lines),
		cmocka_unit_test(test_hostile), cmocka_unit_test(test_html),
		cmocka_unit_test(test_sarif),   cmocka_unit_test(test_again),
	};

	if (argc > 1) {
		print_json(argv[1]);
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
