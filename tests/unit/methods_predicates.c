/* Critical predicates: which branches make a failing run pass. */
#include "experiment_run.h"

#include "methods/predicates.h"

struct case_ {
	struct lab lab;
	struct str expected;
	struct oracle_options oracle_options;
	struct oracle oracle;
	struct walk_place death;
	struct predicates found;
};

/* Builds and records; `expected` NULL: not known. */
static void case_open(struct case_ *c, const char *source, const char *expected, uint32_t workers)
{
	const struct outcome *outcome = &c->lab.recorded.outcome;

	*c = (struct case_){.lab = lab_open(source)};
	c->lab.options.trials.workers = workers;
	lab_start(&c->lab);
	if (expected) {
		str_add(&c->expected, expected);
		c->oracle_options.expected = &c->expected;
	}
	assert_true(oracle_create(&c->oracle_options, &c->lab.recorded, &c->oracle));
	if (outcome->kind != OUTCOME_SIGNALLED)
		return;
	c->death = (struct walk_place){.function = outcome->place.function,
	                               .line = (unsigned)outcome->place.line,
	                               .column = (unsigned)outcome->place.column};
	c->lab.run.death = &c->death;
}

static struct comparison case_run(const struct case_ *c)
{
	return (struct comparison){.runs = {[true] = {&c->lab.run, &c->lab.recorded}},
	                           .pools = {[true] = c->lab.pool},
	                           .oracle = &c->oracle};
}

static void case_find(struct case_ *c, enum predicates_order order, uint32_t most)
{
	const struct comparison run = case_run(c);

	predicates_deinit(&c->found);
	lab_must(predicates_find(&run, order, most, UINT32_MAX, &c->found));
}

static void case_close(struct case_ *c)
{
	predicates_deinit(&c->found);
	oracle_deinit(&c->oracle);
	str_deinit(&c->expected);
	lab_close(&c->lab);
}

/* Predicate `i` is the nth instance on the marked line. */
static void check(const struct case_ *c, uint32_t i, const char *mark, uint64_t nth, uint64_t of,
                  const char *condition, const char *failing, const char *patched)
{
	const struct predicate *p = &c->found.all.at[i];

	assert_true(i < c->found.all.size);
	assert_int_equal(p->line, lab_marked(&c->lab, mark));
	assert_int_equal(p->instance, nth);
	assert_int_equal(p->instances, of);
	assert_string_equal(p->condition, condition);
	assert_string_equal(p->failing, failing);
	assert_string_equal(p->patched, patched);
	assert_string_equal(p->function, "main");
	assert_int_equal(p->patch.time, p->time);
	assert_int_equal(p->patch.count, nth);
}

/* The loop takes one element too many. 6 is right: without round 4. Leaving it earlier is wrong, and so is
   going on. */
static const char bound[] = "#include <stdio.h>\n"
			    "int main(void)\n"
			    "{\n"
			    "	int a[] = {1, 2, 3, 4}, sum = 0, i = 0;\n"
			    "	while (i <= 3) { /* loop */\n"
			    "		sum += a[i];\n"
			    "		i++;\n"
			    "	}\n"
			    "	if (sum > 100) /* other */\n"
			    "		puts(\"much\");\n"
			    "	printf(\"%d\\n\", sum);\n"
			    "	return 0;\n"
			    "}\n";

static void test_bound(void **state)
{
	struct case_ c;

	case_open(&c, bound, "6\n", 1);
	case_find(&c, PREDICATES_NEAREST, 0);
	assert_int_equal(c.found.all.size, 1);
	check(&c, 0, "loop", 4, 5, "i <= 3", "true", "false");
	assert_true(c.found.all.at[0].in_slice);
	assert_true(c.found.all.at[0].exact);
	assert_false(c.found.all.at[0].early);
	assert_false(c.found.stopped);
	/* Five times the loop, once the other. */
	assert_int_equal(c.found.branches, 6);
	assert_int_equal(c.found.experiments, 6);
	case_close(&c);
}

/* Nothing makes it print 7. */
static void test_none(void **state)
{
	struct case_ c;

	case_open(&c, bound, "7\n", 2);
	case_find(&c, PREDICATES_NEAREST, 1);
	assert_int_equal(c.found.all.size, 0);
	assert_int_equal(c.found.experiments, 6);
	case_close(&c);
}

/* Either of two branches mends it: each is found first in its order. */
static const char two[] = "#include <stdio.h>\n"
			  "int main(void)\n"
			  "{\n"
			  "	int x = 1, y = 0, i;\n"
			  "	if (x) /* early */\n"
			  "		y = 5;\n"
			  "	for (i = 0; i < 3; i++)\n"
			  "		x += i;\n"
			  "	if (y == 5) /* late */\n"
			  "		puts(\"bad\");\n"
			  "	else\n"
			  "		puts(\"good\");\n"
			  "	return 0;\n"
			  "}\n";

static void test_orders(void **state)
{
	struct case_ c;

	for (uint32_t workers = 1; workers <= 3; workers += 2) {
		case_open(&c, two, "good\n", workers);
		case_find(&c, PREDICATES_NEAREST, 1);
		assert_int_equal(c.found.all.size, 1);
		check(&c, 0, "late", 1, 1, "y == 5", "true", "false");
		assert_int_equal(c.found.experiments, 1);
		case_find(&c, PREDICATES_FIRST, 1);
		assert_int_equal(c.found.all.size, 1);
		check(&c, 0, "early", 1, 1, "x != 0", "true", "false");
		assert_int_equal(c.found.experiments, 1);
		case_find(&c, PREDICATES_NEAREST, 0);
		assert_int_equal(c.found.all.size, 2);
		check(&c, 0, "late", 1, 1, "y == 5", "true", "false");
		check(&c, 1, "early", 1, 1, "x != 0", "true", "false");
		/* early, late, and the loop four times */
		assert_int_equal(c.found.experiments, 6);
		case_close(&c);
	}
}

/* Three cases lead elsewhere than the one taken, two of them to the same place. */
static const char cases[] = "#include <stdio.h>\n"
			    "int main(void)\n"
			    "{\n"
			    "	int n = 4, r;\n"
			    "	switch (n) { /* switch */\n"
			    "	case 1:\n"
			    "	case 2: r = 12; break;\n"
			    "	case 4: r = 40; break;\n"
			    "	default: r = 0;\n"
			    "	}\n"
			    "	printf(\"%d\\n\", r);\n"
			    "	return 0;\n"
			    "}\n";

static void test_switch(void **state)
{
	struct case_ c;

	case_open(&c, cases, "12\n", 1);
	case_find(&c, PREDICATES_NEAREST, 0);
	assert_int_equal(c.found.all.size, 1);
	check(&c, 0, "switch", 1, 1, "n", "case 4", "case 1");
	assert_int_equal(c.found.branches, 1);
	assert_int_equal(c.found.ways, 2);
	assert_int_equal(c.found.experiments, 2);
	case_close(&c);
	case_open(&c, cases, "0\n", 1);
	case_find(&c, PREDICATES_NEAREST, 0);
	assert_int_equal(c.found.all.size, 1);
	check(&c, 0, "switch", 1, 1, "n", "case 4", "default");
	case_close(&c);
}

/* Nobody said what is right. Leaving at once makes the crash go away, too, but does not do the work. */
static const char crash[] = "#include <stdio.h>\n"
			    "#include <stddef.h>\n"
			    "int main(int argc, char **argv)\n"
			    "{\n"
			    "	int value = 7, *p = NULL;\n"
			    "	if (argc > 5) /* usage */\n"
			    "		return 0;\n"
			    "	printf(\"begin\\n\");\n"
			    "	if (argc > 1) /* set */\n"
			    "		p = &value;\n"
			    "	printf(\"%d\\n\", *p);\n"
			    "	return 0;\n"
			    "}\n";

static void test_crash(void **state)
{
	struct case_ c;

	case_open(&c, crash, NULL, 1);
	case_find(&c, PREDICATES_NEAREST, 0);
	assert_int_equal(c.found.all.size, 2);
	check(&c, 0, "set", 1, 1, "argc > 1", "false", "true");
	assert_false(c.found.all.at[0].early);
	assert_false(c.found.all.at[0].exact);
	/* It was not executed, so no data leads there: by what it could have changed. */
	assert_true(c.found.all.at[0].in_slice);
	check(&c, 1, "usage", 1, 1, "argc > 5", "false", "true");
	assert_true(c.found.all.at[1].early);
	/* It is tried first, but does not count. */
	case_find(&c, PREDICATES_FIRST, 1);
	assert_int_equal(c.found.all.size, 2);
	check(&c, 0, "set", 1, 1, "argc > 1", "false", "true");
	case_close(&c);
}

/* After the first wrong byte nothing can help: the loop behind it is not tried. */
static const char late[] = "#include <stdio.h>\n"
			   "int main(void)\n"
			   "{\n"
			   "	int i, x = 1;\n"
			   "	if (x) /* if */\n"
			   "		x = 2;\n"
			   "	printf(\"%d\\n\", x);\n"
			   "	for (i = 0; i < 50; i++)\n"
			   "		printf(\"%d\\n\", i);\n"
			   "	return 0;\n"
			   "}\n";

static void test_late(void **state)
{
	struct str expected = STR_INIT;
	struct case_ c;

	str_add(&expected, "1\n");
	for (int i = 0; i < 50; i++)
		str_printf(&expected, "%d\n", i);
	case_open(&c, late, str_text(&expected), 1);
	case_find(&c, PREDICATES_NEAREST, 0);
	assert_int_equal(c.found.branches, 1);
	assert_int_equal(c.found.all.size, 1);
	check(&c, 0, "if", 1, 1, "x != 0", "true", "false");
	case_close(&c);
	str_deinit(&expected);
}

/* Of a thousand instances the one that matters is in the middle: a few others come first, but it comes. */
static const char many[] = "#include <stdio.h>\n"
			   "int main(void)\n"
			   "{\n"
			   "	int i = 0, hits = 0;\n"
			   "	while (i < 1000) {\n"
			   "		if (i == 337) /* if */\n"
			   "			hits++;\n"
			   "		i++;\n"
			   "	}\n"
			   "	printf(\"%d\\n\", hits);\n"
			   "	return 0;\n"
			   "}\n";

static void test_many(void **state)
{
	struct case_ c;

	case_open(&c, many, "0\n", 2);
	/* Or the loop ends before, at any of the first 338 tests of i < 1000. */
	case_find(&c, PREDICATES_NEAREST, 0);
	assert_int_equal(c.found.branches, 2001);
	assert_int_equal(c.found.experiments, 2001);
	assert_int_equal(c.found.all.size, 339);
	case_find(&c, PREDICATES_FIRST, 1);
	assert_int_equal(c.found.all.size, 1);
	assert_int_equal(c.found.all.at[0].instance, 1);
	assert_int_equal(c.found.experiments, 1);
	case_close(&c);
}

/* Without the check of the total nothing is aborted either, but the total is still wrong. */
static const char checked[] = "#include <stdio.h>\n"
			      "#include <stdlib.h>\n"
			      "static void demand(int holds)\n"
			      "{\n"
			      "	if (!holds) abort(); /* demand */\n"
			      "}\n"
			      "int main(void)\n"
			      "{\n"
			      "	int i = 0, total = 0;\n"
			      "	while (i <= 3) { /* loop */\n"
			      "		total += i;\n"
			      "		i++;\n"
			      "	}\n"
			      "	demand(total == 3);\n"
			      "	puts(\"fine\");\n"
			      "	return 0;\n"
			      "}\n";

static void test_check(void **state)
{
	const struct predicate *last;
	struct case_ c;

	case_open(&c, checked, NULL, 1);
	case_find(&c, PREDICATES_NEAREST, 0);
	assert_int_equal(c.found.all.size, 2);
	check(&c, 0, "loop", 4, 5, "i <= 3", "true", "false");
	assert_false(c.found.all.at[0].check);
	last = &c.found.all.at[1];
	assert_int_equal(last->line, lab_marked(&c.lab, "demand"));
	assert_true(last->check);
	/* The nearest is the check, but one that counts is wanted. */
	case_find(&c, PREDICATES_NEAREST, 1);
	check(&c, 0, "loop", 4, 5, "i <= 3", "true", "false");
	case_close(&c);
	/* If somebody says that this output is right, it is the check that is wrong. */
	case_open(&c, checked, "fine\n", 1);
	case_find(&c, PREDICATES_NEAREST, 1);
	assert_int_equal(c.found.all.size, 1);
	assert_int_equal(c.found.all.at[0].line, lab_marked(&c.lab, "demand"));
	assert_false(c.found.all.at[0].check);
	case_close(&c);
}

static bool at_once(void *context)
{
	return true;
}

static void test_stopped(void **state)
{
	const struct budget budget = {.ended = at_once};
	struct comparison run;
	struct case_ c;

	case_open(&c, many, "0\n", 2);
	run = case_run(&c);
	run.budget = &budget;
	lab_must(predicates_find(&run, PREDICATES_NEAREST, 0, UINT32_MAX, &c.found));
	assert_true(c.found.stopped);
	assert_true(c.found.experiments < 10);
	case_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bound),  cmocka_unit_test(test_none),
		cmocka_unit_test(test_orders), cmocka_unit_test(test_switch),
		cmocka_unit_test(test_crash),  cmocka_unit_test(test_late),
		cmocka_unit_test(test_many),   cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_check),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
