/*
 * Explanations as a page. Called with a name, it prints that page, for tests/report: html looks at how it is made,
 * browser clicks through it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "page_made.h"
#include "report/html_page.h"
#include "report/html_memory.h"

static void print_made(const char *name)
{
	struct explanation e;
	const struct explanation_style style = {.width = 80};

	if (!strcmp(name, "rich"))
		made_rich(&e);
	else if (!strcmp(name, "changed"))
		made_changed(&e);
	else if (!strcmp(name, "fixes"))
		made_fixes(&e);
	else if (!strcmp(name, "hostile"))
		made_hostile(&e);
	else if (!strcmp(name, "long"))
		made_long(&e);
	else if (!strcmp(name, "deep"))
		made_deep(&e);
	else
		made_bare(&e);
	explanation_print_html(&e, &style, stdout);
	explanation_deinit(&e);
}

/* --- texts --- */

static void assert_text(const char *text, const char *expected)
{
	struct str out = STR_INIT;

	html_add(&out, text);
	assert_string_equal(str_text(&out), expected);
	str_deinit(&out);
}

static void test_escapes(void **state)
{
	assert_text("plain", "plain");
	assert_text("<b a=\"1\" c='2'>&amp;", "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;");
}

/* What cannot be seen, or would be obeyed, is shown. */
static void test_symbols(void **state)
{
	assert_text("a\x1b[31m\n\t\r\x7f", "a\\x1b[31m\\n\\t\\x0d\\x7f");
	assert_text("a\u202eb\u2066c\u2028\ufeff\u200b", "a\\u202eb\\u2066c\\u2028\\ufeff\\u200b");
	assert_text("\xc2\x85\u00ad\U000e0041", "\\u0085\\u00ad\\U000e0041");
	assert_text("\xff\xc0\xaf\xe2\x80", "\\xff\\xc0\\xaf\\xe2\\x80");
	assert_text("\u00fc\u4e2d\U0001f98a", "\u00fc\u4e2d\U0001f98a");
}

static void test_code(void **state)
{
	struct str out = STR_INIT;

	html_add_code(&out, "\tif (a < b)\x01", strlen("\tif (a < b)\x01"));
	assert_string_equal(str_text(&out), "\tif (a &lt; b)\\x01");
	str_deinit(&out);
	html_add_code(&out, "\u4e2d", 2); /* a part of a character */
	assert_string_equal(str_text(&out), "\\xe4\\xb8");
	str_deinit(&out);
}

static void test_columns(void **state)
{
	assert_int_equal(html_columns(""), 0);
	assert_int_equal(html_columns("<a>"), 3);
	assert_int_equal(html_columns("\u00fc\u4e2d\n"), 5);
	assert_int_equal(html_columns("\xff"), strlen("\\xff"));
	assert_int_equal(html_columns("\u202e"), strlen("\\u202e"));
}

static void assert_short(const char *text, unsigned most, const char *expected)
{
	struct str out = STR_INIT;

	html_add_short(&out, text, most);
	assert_string_equal(str_text(&out), expected);
	str_deinit(&out);
}

static void test_short(void **state)
{
	assert_short("abcdefghi", 9, "abcdefghi");
	assert_short("abcdefghij", 9, "abcde\u2026hij");
	assert_short("\u00fcbcdefghi\u00fc", 9, "\u00fcbcde\u2026hi\u00fc");
}

/* Marks become elements, also where the end of one is not told. */
static void test_marked(void **state)
{
	struct str out = STR_INIT;

	html_add_marked(&out, "\1a<b\4 is \0023\4 (not \0034\4)");
	assert_string_equal(str_text(&out), "<var>a&lt;b</var> is <b class=\"failing\">3</b> (not "
	                                    "<b class=\"reference\">4</b>)");
	str_deinit(&out);
	html_add_marked(&out, "\1p->a->b\4");
	assert_string_equal(str_text(&out), "<var>p<span class=\"whole\">-&gt;</span>a<span "
	                                    "class=\"whole\">-&gt;</span>b</var>");
	str_deinit(&out);
	html_add_marked(&out, "\4\1a\2b");
	assert_string_equal(str_text(&out), "<var>a</var><b class=\"failing\">b</b>");
	str_deinit(&out);
}

static void test_command(void **state)
{
	char *const command[] = {"./a-b", "two words", "it's <", ""};
	struct str out = STR_INIT;

	html_add_command(&out, command, 4);
	assert_string_equal(str_text(&out),
	                    "<code>./a-b &#39;two words&#39; &#39;it&#39;\\&#39;&#39;s "
	                    "&lt;&#39; &#39;&#39;</code>");
	str_deinit(&out);
}

static void test_tokens(void **state)
{
	assert_int_equal(html_token_length("sum += 1"), 3);
	assert_int_equal(html_token_length("+= 1"), 2);
	assert_int_equal(html_token_length("\"a\\\"b\" c"), 6);
	assert_int_equal(html_token_length("\"open"), 5);
	assert_int_equal(html_token_length("(x)"), 1);
	assert_int_equal(html_token_length(""), 0);
}

/* --- C --- */

/* A comment may go on to the next line; what is in quotes is none. */
static void test_c(void **state)
{
	static const char *const lines[][3] = {
		{"int a = 'x'; // b", "kkk     qqq  cccc", "-"},
		{"f(\"/* \\\" \") /* on", "  qqqqqqqq  ccccc", "open"},
		{"and \"on*/return x;", "ccccccccckkkkkk   ", "-"},
		{"# define returns", "kkkkkkkk        ", "-"},
		{"\"not closed \\", "qqqqqqqqqqqqq", "-"},
	};
	bool open = false;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct html_code code;

		html_code_init(&code, lines[i][0], &open);
		for (size_t j = 0; lines[i][0][j]; j++)
			assert_int_equal(code.kinds[j] ? code.kinds[j] : ' ', lines[i][1][j]);
		assert_int_equal(open, !strcmp(lines[i][2], "open"));
		html_code_deinit(&code);
	}
}

/* --- the page: caller frees with free() --- */

static char *print(const struct explanation *e)
{
	const struct explanation_style style = {.width = 80};
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	explanation_print_html(e, &style, file);
	fclose(file);
	return text;
}

static void assert_has(const char *page, const char *part)
{
	if (!strstr(page, part))
		fail_msg("the page has no '%s'", part);
}

/* Lines are as the sources have them, and steps are marked in them. */
static void test_source(void **state)
{
	struct explanation e;
	char *page;

	made_rich(&e);
	page = print(&e);
	assert_has(page, "<span class=\"line marked\" id=\"line-0-28\" data-number=\"28\" "
	                 "data-steps=\"3\"><span class=\"gutter\"><a class=\"badge\" "
	                 "href=\"#step-3\" aria-label=\"step 3\">3</a></span><span class=\"text\">"
	                 "\t\t<mark data-steps=\"3\">sum</mark> += i-&gt;count;</span>");
	assert_has(page, "<span class=\"line\" id=\"line-0-1\" data-number=\"1\"><span "
	                 "class=\"text\"><span class=\"k\">#include</span> "
	                 "&lt;stdio.h&gt;</span>\n</span>");
	assert_has(page,
	           "<span class=\"gap\">lines 1 to 11 are left out\n</span><span class=\"line\" "
	           "id=\"line-1-12\" data-number=\"12\"><span class=\"text\"><span "
	           "class=\"k\">#define</span> GOODS 3 <span class=\"c\">/* kinds */</span>"
	           "</span> <a class=\"flag\" href=\"#suspect-3\">look here: 3</a>");
	free(page);
	explanation_deinit(&e);
}

/* Without sources the lines of the places are shown, and what is between is told. */
static void test_excerpts(void **state)
{
	struct explanation e;
	char *page;

	rich_frame(&e);
	rich_steps(&e);
	page = print(&e);
	assert_has(page, "<span class=\"gap\">lines 1 to 26 are left out\n</span><span "
	                 "class=\"line marked\" id=\"line-0-27\"");
	assert_has(page, "<mark data-steps=\"3\">sum</mark> += i-&gt;count;");
	assert_has(page, "<span class=\"gap\">lines 30 to 36 are left out\n</span>");
	free(page);
	explanation_deinit(&e);
}

static void test_values(void **state)
{
	struct explanation e;
	char *page;

	made_rich(&e);
	rich_value(&e.steps.at[3], "sum", "45", "47");
	page = print(&e);
	assert_has(page, "<tr><th scope=\"row\"><code>sum</code></th><td class=\"failing\">"
	                 "<code>44</code></td><td class=\"reference\"><code>47</code></td>"
	                 "<td class=\"change new\">new</td></tr>");
	assert_has(page,
	           "<td class=\"change changed\">was <code>44</code> (not <code>47</code>) at "
	           "step 3</td>");
	assert_has(page, "<td class=\"reference\"><span class=\"none\">does not exist</span></td>");
	assert_has(page, "no longer what decides: <code>argc</code></p>");
	free(page);
	explanation_deinit(&e);
}

static void test_bare(void **state)
{
	struct explanation e;
	char *page;

	made_bare(&e);
	page = print(&e);
	assert_has(page, "<h1><code>the program</code> fails</h1>");
	assert_has(page, "nothing: there is no run that passes");
	assert_has(page, "no cause could be proven");
	assert_null(strstr(page, "id=\"source\""));
	assert_null(strstr(page, "id=\"memory\""));
	assert_null(strstr(page, "id=\"tree\""));
	assert_null(strstr(page, "id=\"experiments\""));
	free(page);
	explanation_deinit(&e);
}

/* What several methods have tried is told once. */
static void test_proofs(void **state)
{
	struct explanation e;
	char *page;

	made_rich(&e);
	e.steps.at[0].proofs.at[0].local = true;
	rich_proof(&e.steps.at[0], 77, true, VERDICT_PASS);
	page = print(&e);
	assert_has(page, "<ul class=\"proofs\"><li class=\"proves\">with argc = 4 the failing run "
	                 "passes <small>[experiments 5, 77]</small></li><li class=\"proves\">with "
	                 "argc = 3 the reference run comes to the next step <small>[experiment "
	                 "4]</small></li></ul>");
	assert_has(page,
	           "<li class=\"proves-not\">with sum = 44 the reference run neither passes nor "
	           "fails <small>[experiment 13, guarded]</small></li>");
	free(page);
	explanation_deinit(&e);
}

static void test_verdict(void **state)
{
	struct explanation e;
	char *page;

	made_rich(&e);
	e.verdict = EXPLANATION_INCOMPLETE;
	page = print(&e);
	assert_has(page,
	           "<span class=\"verdict unproven\">incomplete</span> the search was ended early");
	free(page);
	explanation_deinit(&e);
}

/* --- the picture of memory --- */

static void memory_deinit(struct explanation_memory *m)
{
	struct explanation_step step = {.memory = *m};

	explanation_step_deinit(&step);
}

/* Variables of a function are in one box; what is pointed to, or has parts, keeps its own. */
static void test_frames(void **state)
{
	struct explanation_memory m = {0};
	struct memory_frames f;

	made_cell(made_box(&m, "n", "int", "main()"), NULL, "1", "2", 0)->decides = true;
	made_cell(made_box(&m, "x", "int", "main()"), NULL, "5", NULL, 0);
	made_cell(made_box(&m, "p", "int *", "main()"), NULL, NULL, NULL, 2);
	made_cell(made_box(&m, "s", "struct s", "main()"), "part", "6", NULL, 0);
	made_cell(made_box(&m, "g", "int", "global"), NULL, "7", NULL, 0);
	m.more = 3;
	memory_frames_init(&f, &m);
	assert_int_equal(f.memory.boxes.size, 4);
	assert_int_equal(f.memory.more, 3);
	assert_string_equal(f.memory.boxes.at[0].name, "main()");
	assert_int_equal(f.memory.boxes.at[0].cells.size, 2);
	assert_string_equal(f.memory.boxes.at[0].cells.at[0].name, "n");
	assert_true(f.memory.boxes.at[0].cells.at[0].decides);
	assert_string_equal(f.memory.boxes.at[0].cells.at[1].name, "p");
	assert_int_equal(f.memory.boxes.at[0].cells.at[1].target, 2);
	assert_string_equal(f.memory.boxes.at[1].name, "x");
	assert_string_equal(f.memory.boxes.at[2].name, "s");
	assert_string_equal(f.memory.boxes.at[3].name, "global");
	memory_frames_deinit(&f);
	memory_deinit(&m);
}

/* A box of variables that is there already takes in those that are alone, before and behind it. */
static void test_frame_there(void **state)
{
	struct explanation_memory m = {0};
	struct memory_frames f;
	struct explanation_box *box;

	made_cell(made_box(&m, "n", "int", "main()"), NULL, "1", NULL, 0);
	box = made_box(&m, "main()", NULL, "locals");
	made_cell(box, "p", NULL, NULL, 2);
	made_cell(box, "q", NULL, NULL, 3);
	made_cell(made_box(&m, "*q", "int", "heap"), NULL, "4", NULL, 0);
	made_cell(made_box(&m, "x", "int", "main()"), NULL, "5", NULL, 0);
	memory_frames_init(&f, &m);
	assert_int_equal(f.memory.boxes.size, 2);
	assert_string_equal(f.memory.boxes.at[0].where, "locals");
	assert_int_equal(f.memory.boxes.at[0].cells.size, 4);
	assert_string_equal(f.memory.boxes.at[0].cells.at[0].name, "n");
	assert_int_equal(f.memory.boxes.at[0].cells.at[1].target, 1);
	assert_int_equal(f.memory.boxes.at[0].cells.at[2].target, 2);
	assert_string_equal(f.memory.boxes.at[0].cells.at[3].name, "x");
	memory_frames_deinit(&f);
	memory_deinit(&m);
}

/* A list lies in a row, and no two boxes overlap. */
static void test_layout(void **state)
{
	struct explanation e;
	struct memory_picture p;

	made_rich(&e);
	memory_picture_init(&p, &e.steps.at[0].memory);
	assert_int_equal(p.levels, 4);
	for (uint32_t i = 4; i < 7; i++) {
		assert_int_equal(p.boxes.at[i].level, i - 3);
		assert_int_equal(p.boxes.at[i].y, p.boxes.at[4].y);
	}
	for (uint32_t i = 0; i < p.boxes.size; i++)
		for (uint32_t j = 0; j < i; j++) {
			const struct memory_box *a = &p.boxes.at[i], *b = &p.boxes.at[j];

			assert_true(a->x + a->width <= b->x || b->x + b->width <= a->x ||
			            a->y + a->height <= b->y || b->y + b->height <= a->y);
		}
	memory_picture_deinit(&p);
	explanation_deinit(&e);
}

/* Boxes that only point to each other, to themselves, or to what is not there. */
static void test_rings(void **state)
{
	struct explanation_memory m = {0};
	struct memory_picture p;

	made_cell(made_box(&m, "a", NULL, NULL), NULL, NULL, NULL, 2);
	made_cell(made_box(&m, "b", NULL, NULL), NULL, NULL, NULL, 1);
	made_cell(made_box(&m, "c", NULL, NULL), NULL, NULL, NULL, 3);
	made_cell(made_box(&m, "d", NULL, NULL), NULL, NULL, NULL, 99);
	memory_picture_init(&p, &m);
	assert_int_equal(p.boxes.at[0].level, 0);
	assert_int_equal(p.boxes.at[1].level, 1);
	assert_int_equal(p.boxes.at[2].level, 0);
	assert_int_equal(p.boxes.at[3].level, 0);
	assert_true(memory_target(&p, &m.boxes.at[3].cells.at[0]) == UINT32_MAX);
	assert_int_equal(p.width, p.boxes.at[1].x + p.boxes.at[1].width + MEMORY_PAD);
	memory_picture_deinit(&p);
	memory_deinit(&m);
}

/* What another value has been there at the step before is flagged. */
static void test_changed(void **state)
{
	struct explanation e;
	char *page;

	made_rich(&e);
	page = print(&e);
	assert_has(page, "<g class=\"cell changed\"><title>total(): sum = 44; before 0</title>");
	assert_has(page,
	           "<g class=\"cell decides differs\"><title>total(): sum = 44; in the reference "
	           "47</title>");
	free(page);
	explanation_deinit(&e);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_escapes),     cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_code),        cmocka_unit_test(test_columns),
		cmocka_unit_test(test_short),       cmocka_unit_test(test_marked),
		cmocka_unit_test(test_tokens),      cmocka_unit_test(test_source),
		cmocka_unit_test(test_excerpts),    cmocka_unit_test(test_values),
		cmocka_unit_test(test_bare),        cmocka_unit_test(test_layout),
		cmocka_unit_test(test_verdict),     cmocka_unit_test(test_command),
		cmocka_unit_test(test_frame_there), cmocka_unit_test(test_proofs),
		cmocka_unit_test(test_c),           cmocka_unit_test(test_frames),
		cmocka_unit_test(test_rings),       cmocka_unit_test(test_changed),
	};

	if (argc > 1) {
		print_made(argv[1]);
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
