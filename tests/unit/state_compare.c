/*
 * Differences of states: each program in tests/state is run twice, with the arguments that its first two
 * lines say. At each point (a comment on a line, reached for the first time) the differences must be
 * those in NAME.expected, and none may be left when they are all transplanted, in either direction.
 */
#include "state_apply.h"
#include "state_programs.h"

/* --- transplants --- */

/* Memory that was never written is read as zero. */
static void know(struct state *a, struct state *b, const struct alignment *alignment)
{
	for (int second = 0; second < 2; second++) {
		uint32_t count, size = 0;
		const struct reading *all = states_unknown(a, b, alignment, second, &count);
		uint8_t *bytes;

		for (uint32_t i = 0; i < count; i++)
			size += all[i].size;
		bytes = mem_alloc(size + 1);
		state_know(second ? b : a, bytes);
		free(bytes);
	}
}

/* Nothing may be left of what the source has, when all is transplanted. It need not have all that the
   other run has: the rest of a longer block stays. */
static void check_left(const struct state_diff *diff, bool back)
{
	uint32_t count;
	const struct difference *all = state_diff_all(diff, &count);

	for (uint32_t i = 0; i < count; i++) {
		const char *value = back ? all[i].b : all[i].a;

		if (strcmp(value, "not known") && strcmp(value, "uninitialised"))
			fail_msg("%s is still %s and %s", all[i].name, all[i].a, all[i].b);
	}
}

static void transplant(const struct run *runs, const uint64_t *times,
                       const struct alignment *alignment, bool back)
{
	struct state *a = runs_state(&runs[0], times[0]), *b = runs_state(&runs[1], times[1]);
	struct state_diff *diff;
	uint32_t count, change_count, *all;
	const struct change *changes;

	know(a, b, alignment);
	diff = states_compare(a, b, alignment);
	state_diff_all(diff, &count);
	all = mem_alloc((count + 1) * sizeof(*all));
	for (uint32_t i = 0; i < count; i++)
		all[i] = i;
	changes = state_diff_changes(diff, all, count, back, &change_count);
	apply_changes(back ? a : b, back ? b : a, changes, change_count);
	state_diff_destroy(diff);
	diff = states_compare(a, b, alignment);
	check_left(diff, back);
	free(all);
	state_diff_destroy(diff);
	state_destroy(a);
	state_destroy(b);
}

/* --- all programs --- */

static void compare_at(const struct run *runs, const char *point, const struct alignment *alignment,
                       struct str *out)
{
	uint64_t times[2];
	struct state *a, *b;
	struct state_diff *diff;
	char *text;

	for (int i = 0; i < 2; i++)
		times[i] = runs_point(&runs[i], point, 0);
	a = runs_state(&runs[0], times[0]);
	b = runs_state(&runs[1], times[1]);
	diff = states_compare(a, b, alignment);
	text = runs_print(diff);
	str_printf(out, "== %s\n%s", point, text);
	free(text);
	state_diff_destroy(diff);
	state_destroy(a);
	state_destroy(b);
	transplant(runs, times, alignment, false);
	transplant(runs, times, alignment, true);
}

static void check(const char *name, const char *source)
{
	struct modules *modules = modules_create();
	struct alignment alignment;
	struct str found = STR_INIT;
	struct run runs[2];
	const char *at = source;
	char *point, *expected;

	decoded_build(source);
	for (unsigned i = 0; i < 2; i++) {
		char *arguments = programs_arguments(source, i);

		runs[i] = runs_record(modules, source, arguments);
		free(arguments);
	}
	runs_must(align_runs(&runs[0].recording, &runs[1].recording, NULL, &alignment));
	while ((point = programs_point(&at))) {
		compare_at(runs, point, &alignment, &found);
		free(point);
	}
	expected = programs_read(name, ".expected");
	if (strcmp(expected, str_text(&found)))
		print_message("%s:\n%s", name, str_text(&found));
	assert_string_equal(str_text(&found), expected);
	free(expected);
	str_deinit(&found);
	alignment_deinit(&alignment);
	runs_free(&runs[0]);
	runs_free(&runs[1]);
	modules_destroy(modules);
}

static void test_programs(void **state)
{
	programs_each(check);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs)};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
