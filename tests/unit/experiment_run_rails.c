/* Guard rails: every branch goes as a list says. */
#include "experiment_run.h"

static const char source[] = "#include <stdio.h>\n"
			     "static int kind(int n)\n"
			     "{\n"
			     "	switch (n) {\n"
			     "	case 3: return 30;\n"
			     "	case 4: return 40;\n"
			     "	default: return 1;\n"
			     "	}\n"
			     "}\n"
			     "int main(void)\n"
			     "{\n"
			     "	int odd = 0, even = 0, i;\n"
			     "	printf(\"i=%p\\nodd=%p\\n\", (void *)&i, (void *)&odd);\n"
			     "	for (i = 0; i < 4; i++) { /* head */\n"
			     "		if (i % 2) /* if */\n"
			     "			odd += 1;\n"
			     "		else\n"
			     "			even += 1;\n"
			     "	}\n"
			     "	printf(\"%d %d %d %d\\n\", odd, even, kind(i), i);\n"
			     "	return 0;\n"
			     "}\n";

static struct experiment_result on_rails(struct lab *lab, const struct point *point,
                                         const struct change *change, const struct rail *rails,
                                         uint32_t count)
{
	struct stop stop = lab_stop(point);
	struct experiment experiment = {.time = point->time,
	                                .stops = &stop,
	                                .stop_count = 1,
	                                .rails = rails,
	                                .rail_count = count};
	struct experiment_result result;

	stop.changes = change;
	stop.change_count = !!change;
	lab_must(experiments_run(lab->pool, &experiment, &result));
	return result;
}

/* From the first `if` on: (if, head) three times, (if, head), switch. Successor 0 of a branch is where
   its condition holds, of a switch the default. */
static void test_forced(void **state)
{
	static const struct rail rails[] = {
		{RAIL_FORCE, 0, 0, 0}, {RAIL_FORCE, 0, 0, 0}, {RAIL_FORCE, 0, 0, 0},
		{RAIL_FORCE, 0, 0, 0}, {RAIL_FORCE, 1, 0, 0}, {RAIL_FORCE, 1, 0, 0},
		{RAIL_FORCE, 1, 0, 0},
	};
	struct lab lab = lab_open(source);
	const struct point *first;

	lab_start(&lab);
	assert_string_equal(lab_last_line(&lab.recorded), "2 2 40 4");
	first = lab_point(&lab, "if", 1);
	/* Nothing is forced: the run is as it was. */
	lab_prints(on_rails(&lab, first, NULL, rails, 0), "2 2 40 4");
	/* odd, on, odd, on, even, end: three rounds, i is 3. The switch goes to its first case. */
	lab_prints(on_rails(&lab, first, NULL, rails, 7), "2 1 30 3");
	/* The last one is on its own: 3 is the first case, too. */
	lab_prints(on_rails(&lab, first, NULL, rails, 6), "2 1 30 3");
	/* Only two rounds are forced. */
	lab_prints(on_rails(&lab, first, NULL, rails, 4), "3 1 40 4");
	lab_close(&lab);
}

static void test_evaluated(void **state)
{
	static const struct rail agree[] = {
		{RAIL_EVALUATE, 1, 0, 0}, /* i = 0 is even */
		{RAIL_EVALUATE, 0, 1, 0}, /* and on */
		{RAIL_SKIP, 0, 0, 2},     {RAIL_FORCE, 9, 0, 0},
		{RAIL_FORCE, 9, 0, 0},    {RAIL_FORCE, 1, 0, 0}, /* i = 1 is taken for even */
	};
	static const struct rail jump[] = {
		{RAIL_EVALUATE, 0, 1, 2}, /* it goes to the other: behind two entries */
		{RAIL_FORCE, 0, 0, 0},
		{RAIL_FORCE, 0, 0, 0},
		{RAIL_FORCE, 1, 0, 0}, /* leaves the loop */
	};
	static const struct rail off[] = {{RAIL_EVALUATE, 0, 7, 0}};
	struct lab lab = lab_open(source);
	const struct point *first;
	struct experiment_result result;

	lab_start(&lab);
	first = lab_point(&lab, "if", 1);
	lab_prints(on_rails(&lab, first, NULL, agree, 6), "1 3 40 4");
	lab_prints(on_rails(&lab, first, NULL, jump, 4), "0 1 1 1");
	result = on_rails(&lab, first, NULL, off, 1);
	assert_true(result.off_rails);
	assert_true(result.stops.at[0].reached);
	assert_false(result.diverged);
	experiment_result_deinit(&result);
	lab_close(&lab);
}

/* A change that would lead elsewhere is held on the rails of the old run. */
static void test_held(void **state)
{
	static const struct rail rails[] = {
		{RAIL_FORCE, 1, 0, 0}, {RAIL_FORCE, 0, 0, 0}, {RAIL_FORCE, 0, 0, 0},
		{RAIL_FORCE, 0, 0, 0}, {RAIL_FORCE, 1, 0, 0}, {RAIL_FORCE, 0, 0, 0},
		{RAIL_FORCE, 0, 0, 0}, {RAIL_FORCE, 1, 0, 0}, {RAIL_FORCE, 0, 0, 0},
	};
	struct lab lab = lab_open(source);
	int big = 100;
	struct change change = {.size = 4, .bytes = (uint8_t *)&big};

	lab_start(&lab);
	change.address = lab_address(&lab, "i");
	/* i is 100 in the first round: all rounds are made all the same, and the switch takes its
	   default. */
	lab_prints(on_rails(&lab, lab_point(&lab, "if", 1), &change, rails, 9), "2 2 1 104");
	lab_close(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forced),
		cmocka_unit_test(test_evaluated),
		cmocka_unit_test(test_held),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
