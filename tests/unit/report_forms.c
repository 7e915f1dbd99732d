/* Pieces of reports: JSON, graphs, source files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

#include <cmocka.h>

#include "words/describe.h"
#include "report/graph.h"
#include "report/json.h"
#include "report/source.h"

static void test_json_members(void **state)
{
	struct str out = STR_INIT;

	str_add_char(&out, '{');
	json_add_number(&out, "n", 18446744073709551615ull);
	json_add_member(&out, "t", "a\"b\\c\n\x01\xff");
	json_add_key(&out, "l");
	str_add_char(&out, '[');
	str_add_char(&out, '{');
	json_add_number(&out, "x", 0);
	str_add(&out, "}]}");
	assert_string_equal(
		str_text(&out),
		"{\"n\":18446744073709551615,\"t\":\"a\\\"b\\\\c\\u000a\\u0001\\ufffd\","
		"\"l\":[{\"x\":0}]}");
	str_deinit(&out);
}

/* What a terminal obeys comes out as an escape; other characters do not. */
static void test_json_obeyed(void **state)
{
	static const char *const obeyed[][2] = {
		{"\x1b", "\"\\u001b\""},         {"\x7f", "\"\\u007f\""},
		{"\xc2\x9b", "\"\\u009b\""},     {"\xd8\x9c", "\"\\u061c\""},
		{"\xe2\x80\x8e", "\"\\u200e\""}, {"\xe2\x80\xa8", "\"\\u2028\""},
		{"\xe2\x80\xae", "\"\\u202e\""}, {"\xe2\x81\xa9", "\"\\u2069\""},
		{"\xef\xbb\xbf", "\"\\ufeff\""}, {"\xef\xbf\xbf", "\"\\uffff\""},
		{"\xef\xbf\xbd", "\"\\ufffd\""}, {"\xff", "\"\\ufffd\""},
	};
	static const char *const others[] = {"\xc2\xa0",     "\xd8\x9b",     "\xe2\x80\x8d",
	                                     "\xe2\x80\xaf", "\xe2\x81\xaa", "\xf0\x9f\x98\x80"};
	struct str out = STR_INIT;

	for (unsigned i = 0; i < sizeof(obeyed) / sizeof(*obeyed); i++) {
		json_add_string(&out, obeyed[i][0]);
		assert_string_equal(str_text(&out), obeyed[i][1]);
		str_deinit(&out);
	}
	for (unsigned i = 0; i < sizeof(others) / sizeof(*others); i++) {
		char *quoted = str_format("\"%s\"", others[i]);

		json_add_string(&out, others[i]);
		assert_string_equal(str_text(&out), quoted);
		str_deinit(&out);
		free(quoted);
	}
}

/* Prints to memory. Caller frees with free(). */
static char *print_dot(const struct graph *graph)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	graph_print_dot(graph, file);
	fclose(file);
	return text;
}

static void test_dot_escapes(void **state)
{
	struct graph g = {.title = mem_strdup("a \"b\" \\N")};
	char *text;

	*vec_push(&g.nodes) =
		(struct graph_node){.text = mem_strdup("puts(\"x\\n\")\n\xfe"), .marked = true};
	*vec_push(&g.nodes) = (struct graph_node){
		.place = mem_strdup("a.c:1 in f()"), .text = mem_strdup("é"), .potential = true};
	*vec_push(&g.edges) = (struct graph_edge){.from = 1, .to = 0, .kind = GRAPH_CONTROL};
	text = print_dot(&g);
	assert_non_null(strstr(text, "label=\"a \\\"b\\\" \\\\N\";\n"));
	assert_non_null(
		strstr(text, "n0 [label=\"puts(\\\"x\\\\n\\\")??\\l\", penwidth=2, color=red];\n"));
	assert_non_null(strstr(text, "n1 [label=\"a.c:1 in f()\\lé\\l\", style=dotted];\n"));
	assert_non_null(strstr(text, "n1 -> n0 [style=dashed];\n"));
	free(text);
	graph_deinit(&g);
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void set_time(const char *path, time_t seconds)
{
	struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};

	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void test_source(void **state)
{
	char folder[] = "/tmp/hence-report-XXXXXX", path[64], elf[64];
	struct source s;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/a.c", folder);
	snprintf(elf, sizeof(elf), "%s/a", folder);
	write_file(path, "first\r\n\nthird");
	write_file(elf, "");
	set_time(path, 1000);
	set_time(elf, 2000);
	source_init(&s, folder, "a.c", elf);
	assert_int_equal(s.state, SOURCE_FILE_GOOD);
	assert_string_equal(source_line(&s, 1), "first");
	assert_string_equal(source_line(&s, 2), "");
	assert_string_equal(source_line(&s, 3), "third");
	assert_null(source_line(&s, 0));
	assert_null(source_line(&s, 4));
	source_deinit(&s);
	set_time(path, 3000);
	source_init(&s, "/nowhere", path, elf);
	assert_int_equal(s.state, SOURCE_FILE_NEWER);
	assert_null(source_line(&s, 1));
	source_deinit(&s);
	source_init(&s, folder, "b.c", elf);
	assert_int_equal(s.state, SOURCE_FILE_MISSING);
	source_deinit(&s);
	unlink(path);
	unlink(elf);
	rmdir(folder);
}

/* Lines are those that a compiler counts. */
static void test_source_ends(void **state)
{
	char folder[] = "/tmp/hence-report-XXXXXX", path[64];
	FILE *file;
	struct source s;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/a.c", folder);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite("a\0b\nc\rd\r\ne\n\rf", 1, 14, file), 14);
	fclose(file);
	source_init(&s, folder, "a.c", "/nowhere");
	assert_int_equal(s.lines.size, 6);
	assert_string_equal(source_line(&s, 1), "a");
	assert_string_equal(source_line(&s, 2), "c");
	assert_string_equal(source_line(&s, 3), "d");
	assert_string_equal(source_line(&s, 4), "e");
	assert_string_equal(source_line(&s, 5), "");
	assert_string_equal(source_line(&s, 6), "f");
	source_deinit(&s);
	unlink(path);
	rmdir(folder);
}

static void test_file_names(void **state)
{
	assert_true(describe_is_file("src/sort.c", "sort.c"));
	assert_true(describe_is_file("src/sort.c", "/home/me/src/sort.c"));
	assert_true(describe_is_file("../src/sort.c", "./src/sort.c"));
	assert_false(describe_is_file("src/resort.c", "sort.c"));
	assert_false(describe_is_file("sort.c", "src/sort.c"));
	assert_false(describe_is_file(NULL, "sort.c"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json_members), cmocka_unit_test(test_json_obeyed),
		cmocka_unit_test(test_dot_escapes),  cmocka_unit_test(test_source),
		cmocka_unit_test(test_source_ends),  cmocka_unit_test(test_file_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
