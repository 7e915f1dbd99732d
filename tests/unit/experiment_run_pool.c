/* Many experiments at once, snapshots within a budget, and programs that are built in other ways. */
#include "experiment_run.h"

static const char sum[] = "#include <stdio.h>\n"
			  "#include <unistd.h>\n"
			  "int main(void)\n"
			  "{\n"
			  "	int i, total = 0;\n"
			  "	printf(\"total=%p\\n\", (void *)&total);\n"
			  "	for (i = 0; i < 100; i++)\n"
			  "		total += i; /* loop */\n"
			  "	while (total == 77)\n"
			  "		pause();\n"
			  "	printf(\"%d\\n\", total); /* print */\n"
			  "	return 0;\n"
			  "}\n";

/* At the nth round, total becomes 0: what comes then is 4950 without what was there before. */
struct one {
	int zero;
	struct change change;
	struct stop stop;
	struct experiment experiment;
};

static void make(struct lab *lab, uint32_t nth, struct one *one)
{
	const struct point *point = lab_point(lab, "loop", nth);

	*one = (struct one){.change = {.address = lab_address(lab, "total"), .size = 4}};
	one->change.bytes = (uint8_t *)&one->zero;
	one->stop = lab_stop(point);
	one->stop.changes = &one->change;
	one->stop.change_count = 1;
	one->experiment =
		(struct experiment){.time = point->time, .stops = &one->stop, .stop_count = 1};
}

static void expect(struct experiment_result *result, uint64_t nth)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", 4950 - (int)((nth - 1) * (nth - 2) / 2));
	lab_prints(*result, text);
}

static void test_batch(void **state)
{
	struct lab lab = lab_open(sum);
	uint32_t started = 0, ended = 0;
	bool seen[101] = {false};
	struct one one;

	lab.options.trials.workers = 3;
	lab_start(&lab);
	while (ended < 100) {
		struct experiment_result result;
		uint64_t id;

		while (started < 100 && experiments_ready(lab.pool)) {
			make(&lab, ++started, &one);
			lab_must(experiments_start(lab.pool, &one.experiment, started));
		}
		lab_must(experiments_wait(lab.pool, &id, &result));
		assert_true(id >= 1 && id <= 100 && !seen[id]);
		seen[id] = true;
		expect(&result, id);
		ended++;
	}
	assert_int_equal(experiments_counts(lab.pool).experiments, 100);
	assert_int_equal(experiments_counts(lab.pool).snapshots, 100);
	assert_int_equal(experiments_counts(lab.pool).executed, 0);
	lab_close(&lab);
}

/* A budget of one byte has room for one snapshot at a time; they are made again. */
static void test_budget(void **state)
{
	struct lab lab = lab_open(sum);
	static const uint32_t order[] = {50, 50, 20, 50, 90, 20, 90, 90};
	struct one one;

	lab.options.memory = 1;
	lab_start(&lab);
	for (uint32_t i = 0; i < 8; i++) {
		struct experiment_result result;

		make(&lab, order[i], &one);
		lab_must(experiments_run(lab.pool, &one.experiment, &result));
		expect(&result, order[i]);
	}
	assert_int_equal(experiments_counts(lab.pool).snapshots, 6);
	lab_close(&lab);
}

static void test_cancel(void **state)
{
	struct lab lab = lab_open(sum);
	struct experiment_result result;
	struct one endless, other;
	bool ended = true;
	uint64_t id;

	lab.options.trials.timeout = 60;
	lab.options.trials.workers = 2;
	lab_start(&lab);
	make(&lab, 1, &endless);
	endless.zero = 77 - 4950;
	lab_must(experiments_start(lab.pool, &endless.experiment, 1));
	make(&lab, 10, &other);
	lab_must(experiments_start(lab.pool, &other.experiment, 2));
	assert_false(experiments_ready(lab.pool));
	lab_must(experiments_wait(lab.pool, &id, &result));
	assert_int_equal(id, 2);
	expect(&result, 10);
	lab_must(experiments_poll(lab.pool, 0.2, &ended));
	assert_false(ended);
	experiments_cancel(lab.pool, 1);
	/* Both workers are there again. */
	for (uint32_t i = 1; i <= 20; i++) {
		make(&lab, i, &other);
		lab_must(experiments_run(lab.pool, &other.experiment, &result));
		expect(&result, i);
	}
	lab_close(&lab);
}

static void test_unconfined(void **state)
{
	struct lab lab = lab_open(sum);
	struct experiment_result result;
	struct one one;

	lab.options.trials.unconfined = true;
	lab_start(&lab);
	assert_non_null(experiments_note(lab.pool));
	assert_non_null(strstr(experiments_note(lab.pool), "not confined"));
	make(&lab, 10, &one);
	lab_must(experiments_run(lab.pool, &one.experiment, &result));
	expect(&result, 10);
	lab_close(&lab);
}

/* --- other builds --- */

static const char library[] =
	"#include <stdio.h>\n"
	"int twice(int n);\n"
	"int twice(int n)\n"
	"{\n"
	"	static int calls;\n"
	"	int result = 2 * n;\n"
	"	if (++calls == 1)\n"
	"		printf(\"result=%p\\ncalls=%p\\n\", (void *)&result, (void *)&calls);\n"
	"	return result; /* back */\n"
	"}\n";

static const char user[] =
	"#include <dlfcn.h>\n"
	"#include <stdio.h>\n"
	"int twice(int);\n"
	"int main(void)\n"
	"{\n"
	"	int n = 1;\n"
	"#ifdef LATE\n"
	"	int (*twice)(int) = dlsym(dlopen(\"./liblib.so\", RTLD_NOW), \"twice\");\n"
	"#endif\n"
	"	for (int i = 0; i < 6; i++)\n"
	"		n = twice(n);\n"
	"	printf(\"%d\\n\", n);\n"
	"	return 0;\n"
	"}\n";

static void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_int_equal(fputs(text, file) >= 0, 1);
	fclose(file);
}

/* The result of some calls is changed; each of those that follow doubles it. */
static void library_works(const char *command)
{
	struct lab lab = {.source = library};

	put("lib.c", library);
	put("user.c", user);
	assert_int_equal(system(command), 0);
	lab_start(&lab);
	assert_string_equal(lab_last_line(&lab.recorded), "64");
	lab_prints(lab_change_int(&lab, lab_point(&lab, "back", 1), "result", 1), "32");
	lab_prints(lab_change_int(&lab, lab_point(&lab, "back", 6), "result", 1), "1");
	lab_prints(lab_change_int(&lab, lab_point(&lab, "back", 4), "result", 0), "0");
	lab_prints(lab_change_int(&lab, lab_point(&lab, "back", 4), "result", 2), "8");
	lab_close(&lab);
	unlink("lib.c");
	unlink("user.c");
	unlink("liblib.so");
}

static void test_linked(void **state)
{
	library_works("$HENCE_CC -w lib.c user.c -o prog");
}

static void test_shared(void **state)
{
	library_works("$HENCE_CC -w -fPIC -shared lib.c -o liblib.so && "
	              "$HENCE_CC -w user.c -L. -llib -Wl,-rpath,$PWD -o prog");
}

static void test_loaded(void **state)
{
	library_works("$HENCE_CC -w -fPIC -shared lib.c -o liblib.so && "
	              "$HENCE_CC -w -DLATE user.c -o prog");
}

static void test_low(void **state)
{
	library_works("$HENCE_CC -w -no-pie -fno-pie lib.c user.c -o prog");
}

static void test_static(void **state)
{
	library_works("$HENCE_CC -w -static lib.c user.c -o prog 2>/dev/null");
}

static void test_optimised(void **state)
{
	library_works(
		"$HENCE_CC -w -O2 -ffunction-sections -Wl,--gc-sections lib.c user.c -o prog");
}

/* A library that the changed run does not load: a stop in it is not reached. */
static void test_not_loaded(void **state)
{
	static const char text[] = "#include <dlfcn.h>\n"
				   "#include <stdio.h>\n"
				   "int main(void)\n"
				   "{\n"
				   "	int n = 1;\n"
				   "	printf(\"n=%p\\n\", (void *)&n);\n"
				   "	if (n == 1) { /* if */\n"
				   "		int (*twice)(int) = dlsym(dlopen(\"./liblib.so\", "
				   "RTLD_NOW), \"twice\");\n"
				   "		n = twice(n);\n"
				   "	}\n"
				   "	printf(\"%d\\n\", n);\n"
				   "	return 0;\n"
				   "}\n";
	struct lab lab = {.source = text};
	int other = 5;
	struct change change = {.size = 4, .bytes = (uint8_t *)&other};
	const struct point *first;
	struct stop stops[2];
	struct experiment_result result;

	put("lib.c", library);
	put("prog.c", text);
	assert_int_equal(system("$HENCE_CC -w -fPIC -shared lib.c -o liblib.so && "
	                        "$HENCE_CC -w prog.c -o prog"),
	                 0);
	lab_start(&lab);
	change.address = lab_address(&lab, "n");
	first = lab_point(&lab, "if", 1);
	stops[0] = lab_stop(first);
	lab.source = library;
	stops[1] = lab_stop(lab_point(&lab, "back", 1));
	result = lab_run(&lab, first, stops, 2);
	assert_true(result.stops.at[1].reached);
	lab_prints(result, "2");
	stops[0].changes = &change;
	stops[0].change_count = 1;
	result = lab_run(&lab, first, stops, 2);
	assert_false(result.stops.at[1].reached);
	lab_prints(result, "5");
	lab_close(&lab);
	unlink("lib.c");
	unlink("liblib.so");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_batch),      cmocka_unit_test(test_budget),
		cmocka_unit_test(test_cancel),     cmocka_unit_test(test_unconfined),
		cmocka_unit_test(test_linked),     cmocka_unit_test(test_shared),
		cmocka_unit_test(test_loaded),     cmocka_unit_test(test_low),
		cmocka_unit_test(test_static),     cmocka_unit_test(test_optimised),
		cmocka_unit_test(test_not_loaded),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
