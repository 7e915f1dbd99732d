/* From what a method found to steps, suspects and a verdict. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "causes/explain.h"

/* --- a chain by hand: texts are constants, so nothing of it is freed --- */

#define MOST 4

struct chain {
	struct transition_point points[MOST];
	struct transition_variable variables[MOST];
	struct proof proofs[MOST][2];
	struct transitions transitions;
};

/* A point at a line, with a variable; proven in both runs. */
static struct transition_point *add(struct chain *c, unsigned line, char *name, char *failing,
                                    char *reference)
{
	uint32_t n = c->transitions.points.size++;
	struct transition_point *p = &c->points[n];

	c->variables[n] = (struct transition_variable){name, failing, reference, NULL};
	c->proofs[n][0] = (struct proof){.experiment = 2 * n + 1,
	                                 .changed = name,
	                                 .from = failing,
	                                 .to = reference,
	                                 .in_failing = true,
	                                 .outcome = VERDICT_PASS};
	c->proofs[n][1] = (struct proof){.experiment = 2 * n + 2,
	                                 .changed = name,
	                                 .from = reference,
	                                 .to = failing,
	                                 .outcome = VERDICT_FAIL};
	*p = (struct transition_point){.file = "s.c",
	                               .line = line,
	                               .column = 2,
	                               .function = "sort",
	                               .failing_time = n + 1,
	                               .reference_time = n + 1,
	                               .proven = true};
	p->variables.at = &c->variables[n];
	p->proofs.at = c->proofs[n];
	p->variables.size = 1;
	p->proofs.size = 2;
	c->transitions.points.at = c->points;
	return p;
}

/* The statement at `line` has made the point's variables the cause. */
static void make_direct(struct transition_point *p, unsigned line, char *statement)
{
	p->direct = true;
	p->cause_file = "s.c";
	p->cause_line = line;
	p->cause_column = 3;
	p->statement = statement;
}

/* The published chain: argc, then a[2] at the call, v, a[0]. */
static void make(struct chain *c)
{
	struct transition_point *p;

	*c = (struct chain){0};
	p = add(c, 28, "argc", "3", "4");
	p->begins = true;
	p->function = "main";
	p = add(c, 35, "a[2]", "0", "7");
	p->callee = "sort";
	p->function = "main";
	make_direct(p, 32, "i < argc - 1 is false");
	make_direct(add(c, 18, "v", "0", "7"), 17, "v = a[2]");
	make_direct(add(c, 15, "a[0]", "0", "7"), 21, "a[0] = v");
}

static void add_end(struct explanation *e)
{
	const struct oracle oracle = {.failure.kind = FAILURE_OUTPUT};
	struct symptom symptom = {.kind = SYMPTOM_OUTPUT, .file = "s.c", .line = 38};

	str_add(&symptom.what, "the program prints 0");
	str_add(&symptom.reference, "7");
	explain_add_symptom(&symptom, &oracle, NULL, e);
	str_deinit(&symptom.what);
	str_deinit(&symptom.reference);
}

/* --- steps --- */

static void test_steps(void **state)
{
	struct explanation e = {0};
	struct chain c;

	make(&c);
	explain_add_transitions(&c.transitions, NULL, &e);
	add_end(&e);
	assert_int_equal(e.steps.size, 5);
	assert_string_equal(e.steps.at[0].when, "main() starts");
	assert_false(e.steps.at[0].transition);
	assert_null(e.steps.at[0].cause.file);
	assert_string_equal(e.steps.at[1].when, "sort() is called");
	assert_int_equal(e.steps.at[1].at.line, 35);
	assert_int_equal(e.steps.at[1].cause.line, 32);
	assert_null(e.steps.at[2].when);
	assert_true(e.steps.at[2].transition);
	assert_string_equal(e.steps.at[2].statement, "v = a[2]");
	assert_string_equal(e.steps.at[2].values.at[0].failing, "0");
	assert_string_equal(e.steps.at[2].proofs.at[0].in, "failing");
	assert_string_equal(e.steps.at[2].proofs.at[0].outcome, "pass");
	assert_string_equal(e.steps.at[2].proofs.at[1].in, "reference");
	assert_string_equal(e.steps.at[2].proofs.at[1].outcome, "fail");
	assert_string_equal(e.steps.at[4].kind, "output");
	assert_true(e.steps.at[4].observed);
	assert_int_equal(e.failure.at.line, 38);
	explain_verdict(false, &e);
	assert_string_equal(e.verdict, "explained");
	explain_verdict(true, &e);
	assert_string_equal(e.verdict, "incomplete");
	explanation_deinit(&e);
}

static void test_unproven(void **state)
{
	struct explanation e = {0};
	struct chain c = {0};

	add(&c, 28, "argc", "3", "4")->proven = false;
	explain_add_transitions(&c.transitions, NULL, &e);
	add_end(&e);
	explain_verdict(false, &e);
	assert_string_equal(e.verdict, "unproven");
	explanation_deinit(&e);
}

/* Where the cause is another one than at the last point that has one. */
static void test_points(void **state)
{
	struct explanation e = {0};
	struct chain c = {0};

	add(&c, 1, "n", "1", "2");
	add(&c, 2, "n", "1", "2")->variables.size = 0;
	add(&c, 3, "n", "3", "2");
	add(&c, 4, "n", "3", "2");
	c.variables[3].function = "f";
	c.transitions.all.at = c.points;
	c.transitions.all.size = 4;
	c.transitions.points.size = 0;
	explain_add_transitions(&c.transitions, NULL, &e);
	assert_int_equal(e.points.size, 4);
	assert_false(e.points.at[0].transition);
	assert_false(e.points.at[1].transition);
	assert_int_equal(e.points.at[1].values.size, 0);
	assert_false(e.points.at[2].transition);
	assert_true(e.points.at[3].transition);
	assert_int_equal(e.points.at[3].at.line, 4);
	explanation_deinit(&e);
}

/* --- suspects --- */

static void assert_lines(const struct explanation *e, const unsigned *lines, uint32_t count)
{
	assert_int_equal(e->suspects.size, count);
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(e->suspects.at[i].at.line, lines[i]);
		assert_true(e->suspects.at[i].score > 0 && e->suspects.at[i].score <= 1);
		assert_true(!i || e->suspects.at[i - 1].score >= e->suspects.at[i].score);
	}
}

/* What makes a new value comes first, with both ends of the gap; then what hands it on, from the
   failure back; then where it shows. */
static void test_suspects(void **state)
{
	static const unsigned lines[] = {35, 32, 21, 17, 38};
	struct explanation e = {0};
	struct chain c;

	make(&c);
	explain_add_transitions(&c.transitions, NULL, &e);
	add_end(&e);
	explain_suspects(&e);
	assert_lines(&e, lines, 5);
	assert_string_equal(e.suspects.at[0].why, "a[2] is 0 (not 7) when sort() is called");
	assert_string_equal(e.suspects.at[1].why, "makes the cause: a[2] is 0 (not 7)");
	assert_string_equal(e.suspects.at[2].why, "hands the cause on: a[0] is 0 (not 7)");
	explanation_deinit(&e);
}

/* Of two that make new values the one nearer to the failure, unless its proof is weaker. */
static void test_order(void **state)
{
	static const unsigned later[] = {20, 10, 38}, earlier[] = {10, 20, 38};
	struct explanation e = {0};
	struct chain c = {0};

	add(&c, 5, "n", "1", "2");
	make_direct(add(&c, 11, "m", "3", "4"), 10, "m = n + 2");
	make_direct(add(&c, 21, "k", "9", "16"), 20, "k = m * m");
	explain_add_transitions(&c.transitions, NULL, &e);
	add_end(&e);
	explain_suspects(&e);
	assert_lines(&e, later, 3);
	explanation_deinit(&e);
	c.points[2].proven = false;
	explain_add_transitions(&c.transitions, NULL, &e);
	add_end(&e);
	explain_suspects(&e);
	assert_lines(&e, earlier, 3);
	explanation_deinit(&e);
}

/* A line is there once; without a transition the line that shows the failure is all there is. */
static void test_same_line(void **state)
{
	static const unsigned once[] = {10, 38}, alone[] = {38};
	struct explanation e = {0};
	struct chain c = {0};

	add(&c, 5, "n", "1", "2");
	make_direct(add(&c, 11, "m", "3", "4"), 10, "m = n + 2");
	make_direct(add(&c, 11, "k", "9", "16"), 10, "k = m * m");
	explain_add_transitions(&c.transitions, NULL, &e);
	add_end(&e);
	explain_suspects(&e);
	assert_lines(&e, once, 2);
	assert_string_equal(e.suspects.at[0].why, "makes the cause: k is 9 (not 16)");
	explanation_deinit(&e);
	c.points[2].proven = false;
	explain_add_transitions(&c.transitions, NULL, &e);
	add_end(&e);
	explain_suspects(&e);
	assert_lines(&e, once, 2);
	assert_string_equal(e.suspects.at[0].why, "makes the cause: m is 3 (not 4)");
	explanation_deinit(&e);
	c.transitions.points.size = 1;
	explain_add_transitions(&c.transitions, NULL, &e);
	add_end(&e);
	explain_suspects(&e);
	assert_lines(&e, alone, 1);
	explanation_deinit(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),    cmocka_unit_test(test_unproven),
		cmocka_unit_test(test_suspects), cmocka_unit_test(test_points),
		cmocka_unit_test(test_order),    cmocka_unit_test(test_same_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
