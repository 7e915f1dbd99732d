/* Guard rails: every branch goes as a list says. What a branch did is told. */
#include "experiment_run.h"

static const char source[] = "#include <stdio.h>\n"
			     "static int kind(int n)\n"
			     "{\n"
			     "	switch (n) { /* switch */\n"
			     "	case 3: return 30;\n"
			     "	case 4: return 40;\n"
			     "	case 5:\n"
			     "	case 6: return 56;\n"
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
			     "	printf(\"%d %d %d %d\\n\", odd, even, kind(i), i); /* print */\n"
			     "	return 0;\n"
			     "}\n";

/* Whose branch an entry is for. */
enum whose {
	NONE,
	HEAD,
	IF,
	SWITCH,
};

struct entry {
	enum rail_kind kind;
	enum whose whose;
	uint32_t way, other, skip;
};

/* The run is head, (if, head) four times, switch. */
static struct site site_of(struct lab *lab, enum whose whose)
{
	static const uint32_t at[] = {0, 0, 1, 9};
	struct point_branches branches;
	struct site site;

	lab_must(points_branches(&lab->run, UINT64_MAX, &branches));
	assert_int_equal(branches.all.size, 10);
	site = branches.all.at[at[whose]].site;
	point_branches_deinit(&branches);
	return site;
}

static void set_rails(struct lab *lab, const struct entry *entries, uint32_t count)
{
	struct rail rails[16] = {{0}};

	for (uint32_t i = 0; i < count; i++)
		rails[i] = (struct rail){entries[i].kind, site_of(lab, entries[i].whose),
		                         entries[i].way, entries[i].other, entries[i].skip};
	lab_must(experiments_set_rails(lab->pool, rails, count));
}

static struct experiment_result ride(struct lab *lab, const struct point *point,
                                     const struct change *change, uint32_t first)
{
	struct stop stop = lab_stop(point);
	struct experiment experiment = {.time = point->time,
	                                .stops = &stop,
	                                .stop_count = 1,
	                                .on_rails = true,
	                                .rail = first};
	struct experiment_result result;

	stop.changes = change;
	stop.change_count = !!change;
	lab_must(experiments_run(lab->pool, &experiment, &result));
	return result;
}

static struct experiment_result on_rails(struct lab *lab, const struct point *point,
                                         const struct change *change, const struct entry *entries,
                                         uint32_t count)
{
	set_rails(lab, entries, count);
	return ride(lab, point, change, 0);
}

static void leaves(struct experiment_result result)
{
	assert_true(result.off_rails);
	assert_true(result.stops.at[0].reached);
	assert_false(result.diverged);
	experiment_result_deinit(&result);
}

/* From the first `if` on: (if, head) three times, (if, head), switch. Way 0 of a branch is where its
   condition holds, of a switch the default. */
static void test_forced(void **state)
{
	static const struct entry entries[] = {
		{RAIL_FORCE, IF, 0, 0, 0},     {RAIL_FORCE, HEAD, 0, 0, 0},
		{RAIL_FORCE, IF, 0, 0, 0},     {RAIL_FORCE, HEAD, 0, 0, 0},
		{RAIL_FORCE, IF, 1, 0, 0},     {RAIL_FORCE, HEAD, 1, 0, 0},
		{RAIL_FORCE, SWITCH, 1, 0, 0},
	};
	struct lab lab = lab_open(source);
	const struct point *first;

	lab_start(&lab);
	assert_string_equal(lab_last_line(&lab.recorded), "2 2 40 4");
	first = lab_point(&lab, "if", 1);
	/* Nothing is forced: the run is as it was. */
	lab_prints(on_rails(&lab, first, NULL, entries, 0), "2 2 40 4");
	/* odd, on, odd, on, even, end: three rounds, i is 3. The switch goes to its first case. */
	lab_prints(on_rails(&lab, first, NULL, entries, 7), "2 1 30 3");
	/* The last one is on its own: 3 is the first case, too. */
	lab_prints(on_rails(&lab, first, NULL, entries, 6), "2 1 30 3");
	/* Only two rounds are forced. */
	lab_prints(on_rails(&lab, first, NULL, entries, 4), "3 1 40 4");
	/* The same rails, from the second round on; and in the last, so that two more are made. */
	lab_prints(ride(&lab, lab_point(&lab, "if", 2), NULL, 2), "2 2 40 4");
	lab_prints(ride(&lab, lab_point(&lab, "if", 4), NULL, 0), "4 2 56 6");
	lab_close(&lab);
}

static void test_evaluated(void **state)
{
	static const struct entry agree[] = {
		{RAIL_EVALUATE, IF, 1, 0, 0},   /* i = 0 is even */
		{RAIL_EVALUATE, HEAD, 0, 1, 0}, /* and on */
		{RAIL_SKIP, NONE, 0, 0, 2},
		{RAIL_FORCE, IF, 9, 0, 0},
		{RAIL_FORCE, IF, 9, 0, 0},
		{RAIL_FORCE, IF, 1, 0, 0}, /* i = 1 is taken for even */
	};
	static const struct entry jump[] = {
		{RAIL_EVALUATE, IF, 0, 1, 2}, /* it goes to the other: behind two entries */
		{RAIL_FORCE, HEAD, 0, 0, 0},
		{RAIL_FORCE, HEAD, 0, 0, 0},
		{RAIL_FORCE, HEAD, 1, 0, 0}, /* leaves the loop */
	};
	static const struct entry off[] = {{RAIL_EVALUATE, IF, 0, 7, 0}};
	struct lab lab = lab_open(source);
	const struct point *first;

	lab_start(&lab);
	first = lab_point(&lab, "if", 1);
	lab_prints(on_rails(&lab, first, NULL, agree, 6), "1 3 40 4");
	lab_prints(on_rails(&lab, first, NULL, jump, 4), "0 1 1 1");
	leaves(on_rails(&lab, first, NULL, off, 1));
	lab_close(&lab);
}

/* An entry is for one branch; where the next one may be of two, that tells. */
static void test_whose(void **state)
{
	static const struct entry wrong[] = {{RAIL_FORCE, IF, 1, 0, 0}, {RAIL_FORCE, IF, 1, 0, 0}};
	static const struct entry choose[] = {
		{RAIL_CHOOSE, NONE, 0, 0, 2},
		{RAIL_FORCE, HEAD, 1, 0, 0},
		{RAIL_SKIP, NONE, 0, 0, 1},
		{RAIL_FORCE, IF, 0, 0, 0}, /* i = 0 is taken for odd */
		{RAIL_CHOOSE, NONE, 0, 0, 2},
		{RAIL_FORCE, HEAD, 1, 0, 0},
		{RAIL_SKIP, NONE, 0, 0, 1},
		{RAIL_FORCE, IF, 0, 0, 0},
		{RAIL_FORCE, SWITCH, 2, 0, 0},
	};
	struct lab lab = lab_open(source);

	lab_start(&lab);
	leaves(on_rails(&lab, lab_point(&lab, "if", 1), NULL, wrong, 2));
	lab_prints(on_rails(&lab, lab_point(&lab, "if", 1), NULL, choose, 9), "1 0 40 1");
	lab_close(&lab);
}

/* A change that would lead elsewhere is held on the rails of the old run. */
static void test_held(void **state)
{
	static const struct entry entries[] = {
		{RAIL_FORCE, IF, 1, 0, 0},     {RAIL_FORCE, HEAD, 0, 0, 0},
		{RAIL_FORCE, IF, 0, 0, 0},     {RAIL_FORCE, HEAD, 0, 0, 0},
		{RAIL_FORCE, IF, 1, 0, 0},     {RAIL_FORCE, HEAD, 0, 0, 0},
		{RAIL_FORCE, IF, 0, 0, 0},     {RAIL_FORCE, HEAD, 1, 0, 0},
		{RAIL_FORCE, SWITCH, 0, 0, 0},
	};
	struct lab lab = lab_open(source);
	int big = 100;
	struct change change = {.size = 4, .bytes = (uint8_t *)&big};

	lab_start(&lab);
	change.address = lab_address(&lab, "i");
	/* i is 100 in the first round: all rounds are made all the same, and the switch takes its
	   default. */
	lab_prints(on_rails(&lab, lab_point(&lab, "if", 1), &change, entries, 9), "2 2 1 104");
	lab_close(&lab);
}

/* --- outcomes --- */

/* The way of the branch at the second point, when the first one has that force; `i` is set there, if not
   negative. */
static uint32_t way_of(struct lab *lab, const struct point *first, const struct point *second,
                       enum force force, int i, bool rails)
{
	struct change change = {
		.address = lab_address(lab, "i"), .size = 4, .bytes = (uint8_t *)&i};
	struct stop stops[] = {lab_stop(first), lab_stop(second)};
	struct experiment experiment = {.time = first->time,
	                                .stops = stops,
	                                .stop_count = first == second ? 1 : 2,
	                                .on_rails = rails,
	                                .ends = true};
	struct experiment_result result;
	uint32_t told = first != second, way;

	stops[0].force = force;
	if (i >= 0) {
		stops[0].changes = &change;
		stops[0].change_count = 1;
	}
	stops[1].count = 1;
	stops[told].tell_outcome = true;
	lab_must(experiments_run(lab->pool, &experiment, &result));
	assert_true(result.stops.at[told].has_outcome);
	assert_true(!told || !result.stops.at[0].has_outcome);
	/* It was not let go on. */
	assert_null(strstr(str_text(&result.run.output), "0x0 "));
	assert_int_equal(result.run.outcome.kind, OUTCOME_SIGNALLED);
	way = result.stops.at[told].outcome;
	experiment_result_deinit(&result);
	return way;
}

static void test_outcome(void **state)
{
	static const struct entry entries[] = {
		{RAIL_FORCE, IF, 0, 0, 0},
		{RAIL_FORCE, HEAD, 1, 0, 0},
		{RAIL_FORCE, SWITCH, 0, 0, 0},
	};
	struct lab lab = lab_open(source);
	const struct point *first, *third, *switch_;

	lab_start(&lab);
	first = lab_point(&lab, "if", 1);
	third = lab_point(&lab, "if", 3);
	switch_ = lab_point(&lab, "switch", 1);
	/* 0 is even; 7 is odd; and it goes the other way if it must. */
	assert_int_equal(way_of(&lab, first, first, FORCE_NOTHING, -1, false), 1);
	assert_int_equal(way_of(&lab, first, first, FORCE_NOTHING, 7, false), 0);
	assert_int_equal(way_of(&lab, first, first, FORCE_SWITCHED, 7, false), 1);
	/* The switch: 4 is its second case; 5 and 6 are one way. */
	assert_int_equal(way_of(&lab, third, switch_, FORCE_NOTHING, -1, false), 2);
	assert_int_equal(way_of(&lab, third, switch_, FORCE_NOTHING, 4, false), 3);
	assert_int_equal(way_of(&lab, third, switch_, FORCE_NOTHING, 5, false), 3);
	assert_int_equal(way_of(&lab, third, switch_, FORCE_NOTHING, 6, false), 0);
	/* On rails it is what they make of it; a force comes before them. */
	set_rails(&lab, entries, 3);
	assert_int_equal(way_of(&lab, first, first, FORCE_NOTHING, -1, true), 0);
	assert_int_equal(way_of(&lab, first, first, FORCE_SWITCHED, -1, true), 0);
	assert_int_equal(way_of(&lab, third, switch_, FORCE_NOTHING, -1, true), 0);
	lab_close(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forced),  cmocka_unit_test(test_evaluated),
		cmocka_unit_test(test_whose),   cmocka_unit_test(test_held),
		cmocka_unit_test(test_outcome),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
