/* Where experiments stop, what they see there, and branches that they force. */
#include "experiment_run.h"

static int32_t int_at(const struct experiment_result *result, uint32_t stop, uint32_t offset)
{
	int32_t value;

	assert_true(result->stops.at[stop].reached);
	assert_true(result->stops.at[stop].bytes.length >= offset + 4);
	memcpy(&value, result->stops.at[stop].bytes.text + offset, 4);
	return value;
}

static const char clock_source[] = "#include <setjmp.h>\n"
				   "#include <stdio.h>\n"
				   "#include <stdlib.h>\n"
				   "static int now;\n"
				   "static jmp_buf out;\n"
				   "static int compare(const void *a, const void *b)\n"
				   "{\n"
				   "	now++;\n"
				   "	return *(const int *)a - *(const int *)b;\n"
				   "}\n"
				   "static int fibonacci(int n)\n"
				   "{\n"
				   "	now++;\n"
				   "	if (n < 2)\n"
				   "		return n;\n"
				   "	now++;\n"
				   "	return fibonacci(n - 1) + fibonacci(n - 2);\n"
				   "}\n"
				   "static void leave(int n)\n"
				   "{\n"
				   "	now++;\n"
				   "	if (n == 0)\n"
				   "		longjmp(out, 7);\n"
				   "	leave(n - 1);\n"
				   "}\n"
				   "int main(void)\n"
				   "{\n"
				   "	int list[] = {5, 3, 9, 1, 7, 2, 8};\n"
				   "	setvbuf(stdout, NULL, _IOFBF, 64);\n"
				   "	printf(\"now=%p\\n\", (void *)&now);\n"
				   "	qsort(list, 7, sizeof(*list), compare);\n"
				   "	for (int i = 0; i < 3; i++)\n"
				   "		if (!setjmp(out))\n"
				   "			leave(i);\n"
				   "	printf(\"%d %d\\n\", list[0], fibonacci(7));\n"
				   "	for (now = 100; now < 120; now++)\n"
				   "		printf(\"%d,\", now); /* round */\n"
				   "	printf(\"\\n%d\\n\", now);\n"
				   "	return 0;\n"
				   "}\n";

/* The clock as the decoder sees it before each statement. */
struct clock {
	uint64_t address;
	VEC(int32_t) values;
};

static void hear(void *context, struct execution *e, enum execution_event event, uint64_t number)
{
	struct clock *clock = context;
	int32_t value = 0;

	if (event != EXECUTION_BEGINS)
		return;
	memory_read(execution_memory(e), clock->address, sizeof(value), (uint8_t *)&value);
	assert_int_equal(number, clock->values.size + 1);
	*vec_push(&clock->values) = value;
}

static struct clock decode(struct lab *lab)
{
	struct clock clock = {.address = lab_address(lab, "now")};
	struct execution_options options = {
		.table = decoded_models, .begins = true, .statement = hear, .context = &clock};
	struct execution *e;

	lab_must(execution_create(lab->modules, lab->run.folder, 0, &options, &e));
	lab_must(execution_run(e, NULL));
	execution_destroy(e);
	return clock;
}

/* Each point of a run with callbacks, recursion and jumps is the one that is meant: the clock says
   so, and the run goes on as it was. */
static void test_every_point(void **state)
{
	struct lab lab = lab_open(clock_source);
	struct reading reading = {.size = 4};
	struct clock clock;

	lab_start(&lab);
	clock = decode(&lab);
	reading.address = clock.address;
	assert_int_equal(clock.values.size, lab.points.size);
	assert_true(lab.points.size > 200);
	for (uint32_t i = 0; i < lab.points.size; i++) {
		struct stop stop = lab_stop(&lab.points.at[i]);
		struct experiment_result result;

		stop.readings = &reading;
		stop.reading_count = 1;
		result = lab_run(&lab, &lab.points.at[i], &stop, 1);
		assert_int_equal(int_at(&result, 0, 0), clock.values.at[i]);
		assert_true(result.stops.at[0].printed <= lab.recorded.output.length);
		assert_string_equal(str_text(&result.run.output), str_text(&lab.recorded.output));
		experiment_result_deinit(&result);
	}
	vec_deinit(&clock.values);
	lab_close(&lab);
}

/* Bytes that were printed and those still in the buffer, at each round: the first two lines, then
   four for each number. */
static void test_printed(void **state)
{
	struct lab lab = lab_open(clock_source);
	uint64_t before = 0;
	char *end;

	lab_start(&lab);
	end = strstr(lab.recorded.output.text, "100,");
	before = (uint64_t)(end - lab.recorded.output.text);
	for (uint32_t i = 1; i <= 20; i++) {
		const struct point *point = lab_point(&lab, "round", i);
		struct stop stop = lab_stop(point);
		struct experiment_result result = lab_run(&lab, point, &stop, 1);

		assert_int_equal(result.stops.at[0].printed, before + 4 * (i - 1));
		experiment_result_deinit(&result);
	}
	lab_close(&lab);
}

static const char branches[] =
	"#include <ctype.h>\n"
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"static const char *name(int n)\n"
	"{\n"
	"	switch (n) { /* switch */\n"
	"	case 1: return \"one\";\n"
	"	case 2: return \"two\";\n"
	"	case 1000000: return \"many\";\n"
	"	default: return \"some\";\n"
	"	}\n"
	"}\n"
	"static int order;\n"
	"static void nest(int n);\n"
	"static int visit(const void *a, const void *b)\n"
	"{\n"
	"	nest(*(const int *)a - 1);\n"
	"	return 0;\n"
	"}\n"
	"static void nest(int n)\n"
	"{\n"
	"	void *found;\n"
	"	if (!n)\n"
	"		return;\n"
	"	found = bsearch(&n, &n, 1, 4, visit); /* search */\n"
	"	order = 10 * order + (found ? 1 : 2);\n"
	"}\n"
	"int main(void)\n"
	"{\n"
	"	int odd = 0, even = 0, i;\n"
	"	printf(\"i=%p\\n\", (void *)&i);\n"
	"	for (i = 0; i < 6; i++) { /* head */\n"
	"		if (i % 2) /* if */\n"
	"			odd += i;\n"
	"		else\n"
	"			even += i;\n"
	"	}\n"
	"	int digit = atoi(\"5\"); /* call */\n"
	"	nest(3);\n"
	"	printf(\"%d %d %s %s %d %d\\n\", odd, even, name(2), name(i), digit, order);\n"
	"	return 0;\n"
	"}\n";

static struct experiment_result forced(struct lab *lab, const char *mark, uint32_t nth,
                                       enum force force, uint64_t outcome)
{
	const struct point *point = lab_point(lab, mark, nth);
	struct stop stop = lab_stop(point);

	stop.force = force;
	stop.outcome = (uint32_t)outcome;
	stop.value = outcome;
	return lab_run(lab, point, &stop, 1);
}

static void test_branch(void **state)
{
	struct lab lab = lab_open(branches);

	lab_start(&lab);
	assert_string_equal(lab_last_line(&lab.recorded), "9 6 two some 5 111");
	/* The 4th round adds 3 to the other sum. */
	lab_prints(forced(&lab, "if", 4, FORCE_SWITCHED, 0), "6 9 two some 5 111");
	lab_prints(forced(&lab, "if", 5, FORCE_SWITCHED, 0), "13 2 two some 5 111");
	/* Successor 0 is where the condition holds. */
	lab_prints(forced(&lab, "if", 4, FORCE_BRANCH, 0), "9 6 two some 5 111");
	lab_prints(forced(&lab, "if", 4, FORCE_BRANCH, 1), "6 9 two some 5 111");
	lab_close(&lab);
}

static void test_switch(void **state)
{
	struct lab lab = lab_open(branches);
	static const char *const names[] = {"some", "one", "two", "many"};
	char line[64];

	lab_start(&lab);
	/* Arguments are evaluated from the left: the first call of name() is that of 2. Successor 0 of a
	   switch is its default. */
	for (uint32_t i = 0; i < 4; i++) {
		snprintf(line, sizeof(line), "9 6 %s some 5 111", names[i]);
		lab_prints(forced(&lab, "switch", 1, FORCE_BRANCH, i), line);
		snprintf(line, sizeof(line), "9 6 two %s 5 111", names[i]);
		lab_prints(forced(&lab, "switch", 2, FORCE_BRANCH, i), line);
	}
	lab_close(&lab);
}

static void test_result(void **state)
{
	struct lab lab = lab_open(branches);

	lab_start(&lab);
	lab_prints(forced(&lab, "call", 1, FORCE_RESULT, 77), "9 6 two some 77 111");
	/* Calls of the same statement come between: the first one returns last. */
	lab_prints(forced(&lab, "search", 1, FORCE_RESULT, 0), "9 6 two some 5 112");
	lab_prints(forced(&lab, "search", 2, FORCE_RESULT, 0), "9 6 two some 5 121");
	lab_prints(forced(&lab, "search", 3, FORCE_RESULT, 0), "9 6 two some 5 211");
	lab_close(&lab);
}

/* Several stops: all but the first are counted from there. */
static void test_several(void **state)
{
	struct lab lab = lab_open(branches);
	const struct point *first, *head, *branch;
	struct reading reading = {.size = 4};
	int big = 4;
	struct change change = {.size = 4, .bytes = (uint8_t *)&big};
	struct stop stops[4];
	struct experiment_result result;

	lab_start(&lab);
	reading.address = change.address = lab_address(&lab, "i");
	first = lab_point(&lab, "if", 2);
	branch = first;
	head = lab_point(&lab, "head", 1);
	stops[0] = lab_stop(first);
	stops[1] = lab_stop(branch);
	stops[1].count = 1;
	stops[1].changes = &change;
	stops[1].change_count = 1;
	stops[2] = stops[1];
	stops[2].changes = NULL;
	stops[2].change_count = 0;
	stops[2].count = 2;
	stops[3] = stops[2];
	stops[3].count = 3;
	for (int i = 0; i < 4; i++) {
		stops[i].readings = &reading;
		stops[i].reading_count = 1;
	}
	result = lab_run(&lab, first, stops, 4);
	/* i is 1 at the first; the next is 2, but 4 after the change; then 5, and no more. */
	assert_int_equal(int_at(&result, 0, 0), 1);
	assert_int_equal(int_at(&result, 1, 0), 4);
	assert_int_equal(int_at(&result, 2, 0), 5);
	assert_false(result.stops.at[3].reached);
	/* All are in main. */
	assert_int_equal(result.stops.at[0].stack, result.stops.at[2].stack);
	lab_prints(result, "6 4 two some 5 111");
	assert_true(head->time < first->time);
	lab_close(&lab);
}

/* What is known must be there. */
static void test_known(void **state)
{
	struct lab lab = lab_open(branches);
	const struct point *point;
	struct stop stop;
	int is = 3;
	struct known known = {.size = 4, .bytes = (uint8_t *)&is};
	struct experiment experiment = {.stops = &stop, .stop_count = 1, .known_count = 1};
	struct experiment_result result;

	lab_start(&lab);
	point = lab_point(&lab, "if", 4);
	stop = lab_stop(point);
	known.address = lab_address(&lab, "i");
	experiment.time = point->time;
	experiment.known = &known;
	lab_must(experiments_run(lab.pool, &experiment, &result));
	lab_prints(result, "9 6 two some 5 111");
	is = 2;
	lab_must(experiments_run(lab.pool, &experiment, &result));
	assert_true(result.diverged);
	experiment_result_deinit(&result);
	/* A point that the run does not have. */
	is = 3;
	stop.count = 7;
	lab_must(experiments_run(lab.pool, &experiment, &result));
	assert_true(result.diverged);
	assert_false(result.stops.at[0].reached);
	experiment_result_deinit(&result);
	lab_close(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_point), cmocka_unit_test(test_printed),
		cmocka_unit_test(test_branch),      cmocka_unit_test(test_switch),
		cmocka_unit_test(test_result),      cmocka_unit_test(test_several),
		cmocka_unit_test(test_known),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
