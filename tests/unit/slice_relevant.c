/*
 * Potential dependences: branches that, taken the other way, could have changed what was read. Those that
 * must be found have a comment that begins with `might`, branches that must not be one with `not`.
 */
#include "slice_run.h"

static uint32_t edges;

static void count_edge(void *context, const struct slice_edge *edge)
{
	edges += edge->potential;
}

static void check_lines(const struct decoded *d, const struct slice *slice)
{
	uint32_t line = 1, checked = 0;

	for (const char *c = d->source; *c; c++) {
		bool might = !strncmp(c, "/*might", 7), not = !strncmp(c, "/*not", 5);

		line += *c == '\n';
		if (!might && !not )
			continue;
		checked++;
		if (slice_has_line(d, slice->instances, line) != might)
			fail_msg("line %u (%.12s) is %s the slice", line, c,
			         might ? "not in" : "in");
		if (slice_has_line(d, slice->potential, line) != might)
			fail_msg("line %u (%.12s) is %s potential", line, c, might ? "not" : "");
	}
	assert_true(checked > 0);
}

/* From the value that main() returns. */
static void expect(const char *source)
{
	struct decoded d = decoded_record(source);
	struct slice_criterion criterion = {0};
	uint32_t first, end;

	execution_kept(slice_whole(&d, 0), &first, &end);
	criterion.instance = end - 1;
	for (uint64_t memory = 0; memory < 3000; memory = memory ? 2 * memory : 800) {
		struct recording run = slice_run_of(&d, memory);
		struct slice_options options = {.relevant = true, .edge = count_edge};
		struct slice slice;

		edges = 0;
		slice_must(slice_backward(&run, &criterion, 1, &options, &slice));
		check_lines(&d, &slice);
		assert_true(edges > 0);
		slice_deinit(&slice);
		options.relevant = false;
		slice_must(slice_backward(&run, &criterion, 1, &options, &slice));
		assert_true(roaring_bitmap_is_empty(slice.potential));
		slice_deinit(&slice);
	}
	decoded_free(&d);
}

/* The value that should have been assigned was not. */
static void test_local(void **state)
{
	expect("int main(int argc, char **argv)\n{\n	int a = 1, b = 2, late = argc > 9;\n"
	       "	if (late) /*might*/\n		a = 5;\n"
	       "	if (late) /*not: another variable*/\n		b = 5;\n"
	       "	a += 2;\n"
	       "	b = a;\n"
	       "	if (late) /*not: too late*/\n		a = 7;\n"
	       "	return b;\n}\n");
}

/* Before it was written last, nothing matters. */
static void test_overwritten(void **state)
{
	expect("int main(int argc, char **argv)\n{\n	int a, late = argc > 9;\n"
	       "	if (late) /*not: overwritten*/\n		a = 5;\n"
	       "	a = 3;\n	if (argc > 1) { /*not: its other side writes nothing*/\n"
	       "		argv++;\n	}\n	if (late) { /*might*/\n		if (argc)\n"
	       "			a = 4;\n	}\n	return a;\n}\n");
}

static void test_global(void **state)
{
	expect("static int g = 1, h;\nstatic void set(int n) { g = n; }\n"
	       "static void other(int n) { h = n; }\n"
	       "static void deep(int n) { if (n) set(n); }\n"
	       "int main(int argc, char **argv)\n{\n	int late = argc > 9;\n"
	       "	if (late) /*might*/\n		deep(3);\n"
	       "	if (late) /*not*/\n		other(3);\n"
	       "	return g;\n}\n");
}

static void test_pointer(void **state)
{
	expect("int main(int argc, char **argv)\n{\n	int a = 1, b = 2, *p = &b;\n"
	       "	double d, *q = &d;\n	int late = argc > 9;\n"
	       "	if (late) /*not: p is set below*/\n		p = &a;\n"
	       "	if (late) /*might: what p points to*/\n		*p = 4;\n"
	       "	if (late) /*not: of another type*/\n		*q = 4;\n"
	       "	p = argc ? &a : &b;\n	return *p;\n}\n");
}

/* A function of the same frame's local, by its address; and in a loop. */
static void test_given_away(void **state)
{
	expect("#include <string.h>\nstatic void fill(char *t) { strcpy(t, \"xyz\"); }\n"
	       "int main(int argc, char **argv)\n{\n	char text[8] = \"ab\", no[8] = \"q\";\n"
	       "	int n = 0;\n	for (int i = 0; i < 3; i++) {\n"
	       "		if (i == argc + 7) /*might*/\n			fill(text);\n"
	       "		if (i == argc + 8) /*might: outside*/\n			"
	       "memset(text, 1, 2);\n"
	       "		n += text[i & 1];\n	}\n	return n;\n}\n");
}

/* A function that calls itself, and two that call each other: each writes what all of them do. */
static void test_recursion(void **state)
{
	expect("static int g = 1, h;\nstatic void down(int n)\n{\n	g = n;\n"
	       "	if (n)\n		down(n - 1);\n}\n"
	       "int main(int argc, char **argv)\n{\n	int late = argc > 9;\n"
	       "	if (late) /*might*/\n		down(3);\n"
	       "	if (late) /*not*/\n		h = 2;\n"
	       "	return g;\n}\n");
	expect("static int g = 1, h, other;\nstatic void ping(int n);\n"
	       "static void pong(int n)\n{\n	if (n)\n		ping(n - 1);\n	h = n;\n}\n"
	       "static void ping(int n)\n{\n	if (n)\n		pong(n - 1);\n	g = n;\n}\n"
	       "static void lone(int n)\n{\n	if (n)\n		lone(n - 1);\n	other = "
	       "n;\n}\n"
	       "int main(int argc, char **argv)\n{\n	int late = argc > 9;\n"
	       "	if (late) /*might: ping() writes it for pong()*/\n		pong(3);\n"
	       "	if (late) /*might*/\n		ping(3);\n"
	       "	if (late) /*not*/\n		lone(3);\n"
	       "	return g;\n}\n");
}

/* Each function calls the next one twice: what they write is a set, not a list of all ways to it. */
static void test_many_ways(void **state)
{
	struct str source = STR_INIT;

	str_add(&source, "static int g = 1;\nstatic void f48(int n) { g = n; }\n");
	for (uint32_t i = 48; i-- > 0;)
		str_printf(&source, "static void f%u(int n) { f%u(n); f%u(n + 1); }\n", i, i + 1,
		           i + 1);
	str_add(&source, "int main(int argc, char **argv)\n{\n	int late = argc > 9;\n"
	                 "	if (late) /*might*/\n		f0(3);\n	return g;\n}\n");
	expect(str_text(&source));
	str_deinit(&source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_local),      cmocka_unit_test(test_overwritten),
		cmocka_unit_test(test_global),     cmocka_unit_test(test_pointer),
		cmocka_unit_test(test_given_away), cmocka_unit_test(test_recursion),
		cmocka_unit_test(test_many_ways),
	};

	return cmocka_run_group_tests_name("slice_relevant", tests, decoded_set_up,
	                                   decoded_tear_down);
}
