/*
 * Backward slices against an independent way to find them (slice_run.h): they must be the same set of
 * instances, whether the run is kept whole or in windows of any size.
 */
#include "slice_run.h"

#include "slice_programs.h"

static uint32_t total_wrong;

static void compare(struct decoded *d, const struct naive *n, uint32_t instance, bool data_only,
                    uint64_t memory)
{
	struct recording run = slice_run_of(d, memory);
	struct slice_criterion criterion = {.instance = instance};
	struct slice_options options = {.data_only = data_only};
	struct slice slice;
	char *what = str_format("from %u, memory %lu%s", instance, (unsigned long)memory,
	                        data_only ? ", data" : "");

	slice_must(slice_backward(&run, &criterion, 1, &options, &slice));
	total_wrong += naive_compare(n, d, slice.instances, what, true);
	if (memory && 4 * memory < 16 * (instance - n->first))
		assert_true(slice.windows > 1);
	else if (!memory)
		assert_int_equal(slice.windows, 1);
	slice_deinit(&slice);
	free(what);
}

static void from(struct decoded *d, uint32_t instance, bool data_only, uint32_t size)
{
	struct naive n;

	naive_backward(&n, slice_whole(d, instance), instance, !data_only);
	compare(d, &n, instance, data_only, 0);
	compare(d, &n, instance, data_only, size * 16);
	naive_free(&n);
}

/* The last call of an outside function, and instances all over the run. */
static void check_program(const char *source)
{
	struct decoded d = decoded_record(source);
	struct execution *e = slice_whole(&d, 0);
	uint32_t first, end, last = 0;

	execution_kept(e, &first, &end);
	for (uint32_t i = first; i < end; i++)
		if (execution_insn(e, i)->op == CODE_CALL &&
		    execution_source(e, i) & EXECUTION_GROUP)
			last = i;
	print_message("%u instances\n", end - first);
	from(&d, last, false, 50);
	from(&d, last, true, 211);
	for (uint32_t k = 1; k < 8; k++)
		from(&d, first + (end - first) / 8 * k + k, k == 3, 37 + 100 * k);
	decoded_free(&d);
}

/* Larger programs: less of each. */
static void check_case(const char *source)
{
	struct decoded d = decoded_record(source);
	struct execution *e = slice_whole(&d, 0);
	uint32_t first, end;

	execution_kept(e, &first, &end);
	print_message("%u instances\n", end - first);
	from(&d, end - 2, false, (end - first) / 7);
	from(&d, first + (end - first) / 3 * 2, true, (end - first) / 30);
	from(&d, first + (end - first) / 2, false, (end - first) / 30);
	decoded_free(&d);
}

static void test_programs(void **state)
{
	total_wrong = 0;
	for (uint32_t i = 0; i < SLICE_PROGRAMS; i++) {
		uint32_t before = total_wrong;

		check_program(slice_programs[i]);
		if (total_wrong > before)
			print_message("... in program %u\n", i);
	}
	assert_int_equal(total_wrong, 0);
}

static void test_cases(void **state)
{
	total_wrong = 0;
	for (uint32_t i = 0; i < SLICE_CASES; i++) {
		uint32_t before = total_wrong;
		char *source = slice_case(slice_cases[i]);

		check_case(source);
		free(source);
		if (total_wrong > before)
			print_message("... in %s\n", slice_cases[i]);
	}
	assert_int_equal(total_wrong, 0);
}

/* --- edges --- */

static VEC(struct slice_edge) edges;

static void take_edge(void *context, const struct slice_edge *edge)
{
	*vec_push(&edges) = *edge;
}

/* Both ends of each are in the slice, and by them all of it can be reached. */
static void check_edges(struct decoded *d, uint32_t instance, uint64_t memory, bool forward)
{
	struct recording run = slice_run_of(d, memory);
	struct slice_criterion criterion = {.instance = instance};
	struct slice_options options = {.edge = take_edge};
	roaring_bitmap_t *reached = roaring_bitmap_create();
	struct slice slice;

	edges.size = 0;
	slice_must(forward ? slice_forward(&run, &criterion, 1, NULL, 0, &options, &slice)
	                   : slice_backward(&run, &criterion, 1, &options, &slice));
	roaring_bitmap_add(reached, instance);
	for (uint32_t i = 0; i < edges.size; i++) {
		assert_true(roaring_bitmap_contains(slice.instances, edges.at[i].to));
		assert_true(edges.at[i].from < EXECUTION_FIRST ||
		            roaring_bitmap_contains(slice.instances, edges.at[i].from));
		if (forward || edges.at[i].from >= EXECUTION_FIRST)
			roaring_bitmap_add(reached, forward ? edges.at[i].to : edges.at[i].from);
	}
	assert_true(roaring_bitmap_equals(reached, slice.instances));
	roaring_bitmap_free(reached);
	slice_deinit(&slice);
}

static void test_edges(void **state)
{
	struct decoded d = decoded_record(slice_programs[0]);
	uint32_t first, end;

	execution_kept(slice_whole(&d, 0), &first, &end);
	check_edges(&d, end - 1, 0, false);
	check_edges(&d, end - 1, 800, false);
	check_edges(&d, first + 40, 0, true);
	check_edges(&d, first + 40, 800, true);
	vec_deinit(&edges);
	decoded_free(&d);
}

/* --- what cannot be --- */

static void test_no_instance(void **state)
{
	struct decoded d = decoded_record(slice_programs[8]);
	struct recording run = slice_run_of(&d, 0);
	struct slice_criterion criterion = {.instance = 1u << 30};
	struct slice_options options = {0};
	struct slice slice;
	struct hence_error *error = slice_backward(&run, &criterion, 1, &options, &slice);

	assert_non_null(error);
	assert_non_null(strstr(error->message, "nothing to slice from"));
	error_destroy(error);
	error = slice_forward(&run, &criterion, 1, NULL, 0, &options, &slice);
	assert_non_null(error);
	error_destroy(error);
	decoded_free(&d);
}

static bool stop(void *context)
{
	return ++*(uint32_t *)context > 2;
}

/* Ends between windows, with what was found. */
static void test_stop(void **state)
{
	struct decoded d = decoded_record(slice_programs[7]);
	struct recording run = slice_run_of(&d, 1600);
	uint32_t asked = 0, first, end;
	struct slice_options options = {.stop = stop, .context = &asked};
	struct slice_criterion criterion = {0};
	struct slice slice;

	execution_kept(slice_whole(&d, 0), &first, &end);
	criterion.instance = end - 1;
	slice_must(slice_backward(&run, &criterion, 1, &options, &slice));
	assert_true(slice.stopped);
	slice_deinit(&slice);
	asked = 0;
	criterion.instance = first + 5;
	slice_must(slice_forward(&run, &criterion, 1, NULL, 0, &options, &slice));
	assert_true(slice.stopped);
	assert_int_equal(slice.windows, 3);
	slice_deinit(&slice);
	decoded_free(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_programs), cmocka_unit_test(test_cases),
		cmocka_unit_test(test_edges),    cmocka_unit_test(test_no_instance),
		cmocka_unit_test(test_stop),
	};

	return cmocka_run_group_tests_name("slice_backward", tests, decoded_set_up,
	                                   decoded_tear_down);
}
