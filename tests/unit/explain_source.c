/* Lines of source around the places of an explanation. */
#include <sys/stat.h>
#include <time.h>

#include "state_runs.h"

#include "explain/illustrations.h"
#include "report/cause_tree.h"

/* A program of so many lines, which have a length each; line 3 is the only statement. */
static char *make_source(unsigned lines, unsigned length)
{
	struct str text = STR_INIT;

	str_add(&text, "int main(void)\n{\n\treturn 0;\n}\n");
	for (unsigned i = 5; i <= lines; i++)
		str_printf(&text, "/*%*u*/\n", (int)length - 4, i);
	return str_steal(&text);
}

static struct modules *modules;
static struct run run;
static char *text;

static struct explain_sources *begin(unsigned lines, unsigned length)
{
	struct explain_sources *sources;

	text = make_source(lines, length);
	decoded_build(text);
	modules = modules_create();
	run = runs_record(modules, text, "");
	runs_must(explain_sources_create(&run.recording, NULL, &sources));
	return sources;
}

static void end(struct explain_sources *sources)
{
	explain_sources_destroy(sources);
	runs_free(&run);
	modules_destroy(modules);
	free(text);
}

static struct explanation_place place(const char *file, unsigned line)
{
	return (struct explanation_place){.file = mem_strdup(file), .line = line};
}

static void add_suspect(struct explanation *e, unsigned line)
{
	vec_push(&e->suspects)->at = place("prog.c", line);
}

/* Is it this part of the file, line by line? */
static void assert_source(const struct explanation *e, uint32_t index, unsigned first,
                          unsigned count)
{
	const struct explanation_source *source = &e->sources.at[index];
	const char *at = text;

	assert_true(index < e->sources.size);
	assert_string_equal(source->file, "prog.c");
	assert_int_equal(source->first, first);
	assert_int_equal(source->lines.size, count);
	for (unsigned i = 1; i < first + count; i++) {
		const char *line = at;
		size_t length = strcspn(line, "\n");

		at += length + 1;
		if (i < first)
			continue;
		assert_int_equal(strlen(source->lines.at[i - first]), length);
		assert_memory_equal(source->lines.at[i - first], line, length);
	}
}

/* --- which lines --- */

/* A file that is not long is there as a whole, once, whatever names it; others are not there. */
static void test_whole(void **state)
{
	struct explain_sources *sources = begin(400, 10);
	struct explanation e = {0};

	e.failure.at = place("prog.c", 3);
	add_suspect(&e, 300);
	vec_push(&e.suspects)->at = place("/etc/passwd", 1);
	vec_push(&e.suspects)->at = place("other.c", 1);
	explain_add_sources(sources, &e);
	assert_int_equal(e.sources.size, 1);
	assert_source(&e, 0, 1, 400);
	explain_add_sources(sources, &e);
	assert_int_equal(e.sources.size, 1);
	explain_add_sources(NULL, &e);
	assert_int_equal(e.sources.size, 1);
	assert_int_equal(e.notes.size, 0);
	explanation_deinit(&e);
	end(sources);
}

/* Of a long one eight lines around each place of any kind; what is near each other is one. */
static void test_excerpts(void **state)
{
	struct explain_sources *sources = begin(1000, 10);
	struct explanation e = {0};
	struct explanation_step *step = vec_push(&e.steps);
	struct cause_node *node;

	e.tree = mem_alloc(sizeof(*e.tree));
	e.failure.at = place("prog.c", 999);
	step->at = place("prog.c", 10);
	step->cause = place("prog.c", 100);
	step->until = place("prog.c", 121); /* 108, then 113: four lines between them */
	vec_push(&step->proofs)->at = place("prog.c", 200);
	vec_push(&e.points)->at = place("prog.c", 300);
	add_suspect(&e, 322); /* 308, then 314: five */
	add_suspect(&e, 3);
	add_suspect(&e, 5000);
	node = vec_push(&e.tree->nodes);
	node->number = 1;
	node->at = place("prog.c", 400);
	node->via = place("prog.c", 500);
	vec_push(&node->statements)->at = place("prog.c", 600);
	vec_push(&node->proofs)->at = place("prog.c", 700);
	node->proofs.at[0].point = place("prog.c", 800);
	explain_add_sources(sources, &e);
	assert_int_equal(e.sources.size, 11);
	assert_source(&e, 0, 1, 18);
	assert_source(&e, 1, 92, 38);
	assert_source(&e, 2, 192, 17);
	assert_source(&e, 3, 292, 17);
	assert_source(&e, 4, 314, 17);
	for (uint32_t i = 0; i < 5; i++)
		assert_source(&e, 5 + i, 392 + 100 * i, 17);
	assert_source(&e, 10, 991, 10);
	explanation_deinit(&e);
	end(sources);
}

/* --- limits --- */

/* Few lines, but long ones. */
static void test_large(void **state)
{
	struct explain_sources *sources = begin(300, 2000);
	struct explanation e = {0};
	size_t size = 0;

	add_suspect(&e, 150);
	explain_add_sources(sources, &e);
	assert_int_equal(e.sources.size, 1);
	assert_source(&e, 0, 142, 17);
	assert_int_equal(e.notes.size, 0);
	for (unsigned line = 1; line <= 300; line += 10)
		add_suspect(&e, line);
	for (int i = 0; i < 2; i++)
		explain_add_sources(sources, &e);
	assert_int_equal(e.sources.size, 1);
	for (uint32_t i = 0; i < e.sources.at[0].lines.size; i++)
		size += strlen(e.sources.at[0].lines.at[i]) + 1;
	assert_in_range(size, (400 << 10) - 2001, 400 << 10);
	assert_source(&e, 0, 1, e.sources.at[0].lines.size);
	assert_int_equal(e.notes.size, 1);
	assert_string_equal(e.notes.at[0], "of the sources only 400 KB are kept");
	explanation_deinit(&e);
	end(sources);
}

/* --- what cannot be shown --- */

static void assert_absent(struct explain_sources *sources, const char *why)
{
	struct explanation e = {0};

	e.failure.at = place("prog.c", 3);
	explain_add_sources(sources, &e);
	explain_sources_note(sources, &e);
	assert_int_equal(e.sources.size, 0);
	assert_int_equal(e.notes.size, 1);
	assert_non_null(strstr(e.notes.at[0], why));
	explanation_deinit(&e);
}

/* Lines may not be those that were compiled. */
static void test_newer(void **state)
{
	struct explain_sources *sources = begin(10, 10);
	struct timespec later[2] = {{.tv_sec = time(NULL) + 60}, {.tv_sec = time(NULL) + 60}};

	assert_int_equal(utimensat(AT_FDCWD, "prog.c", later, 0), 0);
	assert_absent(sources, "prog.c is newer than the program");
	end(sources);
}

static void test_missing(void **state)
{
	struct explain_sources *sources = begin(10, 10);

	assert_int_equal(unlink("prog.c"), 0);
	assert_absent(sources, "prog.c cannot be read");
	end(sources);
}

/* Nobody writes to it, and nobody waits for that. */
static void test_pipe(void **state)
{
	struct explain_sources *sources = begin(10, 10);

	assert_int_equal(unlink("prog.c"), 0);
	assert_int_equal(mkfifo("prog.c", 0600), 0);
	alarm(60);
	assert_absent(sources, "prog.c cannot be read");
	alarm(0);
	assert_int_equal(unlink("prog.c"), 0);
	end(sources);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),   cmocka_unit_test(test_excerpts),
		cmocka_unit_test(test_large),   cmocka_unit_test(test_newer),
		cmocka_unit_test(test_missing), cmocka_unit_test(test_pipe),
	};

	return cmocka_run_group_tests_name("explain_source", tests, decoded_set_up,
	                                   decoded_tear_down);
}
