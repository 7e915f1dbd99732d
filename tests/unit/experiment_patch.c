/* Pools whose runs are all patched: a branch goes another way once. */
#include "experiment_run.h"

#include "trace/execution.h"

static const char source[] = "#include <stdio.h>\n"
			     "static int kind(int n)\n"
			     "{\n"
			     "	switch (n) { /* switch */\n"
			     "	case 3: return 30;\n"
			     "	case 4: return 40;\n"
			     "	default: return 1;\n"
			     "	}\n"
			     "}\n"
			     "static int sum(int n)\n"
			     "{\n"
			     "	if (n == 0) /* base */\n"
			     "		return 0;\n"
			     "	return n + sum(n - 1);\n"
			     "}\n"
			     "int main(void)\n"
			     "{\n"
			     "	int odd = 0, even = 0, i;\n"
			     "	printf(\"odd=%p\\n\", (void *)&odd);\n"
			     "	i = 0;\n"
			     "	for (; i < 4; i++) { /* head */\n"
			     "		if (i % 2) /* if */\n"
			     "			odd += 1;\n"
			     "		else\n"
			     "			even += 1;\n"
			     "	}\n"
			     "	printf(\"%d %d %d %d\\n\", odd, even, kind(i), sum(4));\n"
			     "	return 0;\n"
			     "}\n";

static const char unpatched[] = "2 2 40 10";

/* A second run of the lab's program, and its pool. */
struct patched {
	struct patch patch;
	struct experiments_options options;
	struct lab lab;
};

static struct patched patched_as(struct lab *lab, const char *mark, uint32_t nth, uint32_t outcome)
{
	const struct point *point = lab_point(lab, mark, nth);
	struct patched p = {.patch = {point->site, point->count, point->time, outcome}};

	p.options = lab->options;
	p.options.patch_from = &lab->run;
	p.lab = (struct lab){.source = lab->source, .modules = lab->modules};
	return p;
}

/* Records it as tape `number` of the session; it must print this line. */
static void patched_start(struct patched *p, uint32_t number, const char *line)
{
	struct lab *lab = &p->lab;

	p->options.patch = &p->patch;
	lab_must(experiments_create(&p->options, &lab->pool));
	lab_must(experiments_record(lab->pool, decoded_session.path, &lab->recorded));
	assert_string_equal(lab_last_line(&lab->recorded), line);
	lab->run = (struct recording){.modules = lab->modules,
	                              .folder = decoded_session.path,
	                              .tape = number,
	                              .table = decoded_models};
	lab_must(experiments_use(lab->pool, &lab->run));
	lab_find_points(lab);
}

static void patched_end(struct patched *p)
{
	experiments_destroy(p->lab.pool);
	trial_result_deinit(&p->lab.recorded);
	vec_deinit(&p->lab.points);
	vec_deinit(&p->lab.lines);
}

/* The decoded run agrees with its tape. */
static void check_decoded(const struct lab *lab, uint64_t mismatches)
{
	struct execution_options options = {.table = decoded_models};
	struct execution *e;
	uint64_t count;
	uint32_t kept;

	lab_must(execution_create(lab->modules, lab->run.folder, lab->run.tape, &options, &e));
	lab_must(execution_run(e, NULL));
	execution_mismatches(e, &kept, &count);
	assert_int_equal(count, mismatches);
	assert_int_equal(execution_statements(e), lab->statements);
	execution_destroy(e);
}

/* Stops at each point of the run, but changes nothing: from the end to the beginning, and back, so that
   snapshots before and after the patch are used. */
static void check_points(struct lab *lab, const char *line)
{
	uint32_t count = lab->points.size;

	for (uint32_t i = 0; i < 2 * count; i++) {
		const struct point *point = &lab->points.at[i < count ? count - 1 - i : i - count];
		struct stop stop = lab_stop(point);

		lab_prints(lab_run(lab, point, &stop, 1), line);
	}
}

static void check(struct lab *lab, uint32_t number, const char *mark, uint32_t nth,
                  uint32_t outcome, const char *line)
{
	struct patched p = patched_as(lab, mark, nth, outcome);

	patched_start(&p, number, line);
	check_decoded(&p.lab, 0);
	check_points(&p.lab, line);
	patched_end(&p);
}

/* Successor 0 of a branch is where its condition holds, of a switch the default. */
static void test_ways(void **state)
{
	struct lab lab = lab_open(source);

	lab_start(&lab);
	assert_string_equal(lab_last_line(&lab.recorded), unpatched);
	/* 1 is taken for even. */
	check(&lab, 1, "if", 2, 1, "1 3 40 10");
	/* The loop ends after two rounds. */
	check(&lab, 2, "head", 3, 1, "1 1 1 10");
	/* It goes on after four, with an even number, and ends then. */
	check(&lab, 3, "head", 5, 0, "2 3 1 10");
	check(&lab, 4, "switch", 1, 0, "2 2 1 10");
	check(&lab, 5, "switch", 1, 1, "2 2 30 10");
	/* 4, and sum(3) is 0. */
	check(&lab, 6, "base", 2, 0, "2 2 40 4");
	/* sum(0) is 0 + sum(-1), which never ends: not here. The way it goes anyway changes nothing. */
	check(&lab, 7, "base", 5, 0, unpatched);
	lab_close(&lab);
}

/* What is changed before the patch goes through it; after it, too. */
static void test_changes(void **state)
{
	struct lab lab = lab_open(source);
	struct patched p;

	lab_start(&lab);
	p = patched_as(&lab, "if", 2, 1);
	patched_start(&p, 1, "1 3 40 10");
	lab_prints(lab_change_int(&p.lab, lab_point(&p.lab, "if", 4), "odd", 50), "51 3 40 10");
	lab_prints(lab_change_int(&p.lab, lab_point(&p.lab, "if", 3), "odd", 50), "51 3 40 10");
	lab_prints(lab_change_int(&p.lab, lab_point(&p.lab, "if", 2), "odd", 50), "51 3 40 10");
	lab_prints(lab_change_int(&p.lab, lab_point(&p.lab, "if", 1), "odd", 50), "51 3 40 10");
	patched_end(&p);
	lab_close(&lab);
}

/* Stops behind the first one are counted from there, and an order for the patched branch itself wins. */
static void test_forces(void **state)
{
	struct lab lab = lab_open(source);
	struct stop stops[2];
	struct patched p;
	const struct point *first;

	lab_start(&lab);
	p = patched_as(&lab, "if", 2, 1);
	patched_start(&p, 1, "1 3 40 10");
	first = lab_point(&p.lab, "if", 2);
	stops[0] = lab_stop(first);
	stops[0].force = FORCE_SWITCHED;
	lab_prints(lab_run(&p.lab, first, stops, 1), unpatched);
	first = lab_point(&p.lab, "if", 1);
	stops[0] = lab_stop(first);
	stops[1] = (struct stop){.site = first->site, .count = 1, .force = FORCE_SWITCHED};
	lab_prints(lab_run(&p.lab, first, stops, 2), unpatched);
	/* i is 2: taken for odd. */
	stops[1].count = 2;
	lab_prints(lab_run(&p.lab, first, stops, 2), "2 2 40 10");
	/* i is 3: taken for even. */
	stops[1].count = 3;
	lab_prints(lab_run(&p.lab, first, stops, 2), "0 4 40 10");
	patched_end(&p);
	lab_close(&lab);
}

/* On rails that let the program choose, the patch chooses; and it holds behind their end. */
static void test_rails(void **state)
{
	struct lab lab = lab_open(source);
	struct rail rails[3];
	struct point_branches branches;
	struct stop stop;
	struct experiment experiment = {.stops = &stop, .stop_count = 1, .on_rails = true};
	struct patched p;

	lab_start(&lab);
	p = patched_as(&lab, "if", 2, 1);
	patched_start(&p, 1, "1 3 40 10");
	stop = lab_stop(lab_point(&p.lab, "if", 1));
	experiment.time = lab_point(&p.lab, "if", 1)->time;
	/* head, if, head, if, ... */
	lab_must(points_branches(&p.lab.run, UINT64_MAX, &branches));
	rails[0] = (struct rail){RAIL_EVALUATE, branches.all.at[1].site, 1, 1, 0};
	rails[1] = (struct rail){RAIL_FORCE, branches.all.at[2].site, 0, 0, 0};
	rails[2] = (struct rail){RAIL_EVALUATE, branches.all.at[3].site, 1, 1, 0};
	point_branches_deinit(&branches);
	for (uint32_t count = 1; count <= 3; count++) {
		struct experiment_result result;

		lab_must(experiments_set_rails(p.lab.pool, rails, count));
		lab_must(experiments_run(p.lab.pool, &experiment, &result));
		assert_false(result.off_rails);
		lab_prints(result, "1 3 40 10");
	}
	patched_end(&p);
	lab_close(&lab);
}

static void test_refused(void **state)
{
	struct lab lab = lab_open(source);
	struct patched p;
	struct hence_error *error;

	lab_start(&lab);
	p = patched_as(&lab, "if", 2, 1);
	p.patch.count = 99;
	p.options.patch = &p.patch;
	lab_must(experiments_create(&p.options, &p.lab.pool));
	error = experiments_record(p.lab.pool, decoded_session.path, &p.lab.recorded);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "did not come to the branch"));
	error_destroy(error);
	patched_end(&p);
	p = patched_as(&lab, "if", 2, 2);
	p.options.patch = &p.patch;
	lab_must(experiments_create(&p.options, &p.lab.pool));
	error = experiments_record(p.lab.pool, decoded_session.path, &p.lab.recorded);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "cannot be made to go to its successor 2"));
	error_destroy(error);
	patched_end(&p);
	lab_close(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ways),    cmocka_unit_test(test_changes),
		cmocka_unit_test(test_forces),  cmocka_unit_test(test_rails),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
