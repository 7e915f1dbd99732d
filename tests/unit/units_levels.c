/* Which ways to cut are chosen for which bytes, and a search through them from coarse to fine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "dd/dd.h"
#include "units/units.h"

static char *levels_text(const char *by_text, const void *bytes, uint64_t size)
{
	struct units_by by;
	struct units_levels levels;
	struct str out = STR_INIT;

	assert_null(units_by_parse(by_text, &by));
	units_levels(&by, bytes, size, &levels);
	for (uint32_t i = 0; i < levels.ways.size; i++) {
		char *text = units_way_text(&levels.ways.at[i]);

		str_printf(&out, "%s%s", i ? ", " : "", text);
		free(text);
	}
	units_levels_deinit(&levels);
	return str_steal(&out);
}

static void expect(const char *by, const void *bytes, uint64_t size, const char *right)
{
	char *got = levels_text(by, bytes, size);

	assert_string_equal(got, right);
	free(got);
}

static void test_auto(void **state)
{
	static char binary[20000];

	expect("auto", "", 0, "tokens, bytes");
	expect("auto", "a b", 3, "tokens, bytes");
	expect("auto", "a\nb", 3, "lines, tokens, bytes");
	expect("auto", "f(a)\n", 5,
	       "groups at depth 0, groups at depth 1, pairs of brackets, lines, tokens, bytes");
	expect("auto", "h\xc3\xa9", 3, "tokens, bytes");
	expect("auto", binary, 10, "bytes");
	expect("auto", binary, 100, "blocks of 16 bytes, bytes");
	expect("auto", binary, sizeof(binary),
	       "blocks of 4096 bytes, blocks of 256 bytes, blocks of 16 bytes, bytes");
}

static void test_named(void **state)
{
	expect("lines", "f(a)\n", 5, "lines");
	expect("tokens", "f(a)\n", 5, "tokens");
	expect("bytes", "f(a)\n", 5, "bytes");
	expect("records=^-", "f(a)\n", 5, "records");
}

/* Deep nesting does not make a level of every depth. */
static void test_deep(void **state)
{
	enum { DEEP = 5000 };
	char *text = malloc(2 * DEEP);
	char *got;

	memset(text, '(', DEEP);
	memset(text + DEEP, ')', DEEP);
	got = levels_text("auto", text, 2 * DEEP);
	assert_non_null(strstr(got, "groups at depth 15, pairs"));
	free(got);
	free(text);
}

static void test_binary(void **state)
{
	assert_false(units_is_binary("", 0));
	assert_false(units_is_binary("some text with one zero \0 in it", 31));
	assert_true(units_is_binary("\x7f"
	                            "ELF\x02\x01\x01\0\0\0\0\0",
	                            12));
	assert_false(units_is_binary("tab\tand \033[1mcolour\033[0m\r\n", 25));
}

/* --- a whole reduction, as a user of the two libraries would write it --- */

struct job {
	const struct units *units;
	const char *bytes;
	uint64_t id;
	enum verdict verdict;
};

/* The program under test wants balanced brackets, and fails on x inside of [] inside of {}. */
static enum verdict judge(const char *text)
{
	char open[200];
	uint32_t depth = 0;
	bool failed = false;

	for (; *text; text++) {
		if (strchr("([{", *text))
			open[depth++] = *text;
		else if (strchr(")]}", *text) && (!depth || abs(open[--depth] - *text) > 2))
			return VERDICT_UNRESOLVED;
		else if (*text == 'x' && depth > 1 && open[depth - 1] == '[')
			failed |= memchr(open, '{', depth) != NULL;
	}
	return depth ? VERDICT_UNRESOLVED : failed ? VERDICT_FAIL : VERDICT_PASS;
}

static struct hence_error *start(void *context, const struct dd_set *set, uint64_t id)
{
	struct job *job = context;
	struct str text = STR_INIT;

	units_join(job->units, job->bytes, set, &text);
	job->id = id;
	job->verdict = judge(str_text(&text));
	str_deinit(&text);
	return NULL;
}

static struct hence_error *wait(void *context, uint64_t *id, enum verdict *out)
{
	struct job *job = context;

	*id = job->id;
	*out = job->verdict;
	return NULL;
}

/* Reduces at one level; gives the new text. */
static char *reduce(const struct units_way *way, char *text, uint64_t *tests)
{
	struct units units;
	struct job job = {&units, text, 0, VERDICT_PASS};
	struct dd_search search = {.room = 1, .start = start, .wait = wait, .context = &job};
	struct dd_set set;
	struct dd_stats stats;
	struct str out = STR_INIT;

	assert_null(units_cut(way, text, strlen(text), &units));
	search.count = units.count;
	dd_set_init(&set, units.count, true);
	assert_null(dd_minimise(&search, &set, &stats));
	units_join(&units, text, &set, &out);
	*tests += stats.tests;
	dd_set_deinit(&set);
	units_deinit(&units);
	free(text);
	return str_steal(&out);
}

static void test_reduction(void **state)
{
	struct units_by by = {.automatic = true};
	struct units_levels levels;
	struct str begin = STR_INIT;
	char *text;
	uint64_t tests = 0;

	for (int i = 0; i < 100; i++)
		str_printf(&begin, "f%d(%d, [a, {b%d}], (c));\n%s", i, i, i,
		           i == 60 ? "g{ h(p, [q, ((x)), [r, x, s]]), i };\n" : "");
	text = str_steal(&begin);
	assert_int_equal(judge(text), VERDICT_FAIL);
	units_levels(&by, text, strlen(text), &levels);
	for (uint32_t i = 0; i < levels.ways.size; i++)
		text = reduce(&levels.ways.at[i], text, &tests);
	assert_string_equal(text, "{[x]}");
	print_message("reduced to %s with %lu tests\n", text, (unsigned long)tests);
	assert_true(tests < 100);
	free(text);
	units_levels_deinit(&levels);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_auto),      cmocka_unit_test(test_named),
		cmocka_unit_test(test_deep),      cmocka_unit_test(test_binary),
		cmocka_unit_test(test_reduction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
