/* The angelic check: which causes of a tree make the failing run pass when they are changed. */
#include "experiment_run.h"

#include "methods/angelic.h"

struct case_ {
	struct lab lab;
	struct str expected;
	struct oracle_options oracle_options;
	struct oracle oracle;
	struct walk_place death;
	struct tree_options options;
	const struct budget *budget;
	struct tree tree;
	struct angelic_counts counts;
};

/* Builds, records and makes the tree; `expected` NULL: not known. */
static void case_open(struct case_ *c, const char *source, const char *expected, uint32_t workers)
{
	const struct outcome *outcome = &c->lab.recorded.outcome;
	struct violation_question question = {.outcome = outcome,
	                                      .output = &c->lab.recorded.output};

	*c = (struct case_){.lab = lab_open(source), .options = {.levels = 4}};
	c->lab.options.trials.workers = workers;
	lab_start(&c->lab);
	if (expected) {
		str_add(&c->expected, expected);
		c->oracle_options.expected = &c->expected;
		question.expected = expected;
		question.expected_size = strlen(expected);
	}
	assert_true(oracle_create(&c->oracle_options, &c->lab.recorded, &c->oracle));
	if (outcome->kind == OUTCOME_SIGNALLED) {
		c->death = (struct walk_place){.function = outcome->place.function,
		                               .line = (unsigned)outcome->place.line,
		                               .column = (unsigned)outcome->place.column};
		c->lab.run.death = &c->death;
	}
	lab_must(tree_build(&c->lab.run, &question, &c->options, &c->tree));
	lab_must(tree_describe(&c->tree));
}

static void case_check(struct case_ *c, const struct angelic_options *options)
{
	const struct comparison run = {.runs = {[true] = {&c->lab.run, &c->lab.recorded}},
	                               .pools = {[true] = c->lab.pool},
	                               .oracle = &c->oracle,
	                               .budget = c->budget};

	lab_must(angelic_check(&run, options, &c->tree, &c->counts));
}

static void case_close(struct case_ *c)
{
	tree_deinit(&c->tree);
	oracle_deinit(&c->oracle);
	str_deinit(&c->expected);
	lab_close(&c->lab);
}

/* The experiment on the marked line that gave the variable or condition this value; NULL: there is none. */
static const struct tree_proof *find(const struct case_ *c, const char *mark, const char *changed,
                                     const char *to)
{
	unsigned line = lab_marked(&c->lab, mark);

	for (uint32_t i = 0; i < c->tree.nodes.size; i++)
		for (uint32_t k = 0; k < c->tree.nodes.at[i].proofs.size; k++) {
			const struct tree_proof *p = &c->tree.nodes.at[i].proofs.at[k];

			if (p->line == line && !strcmp(p->changed, changed) && !strcmp(p->to, to))
				return p;
		}
	return NULL;
}

static const struct tree_proof *must_find(const struct case_ *c, const char *mark,
                                          const char *changed, const char *to)
{
	const struct tree_proof *proof = find(c, mark, changed, to);

	if (!proof)
		fail_msg("there is no experiment %s = %s at %s", changed, to, mark);
	return proof;
}

/* It makes the run pass, and was changed before that point. */
static void check_counts(const struct case_ *c, const char *mark, const char *changed,
                         const char *to, const char *point, uint64_t nth)
{
	const struct tree_proof *p = must_find(c, mark, changed, to);

	assert_int_equal(p->outcome, VERDICT_PASS);
	assert_true(p->counts);
	assert_int_equal(p->point.line, lab_marked(&c->lab, point));
	assert_int_equal(p->point.occurrence, nth);
	assert_string_equal(p->file, "prog.c");
	assert_true(p->experiment && p->experiment <= c->counts.experiments);
}

/* Is a node whose condition is on the marked line proven? */
static bool is_proven(const struct case_ *c, const char *mark)
{
	unsigned line = lab_marked(&c->lab, mark);

	for (uint32_t i = 0; i < c->tree.nodes.size; i++)
		if (c->tree.nodes.at[i].line == line)
			return c->tree.nodes.at[i].proven;
	fail_msg("no node at %s", mark);
	return false;
}

/* The branch should not be taken: b stays 1, so n is 1 and r is 2. */
static const char twice[] = "#include <stdio.h>\n"
			    "static int twice(int n)\n"
			    "{\n"
			    "	return 2 * n; /* twice */\n"
			    "}\n"
			    "int main(void)\n"
			    "{\n"
			    "	int a = 4, b = 1, r;\n"
			    "	if (a > 3) /* if */\n"
			    "		b = 7; /* b */\n"
			    "	r = twice(b); /* r */\n"
			    "	printf(\"%d\\n\", r); /* print */\n"
			    "	return 0;\n"
			    "}\n";

static void test_values(void **state)
{
	const struct angelic_options options = {0};
	struct case_ c;

	case_open(&c, twice, "2\n", 1);
	case_check(&c, &options);
	check_counts(&c, "r", "r", "2", "print", 1);
	check_counts(&c, "twice", "n", "1", "twice", 1);
	check_counts(&c, "b", "b", "1", "r", 1);
	check_counts(&c, "if", "a > 3", "false", "if", 1);
	assert_string_equal(must_find(&c, "r", "r", "2")->from, "14");
	assert_string_equal(must_find(&c, "if", "a > 3", "false")->from, "true");
	assert_true(must_find(&c, "if", "a > 3", "false")->branch);
	assert_true(is_proven(&c, "print"));
	assert_true(is_proven(&c, "if"));
	assert_true(c.tree.nodes.at[0].tried);
	assert_false(c.counts.stopped);
	case_close(&c);
}

static void add_proofs(const struct case_ *c, struct str *out)
{
	for (uint32_t i = 0; i < c->tree.nodes.size; i++)
		for (uint32_t k = 0; k < c->tree.nodes.at[i].proofs.size; k++) {
			const struct tree_proof *p = &c->tree.nodes.at[i].proofs.at[k];

			str_printf(out, "%u %u %s %s %d %d\n", i, (unsigned)p->experiment,
			           p->changed, p->to, p->outcome, p->counts);
		}
}

static void test_workers(void **state)
{
	const struct angelic_options options = {0};
	struct str results[2] = {STR_INIT, STR_INIT};
	struct case_ c;

	for (uint32_t i = 0; i < 2; i++) {
		case_open(&c, twice, "2\n", 1 + 2 * i);
		case_check(&c, &options);
		add_proofs(&c, &results[i]);
		case_close(&c);
	}
	assert_true(results[0].length > 0);
	assert_string_equal(str_text(&results[0]), str_text(&results[1]));
	str_deinit(&results[0]);
	str_deinit(&results[1]);
}

/* Of a switch each way is tried, by the branch and by the value. */
static const char cases[] = "#include <stdio.h>\n"
			    "enum kind { NONE, SMALL, LARGE };\n"
			    "int main(void)\n"
			    "{\n"
			    "	enum kind kind = NONE;\n"
			    "	int price = 0, size = 12;\n"
			    "	if (size > 10) /* if */\n"
			    "		kind = SMALL; /* kind */\n"
			    "	switch (kind) { /* switch */\n"
			    "	case SMALL: price = 5; break;\n"
			    "	case LARGE: price = 9; break;\n"
			    "	default: price = 1;\n"
			    "	}\n"
			    "	printf(\"%d\\n\", price);\n"
			    "	return 0;\n"
			    "}\n";

static void test_switch(void **state)
{
	const struct angelic_options options = {0};
	struct case_ c;

	case_open(&c, cases, "9\n", 2);
	case_check(&c, &options);
	check_counts(&c, "switch", "kind", "case LARGE", "switch", 1);
	check_counts(&c, "kind", "kind", "LARGE", "switch", 1);
	assert_false(must_find(&c, "switch", "kind", "default")->counts);
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

static void test_early(void **state)
{
	const struct angelic_options options = {0};
	const struct tree_proof *usage;
	struct case_ c;

	case_open(&c, crash, NULL, 1);
	case_check(&c, &options);
	check_counts(&c, "set", "argc > 1", "true", "set", 1);
	usage = must_find(&c, "usage", "argc > 5", "true");
	assert_int_equal(usage->outcome, VERDICT_PASS);
	assert_false(usage->counts);
	assert_false(is_proven(&c, "usage"));
	case_close(&c);
}

/* Without the check nothing is aborted, but the total is still wrong: only changes of the total count, and not that the
   check is inverted, or left out. */
static const char checked[] = "#include <stdio.h>\n"
			      "#include <stdlib.h>\n"
			      "int main(void)\n"
			      "{\n"
			      "	int total = 0, careful = 1;\n"
			      "	total = 5; /* total */\n"
			      "	if (careful) /* guard */\n"
			      "		if (total != 4) /* check */\n"
			      "			abort();\n"
			      "	puts(\"fine\");\n"
			      "	return 0;\n"
			      "}\n";

static void test_check(void **state)
{
	const struct angelic_options options = {0};
	const struct tree_proof *check, *guard;
	struct case_ c;

	case_open(&c, checked, NULL, 1);
	case_check(&c, &options);
	check = must_find(&c, "check", "total != 4", "false");
	guard = must_find(&c, "guard", "careful != 0", "false");
	assert_int_equal(check->outcome, VERDICT_PASS);
	assert_true(check->avoids);
	assert_false(check->counts);
	assert_int_equal(guard->outcome, VERDICT_PASS);
	assert_true(guard->avoids);
	assert_false(guard->counts);
	assert_false(is_proven(&c, "guard"));
	check_counts(&c, "total", "total", "4", "guard", 1);
	case_close(&c);
	/* If somebody says that this output is right, it is the check that is wrong. */
	case_open(&c, checked, "fine\n", 1);
	case_check(&c, &options);
	assert_true(must_find(&c, "check", "total != 4", "false")->counts);
	case_close(&c);
}

/* Only the bits of the field are changed: its neighbours stay. */
static const char fields[] = "#include <stdio.h>\n"
			     "struct flags {\n"
			     "	unsigned low : 3, middle : 5, high : 8;\n"
			     "};\n"
			     "int main(void)\n"
			     "{\n"
			     "	struct flags f = {0};\n"
			     "	f.low = 5;\n"
			     "	f.high = 99;\n"
			     "	f.middle = 17; /* middle */\n"
			     "	printf(\"%u \", f.middle); /* print */\n"
			     "	printf(\"%u %u\\n\", f.low, f.high);\n"
			     "	return 0;\n"
			     "}\n";

static void test_bits(void **state)
{
	const struct angelic_options options = {0};
	struct case_ c;

	case_open(&c, fields, "18 5 99\n", 1);
	case_check(&c, &options);
	check_counts(&c, "middle", "f.middle", "18", "print", 1);
	case_close(&c);
}

/* Of the same store, two values that pass are enough, and of those that fail a few of a node. */
static void test_tidy(void **state)
{
	const struct angelic_options options = {0};
	struct case_ c;

	case_open(&c, twice, "2\n", 1);
	case_check(&c, &options);
	for (uint32_t i = 0; i < c.tree.nodes.size; i++) {
		const struct tree_node *node = &c.tree.nodes.at[i];
		uint32_t failing = 0;

		for (uint32_t k = 0; k < node->proofs.size; k++) {
			const struct tree_proof *p = &node->proofs.at[k];

			failing += !p->counts;
			assert_false(k && p->counts && !p[-1].counts);
			assert_false(k > 1 && p->counts && p[-1].instance == p->instance &&
			             p[-2].instance == p->instance);
		}
		assert_true(failing <= 4);
	}
	/* a may be any number up to 3. */
	assert_int_equal(c.tree.nodes.at[1].proofs.size, 3);
	assert_true(c.tree.nodes.at[1].proofs.at[0].branch);
	case_close(&c);
}

/* Of many rounds, some are tried. Round 3 is the one that should have been left out. */
static const char rounds[] = "#include <stdio.h>\n"
			     "int main(void)\n"
			     "{\n"
			     "	int i = 0, sum = 0;\n"
			     "	while (i <= 3) { /* loop */\n"
			     "		sum += i;\n"
			     "		i++;\n"
			     "	}\n"
			     "	printf(\"%d\\n\", sum);\n"
			     "	return 0;\n"
			     "}\n";

static void test_rounds(void **state)
{
	const struct angelic_options options = {0};
	struct case_ c;

	case_open(&c, rounds, "3\n", 2);
	case_check(&c, &options);
	check_counts(&c, "loop", "i <= 3", "false", "loop", 4);
	case_close(&c);
}

static void test_limits(void **state)
{
	const struct angelic_options options = {.most = 2, .total = 3};
	struct case_ c;

	case_open(&c, twice, "2\n", 1);
	case_check(&c, &options);
	assert_int_equal(c.counts.experiments, 3);
	case_close(&c);
}

static bool at_once(void *context)
{
	return true;
}

static void test_stopped(void **state)
{
	const struct budget budget = {.ended = at_once};
	const struct angelic_options options = {0};
	struct case_ c;

	case_open(&c, twice, "2\n", 1);
	c.budget = &budget;
	case_check(&c, &options);
	assert_true(c.counts.stopped);
	assert_int_equal(c.counts.proven, 0);
	assert_false(c.tree.nodes.at[0].tried);
	case_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),  cmocka_unit_test(test_workers),
		cmocka_unit_test(test_switch),  cmocka_unit_test(test_early),
		cmocka_unit_test(test_check),   cmocka_unit_test(test_bits),
		cmocka_unit_test(test_rounds),  cmocka_unit_test(test_limits),
		cmocka_unit_test(test_stopped), cmocka_unit_test(test_tidy),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
