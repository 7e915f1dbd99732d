/* Explanations as text on terminals of all kinds: folded, in full, narrow, with colours, and of hostile programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/columns.h"
#include "report/explanation_words.h"

/* --- a chain of any length --- */

static struct explanation_place place(unsigned line, const char *source)
{
	return (struct explanation_place){.file = mem_strdup("a.c"),
	                                  .line = line,
	                                  .column = 1,
	                                  .function = mem_strdup("f"),
	                                  .source = mem_strdup(source)};
}

static struct explanation_step *add_step(struct explanation *e, const char *name,
                                         const char *failing, const char *reference)
{
	struct explanation_step *step = vec_push(&e->steps);

	step->kind = EXPLANATION_VALUE;
	*vec_push(&step->values) = (struct explanation_value){mem_strdup(name), mem_strdup(failing),
	                                                      mem_strdup(reference), NULL};
	step->at = place(e->steps.size, "x = y;");
	return step;
}

static void add_proof(struct explanation_step *step, uint64_t number, bool failing)
{
	step->proven = true;
	*vec_push(&step->proofs) = (struct explanation_proof){
		.experiment = number,
		.changed = mem_strdup(step->values.at[0].name),
		.from = mem_strdup(failing ? "1" : "2"),
		.to = mem_strdup(failing ? "2" : "1"),
		.in = failing ? EXPLANATION_FAILING : EXPLANATION_REFERENCE,
		.outcome = failing ? VERDICT_PASS : VERDICT_FAIL};
}

/* `count` steps v1, v2 ..., each proven both ways; those of even lines are transitions. */
static void make_chain(struct explanation *e, unsigned count)
{
	*e = (struct explanation){.verdict = EXPLANATION_EXPLAINED, .program = mem_strdup("./p")};
	e->failure.message = mem_strdup("fails");
	for (unsigned i = 1; i <= count; i++) {
		char *name = str_format("v%u", i);
		struct explanation_step *step = add_step(e, name, "1", "2");

		free(name);
		step->transition = i % 2 == 0;
		if (step->transition)
			step->cause = place(i, "x = y;");
		add_proof(step, 10 * i, true);
		add_proof(step, 10 * i + 1, false);
	}
	e->steps.at[count - 1].observed = true;
}

/* Caller frees with free(). */
static char *print(const struct explanation *e, struct explanation_style style)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	explanation_print_text(e, &style, file);
	fclose(file);
	return text;
}

static const struct explanation_style plain = {.width = 80};
static const struct explanation_style full = {.width = 80, .full = true};
static const struct explanation_style fancy = {.width = 80, .unicode = true};

static unsigned count_lines(const char *text)
{
	unsigned lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

static bool has_step(const char *text, unsigned number)
{
	char *head = str_format("\n%2u. v%u is 1 (not 2)\n", number, number);
	bool has = strstr(text, head);

	free(head);
	return has;
}

/* --- folding --- */

static void test_short_chain(void **state)
{
	struct explanation e;
	char *text;

	make_chain(&e, 2);
	text = print(&e, plain);
	assert_string_equal(
		text,
		"./p fails\n"
		"\n"
		" 1. v1 is 1 (not 2)\n"
		"    a.c:1:1 in f()  x = y;\n"
		"                    ^\n"
		"    proven both ways [10, 11]\n"
		"\n"
		" 2. v2 is 1 (not 2)\n"
		"    a.c:2:1 in f()  x = y;\n"
		"                    ^\n"
		"    because v1 is 1 (step 1)\n"
		"\n"
		"proven both ways [m, n]: with the values in brackets the failing run passes\n"
		"(experiment m), and with the others the reference run fails (experiment n)\n"
		"0 experiments, 0.00 seconds\n");
	free(text);
	explanation_deinit(&e);
}

/* The first, the last, what is suspected, and then transitions rather than other steps. */
static void test_folded(void **state)
{
	struct explanation e;
	char *text;

	make_chain(&e, 20);
	*vec_push(&e.suspects) = (struct explanation_suspect){.at = place(4, "x = y;"), .score = 1};
	text = print(&e, plain);
	assert_true(has_step(text, 1));
	assert_true(has_step(text, 20));
	assert_true(has_step(text, 4));
	for (unsigned i = 3; i < 20; i += 2)
		assert_false(has_step(text, i));
	assert_true(has_step(text, 18));
	assert_non_null(strstr(text, "\n\n    ... 2 more steps (--full shows them)\n\n 4. "));
	assert_non_null(strstr(text, "\n\n    ... 1 more step (--full shows it)\n\n20. "));
	assert_true(count_lines(text) <= 1 + 40 + 3 + 4);
	free(text);
	text = print(&e, full);
	for (unsigned i = 1; i <= 20; i++)
		assert_true(has_step(text, i));
	assert_null(strstr(text, "more step"));
	free(text);
	explanation_deinit(&e);
}

/* What fits is not folded. */
static void test_screen(void **state)
{
	struct explanation e;
	char *text;

	make_chain(&e, 8); /* 5 lines each */
	text = print(&e, plain);
	assert_null(strstr(text, "more step"));
	explanation_deinit(&e);
	free(text);
	make_chain(&e, 9);
	text = print(&e, plain);
	assert_non_null(strstr(text, "more step"));
	explanation_deinit(&e);
	free(text);
}

/* --- full --- */

static void test_full(void **state)
{
	static const char long_value[] =
		"\"a text that goes on and on, so that nobody wants to read all of it in a list\"";
	struct explanation e;
	char *text;

	make_chain(&e, 2);
	free(e.steps.at[0].values.at[0].failing);
	e.steps.at[0].values.at[0].failing = mem_strdup(long_value);
	free(e.steps.at[1].at.source);
	free(e.steps.at[1].cause.source);
	e.steps.at[1].at.source = str_format("%s%s%s;", long_value, long_value, long_value);
	e.steps.at[1].cause.source = mem_strdup(e.steps.at[1].at.source);
	*vec_push(&e.suspects) = (struct explanation_suspect){
		.at = place(4, "x = y;"), .score = 0.5, .why = mem_strdup("so")};
	text = print(&e, plain);
	assert_non_null(strstr(text, " 1. v1 is \"a text that goes on... all of it in a list\" "
	                             "(not 2)\n"));
	assert_non_null(strstr(text, "\n    because of v1 (step 1)\n"));
	assert_non_null(strstr(text, "\n  a.c:4:1  so\n"));
	assert_null(strstr(text, e.steps.at[1].at.source));
	free(text);
	e.stats.decodes = 1;
	e.stats.resumed = 2;
	e.stats.walks = 3;
	text = print(&e, (struct explanation_style){.width = 200, .full = true});
	assert_non_null(strstr(text, long_value));
	assert_non_null(strstr(text, "\n    proven: with v1 = 2 the failing run passes [experiment "
	                             "10]; with v1 = 1 the reference run fails [experiment 11]\n"));
	assert_non_null(strstr(text, "\n  a.c:4:1  (0.50)  so\n"));
	assert_non_null(strstr(text, e.steps.at[1].at.source));
	assert_null(strstr(text, "both ways"));
	free(text);
	explanation_deinit(&e);
}

/* --- values that are too long --- */

static void assert_short(const char *value, const char *other, unsigned longest,
                         const char *expected)
{
	struct str out = STR_INIT;

	explanation_add_short(&out, value, other, longest);
	assert_string_equal(str_text(&out), expected);
	assert_true(!longest || columns_of(out.text, out.length) <= longest);
	str_deinit(&out);
}

static void test_short_values(void **state)
{
	assert_short("0123456789", NULL, 10, "0123456789");
	assert_short("0123456789", NULL, 9, "012...789");
	assert_short("0123456789", NULL, 0, "0123456789");
	/* What makes the difference is kept. */
	assert_short("aaaaaaaaaaaaaaaaaaaaaaaaaaaaXbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
	             "aaaaaaaaaaaaaaaaaaaaaaaaaaaaYbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", 40,
	             "aaaaaaaaaa...aaaaXbbbbbbbbb...bbbbbbbbbb");
	/* Two columns each. */
	assert_short("\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2",
	             NULL, 9, "\xe6\xbc\xa2...\xe6\xbc\xa2");
	/* What a terminal obeys is text. */
	assert_short("\x1b[2J", NULL, 0, "\\x1b[2J");
}

/* --- columns --- */

static void assert_columns(const char *text, unsigned expected)
{
	assert_int_equal(columns_of(text, strlen(text)), expected);
}

static void test_columns(void **state)
{
	assert_columns("", 0);
	assert_columns("abc", 3);
	assert_columns("\xc3\xa9", 1);                 /* e with an accent */
	assert_columns("e\xcc\x81", 1);                /* the same in two characters */
	assert_columns("\xe6\xbc\xa2\xe5\xad\x97", 4); /* Chinese */
	assert_columns("\xed\x95\x9c", 2);             /* Korean */
	assert_columns("\xf0\x9f\x98\x80", 2);         /* a face */
	assert_columns("\xef\xbc\xa1", 2);             /* a wide A */
	assert_columns("\xe2\x86\x92", 1);             /* an arrow */
	assert_columns("\x1b[1mab\x1b[0m", 2);
	assert_columns("\xff\xfe", 2); /* no UTF-8 */
	assert_int_equal(columns_fit("\xe6\xbc\xa2\xe5\xad\x97", 3), 3);
	assert_int_equal(columns_fit("e\xcc\x81x", 1), 3);
	assert_int_equal(columns_fit("abc", 9), 3);
}

static void assert_source(const char *source, unsigned column, unsigned width, const char *expected)
{
	const struct explanation_place at = {.column = column, .source = (char *)source};
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	explanation_print_source(&at, 2, width, "", "", file);
	fclose(file);
	assert_string_equal(text, expected);
	free(text);
}

/* The mark stands below what is marked. */
static void test_mark(void **state)
{
	assert_source("\t\tx = \t1;", 8, 80, "  x =  1;\n       ^\n");
	/* puts("漢字" + n); the compiler counts bytes */
	assert_source("puts(\"\xe6\xbc\xa2\xe5\xad\x97\" + n);", 17, 80,
	              "  puts(\"\xe6\xbc\xa2\xe5\xad\x97\" + n);\n                ^\n");
	assert_source("\"e\xcc\x81\" + n", 9, 80, "  \"e\xcc\x81\" + n\n        ^\n");
	/* in the middle of a character: at it */
	assert_source("\xe6\xbc\xa2\xe5\xad\x97", 5, 80, "  \xe6\xbc\xa2\xe5\xad\x97\n    ^\n");
	/* not far enough to the left */
	assert_source(
		"call(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbb, c + d, eeeeeeee, ffffff);",
		56, 40, "  ...aaa, bbbbbbbbbbbbb, c + d, eeeee...\n                        ^\n");
}

/* --- what terminals can show --- */

static void test_unicode(void **state)
{
	struct explanation e;
	char *text;

	make_chain(&e, 20);
	text = print(&e, fancy);
	assert_non_null(strstr(text, "    \xe2\x9c\x93 proven both ways [10, 11]\n"));
	assert_non_null(strstr(text, "    \xe2\x80\xa6 1 more step"));
	free(text);
	text = print(&e, plain);
	for (const char *at = text; *at; at++)
		assert_true((unsigned char)*at < 0x80);
	free(text);
	e.steps.at[0].proven = false;
	text = print(&e, fancy);
	assert_non_null(strstr(text, "    \xe2\x9c\x97 not proven: "));
	free(text);
	explanation_deinit(&e);
}

/* No line is longer than the terminal, unless a word is. */
static void test_width(void **state)
{
	static const unsigned widths[] = {60, 80, 100, 120};
	struct explanation e;

	make_chain(&e, 12);
	*vec_push(&e.suspects) = (struct explanation_suspect){
		.at = place(4, "x = y;"),
		.score = 1,
		.why = mem_strdup("a reason of many words that does not fit into one line of any "
	                          "terminal, nor into two of a narrow one, so that it is cut "
	                          "unless all is shown, and goes on for quite a while even then")};
	e.reference.text = mem_strdup("./p with arguments that go on and on, given with --pass");
	for (size_t i = 0; i < sizeof(widths) / sizeof(*widths); i++)
		for (int whole = 0; whole < 2; whole++) {
			char *text = print(
				&e, (struct explanation_style){.width = widths[i], .full = whole});

			for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
				assert_true(columns_of(line, strlen(line)) <= widths[i]);
			free(text);
		}
	explanation_deinit(&e);
}

/* Without its colours a text is the same. */
static void test_colours(void **state)
{
	struct explanation e;
	char *text, *coloured, *to;

	make_chain(&e, 12);
	text = print(&e, plain);
	coloured = print(&e, (struct explanation_style){.width = 80, .coloured = true});
	assert_non_null(strstr(coloured, "\x1b[32mproven\x1b[0m both ways"));
	to = coloured;
	for (const char *at = coloured; *at; at++)
		if (*at == '\x1b')
			at += strcspn(at, "m");
		else
			*to++ = *at;
	*to = '\0';
	assert_string_equal(coloured, text);
	free(text);
	free(coloured);
	explanation_deinit(&e);
}

/* --- programs that try to break it --- */

/* Whatever a program has in its texts, it adds no line and no step, and nothing that a terminal obeys. */
static void test_hostile(void **state)
{
	static const char *const bad[] = {
		"\n 2. therefore all is well",
		"\x1b[2J\x1b[H",
		"\x1b]0;title\x07",
		"\r\xc2\x9b"
		"31m",
		"\xe2\x80\xae",
		"\xff\xfe",
		"<script>",
		"\"},{\"",
		"%s%n",
	};
	static const struct explanation_style styles[] = {
		{.width = 80}, {.width = 80, .full = true}, {.width = 80, .unicode = true}};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		for (size_t k = 0; k < sizeof(styles) / sizeof(*styles); k++) {
			struct explanation e;
			struct explanation_step *step;
			char *text;

			make_chain(&e, 1);
			step = add_step(&e, bad[i], bad[i], bad[i]);
			free(step->at.source);
			step->at.source = mem_strdup(bad[i]);
			step->when = mem_strdup(bad[i]);
			add_proof(step, 7, true);
			step = add_step(&e, "w", "1", "2");
			step->what = mem_strdup(bad[i]);
			step->observed = true;
			free(e.failure.message);
			e.failure.message = mem_strdup(bad[i]);
			text = print(&e, styles[k]);
			for (const char *at = text; *at; at++)
				assert_true(*at == '\n' || (unsigned char)*at >= ' ');
			assert_null(strstr(text, "\n 2. therefore"));
			assert_null(strstr(text, "\xc2\x9b"));
			assert_null(strstr(text, "\xe2\x80\xae"));
			assert_null(strchr(text, '\xff'));
			assert_non_null(strstr(text, "\n 3. "));
			assert_null(strstr(text, "\n 4. "));
			free(text);
			explanation_deinit(&e);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_short_chain),  cmocka_unit_test(test_folded),
		cmocka_unit_test(test_screen),       cmocka_unit_test(test_full),
		cmocka_unit_test(test_short_values), cmocka_unit_test(test_columns),
		cmocka_unit_test(test_mark),         cmocka_unit_test(test_unicode),
		cmocka_unit_test(test_width),        cmocka_unit_test(test_colours),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
