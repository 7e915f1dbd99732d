/* From what a method found to steps, suspects and a verdict. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explain/steps.h"
#include "explain/suspects.h"

/* --- a chain by hand: texts are constants, so nothing of it is freed --- */

#define MOST 6

struct chain {
	struct cause_point points[MOST];
	struct cause_variable variables[MOST];
	struct proof proofs[MOST][2];
	struct transitions transitions;
};

/* A point at a line, with a variable; proven in both runs. */
static struct cause_point *add(struct chain *c, unsigned line, char *name, char *failing,
                               char *reference)
{
	uint32_t n = c->transitions.found.points.size++;
	struct cause_point *p = &c->points[n];

	c->variables[n] = (struct cause_variable){name, failing, reference, NULL};
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
	*p = (struct cause_point){.file = "s.c",
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
	c->transitions.found.points.at = c->points;
	return p;
}

/* The statement at `line` has made the point's variables the cause. */
static void make_direct(struct cause_point *p, unsigned line, char *statement)
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
	struct cause_point *p;

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
	explain_add_causes(&c.transitions.found, "transitions", NULL, &e);
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
	assert_int_equal(e.steps.at[2].proofs.at[0].in, EXPLANATION_FAILING);
	assert_int_equal(e.steps.at[2].proofs.at[0].outcome, VERDICT_PASS);
	assert_int_equal(e.steps.at[2].proofs.at[1].in, EXPLANATION_REFERENCE);
	assert_int_equal(e.steps.at[2].proofs.at[1].outcome, VERDICT_FAIL);
	assert_string_equal(e.steps.at[4].kind, "output");
	assert_true(e.steps.at[4].observed);
	assert_int_equal(e.failure.at.line, 38);
	explain_verdict(false, &e);
	assert_int_equal(e.verdict, EXPLANATION_EXPLAINED);
	explain_verdict(true, &e);
	assert_int_equal(e.verdict, EXPLANATION_INCOMPLETE);
	explanation_deinit(&e);
}

static void test_unproven(void **state)
{
	struct explanation e = {0};
	struct chain c = {0};

	add(&c, 28, "argc", "3", "4")->proven = false;
	explain_add_causes(&c.transitions.found, "transitions", NULL, &e);
	add_end(&e);
	explain_verdict(false, &e);
	assert_int_equal(e.verdict, EXPLANATION_UNPROVEN);
	explanation_deinit(&e);
}

/* Where the cause is another one than at the last point that has one. */
static void test_points(void **state)
{
	struct explanation e = {0};
	struct chain c = {0};

	add(&c, 1, "p->n", "1", "2")->set = 1;
	add(&c, 2, "p->n", "1", "2")->variables.size = 0;
	add(&c, 3, "main.p->n", "1", "2")->set = 1;
	add(&c, 4, "p->n", "3", "2")->set = 2;
	c.transitions.all.at = c.points;
	c.transitions.all.size = 4;
	c.transitions.found.points.size = 0;
	explain_add_points(&c.transitions, NULL, &e);
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

/* What makes a new value comes first, with both ends of the gap; then who receives it; then what hands
   it on, from the failure back; then where it shows. */
static void test_suspects(void **state)
{
	static const unsigned lines[] = {32, 35, 17, 21, 38};
	struct explanation e = {0};
	struct chain c;

	make(&c);
	explain_add_causes(&c.transitions.found, "transitions", NULL, &e);
	add_end(&e);
	explain_suspects(&e);
	assert_lines(&e, lines, 5);
	assert_string_equal(e.suspects.at[0].why,
	                    "introduces the difference: a[2] is 0 (not 7); proven both ways");
	assert_string_equal(e.suspects.at[1].why, "a[2] is 0 (not 7) when sort() is called");
	assert_string_equal(e.suspects.at[2].why,
	                    "propagates the difference: v is 0 (not 7); proven both ways");
	assert_string_equal(e.suspects.at[3].why,
	                    "propagates the difference: a[0] is 0 (not 7); proven both ways");
	explanation_deinit(&e);
}

/* Suspects of a chain of three new values, compared with a run of that kind; `usual`: runs that pass differ in
   the last of them. */
static void assert_order(enum recipe_reference kind, bool usual, const unsigned *lines)
{
	struct explanation e = {.reference.kind = kind};
	struct chain c = {0};

	make_direct(add(&c, 11, "x", "1", "2"), 10, "x = 1");
	make_direct(add(&c, 21, "y", "5", "6"), 20, "y = 5");
	make_direct(add(&c, 31, "z", "7", "8"), 30, "z = 7");
	explain_add_causes(&c.transitions.found, "transitions", NULL, &e);
	e.steps.at[2].usual = usual;
	add_end(&e);
	explain_suspects(&e);
	assert_lines(&e, lines, 4);
	explanation_deinit(&e);
}

/* With other input the line that shows the failure comes first, since most differences are as they should be, then
   what is near it; with the same input where the runs part; what is
   usual comes later. */
static void test_references(void **state)
{
	static const unsigned near[] = {38, 30, 20, 10}, far[] = {10, 20, 30, 38},
			      unusual[] = {38, 20, 10, 30};

	assert_order(RECIPE_INPUT, false, near);
	assert_order(RECIPE_PROGRAM, false, far);
	assert_order(RECIPE_PATCHED, false, far);
	assert_order(RECIPE_INPUT, true, unusual);
}

/* A call whose argument was just assigned is no suspect, the beginning of a function is; both ends are
   when nobody knows which statement it was. */
static void test_ends(void **state)
{
	static const unsigned call[] = {10, 38}, entry[] = {10, 12, 38}, range[] = {10, 14, 38};
	struct explanation e = {0};
	struct chain c = {0};
	struct cause_point *p = add(&c, 12, "n", "1", "2");

	p->callee = "f";
	make_direct(p, 10, "n = 1");
	explain_add_causes(&c.transitions.found, "transitions", NULL, &e);
	add_end(&e);
	explain_suspects(&e);
	assert_lines(&e, call, 2);
	explanation_deinit(&e);
	p->callee = NULL;
	p->begins = true;
	explain_add_causes(&c.transitions.found, "transitions", NULL, &e);
	add_end(&e);
	explain_suspects(&e);
	assert_lines(&e, entry, 3);
	assert_string_equal(e.suspects.at[1].why, "n is 1 (not 2) when sort() starts");
	explanation_deinit(&e);
	p->until_file = "s.c";
	p->until_line = 14;
	p->until_statement = "(return value) = 1";
	explain_add_causes(&c.transitions.found, "transitions", NULL, &e);
	assert_int_equal(e.steps.at[0].until.line, 14);
	assert_string_equal(e.steps.at[0].until_statement, "return 1");
	add_end(&e);
	explain_suspects(&e);
	assert_lines(&e, range, 3);
	explanation_deinit(&e);
}

/* The condition of an assertion comes last, as the assertion does. */
static void test_assertion(void **state)
{
	static const unsigned lines[] = {24, 29};
	const struct oracle oracle = {.failure.kind = FAILURE_ASSERT};
	struct symptom symptom = {.kind = SYMPTOM_END, .file = "s.c", .line = 29};
	struct explanation e = {0};
	struct chain c = {0};
	struct cause_point *p;

	make_direct(add(&c, 25, "used", "5", "4"), 24, "used = 5");
	p = add(&c, 29, "used <= 4", "false", "true");
	p->branch = true;
	make_direct(p, 29, "used <= 4 is false");
	explain_add_causes(&c.transitions.found, "transitions", NULL, &e);
	explain_add_symptom(&symptom, &oracle, NULL, &e);
	explain_suspects(&e);
	assert_lines(&e, lines, 2);
	explanation_deinit(&e);
}

/* All are kept: how many are shown is a matter of who prints them. */
static void test_many(void **state)
{
	static const unsigned lines[] = {60, 50, 40, 30, 20, 10};
	struct explanation e = {0};
	struct chain c = {0};

	make_direct(add(&c, 11, "a", "1", "2"), 10, "a = 1");
	make_direct(add(&c, 21, "b", "2", "3"), 20, "b = 2");
	make_direct(add(&c, 31, "c", "3", "4"), 30, "c = 3");
	make_direct(add(&c, 41, "d", "4", "5"), 40, "d = 4");
	make_direct(add(&c, 51, "e", "5", "6"), 50, "e = 5");
	make_direct(add(&c, 61, "f", "6", "7"), 60, "f = 6");
	explain_add_causes(&c.transitions.found, "transitions", NULL, &e);
	explain_suspects(&e);
	assert_lines(&e, lines, 6);
	explanation_deinit(&e);
}

/* A branch that went the other way. */
static void test_branch(void **state)
{
	struct explanation e = {0};
	struct chain c = {0};
	struct cause_point *p = add(&c, 12, "n > 9", "true", "false");

	p->branch = true;
	make_direct(p, 12, "n > 9 is true");
	explain_add_causes(&c.transitions.found, "transitions", NULL, &e);
	assert_string_equal(e.steps.at[0].kind, "branch");
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
	explain_add_causes(&c.transitions.found, "transitions", NULL, &e);
	add_end(&e);
	explain_suspects(&e);
	assert_lines(&e, later, 3);
	explanation_deinit(&e);
	c.points[2].proven = false;
	explain_add_causes(&c.transitions.found, "transitions", NULL, &e);
	add_end(&e);
	explain_suspects(&e);
	assert_lines(&e, earlier, 3);
	explanation_deinit(&e);
}

/* A number that was read from a text is handed on. */
static void test_read(void **state)
{
	struct explanation e = {0};
	struct chain c = {0};

	add(&c, 5, "argv[1]", "\"n=12;\"", "\"n=8;\"");
	make_direct(add(&c, 11, "n", "12", "8"), 10, "n = 12");
	make_direct(add(&c, 21, "m", "12", "9"), 20, "m = 12");
	explain_add_causes(&c.transitions.found, "transitions", NULL, &e);
	add_end(&e);
	explain_suspects(&e);
	assert_int_equal(e.suspects.at[0].at.line, 20);
	assert_string_equal(e.suspects.at[0].why,
	                    "introduces the difference: m is 12 (not 9); proven both ways");
	assert_string_equal(e.suspects.at[1].why,
	                    "propagates the difference: n is 12 (not 8); proven both ways");
	explanation_deinit(&e);
}

/* Transitions of a loop count once: what comes before it is not punished for each round. */
static void test_loop(void **state)
{
	static const unsigned lines[] = {20, 10, 38};
	struct explanation e = {0};
	struct chain c = {0};

	make_direct(add(&c, 11, "m", "3", "4"), 10, "m = 3");
	make_direct(add(&c, 21, "k", "9", "16"), 20, "k += m");
	make_direct(add(&c, 21, "k", "12", "20"), 20, "k += m");
	make_direct(add(&c, 21, "k", "15", "24"), 20, "k += m");
	explain_add_causes(&c.transitions.found, "transitions", NULL, &e);
	add_end(&e);
	explain_suspects(&e);
	assert_lines(&e, lines, 3);
	assert_float_equal(e.suspects.at[0].score,
	                   suspect_weights[SUSPECT_MAKES].weight[SUSPECT_SAME], 1e-9);
	assert_float_equal(e.suspects.at[1].score,
	                   0.97 * suspect_weights[SUSPECT_MAKES].weight[SUSPECT_SAME], 1e-9);
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
	explain_add_causes(&c.transitions.found, "transitions", NULL, &e);
	add_end(&e);
	explain_suspects(&e);
	assert_lines(&e, once, 2);
	assert_string_equal(e.suspects.at[0].why,
	                    "introduces the difference: k is 9 (not 16); proven both ways");
	explanation_deinit(&e);
	c.points[2].proven = false;
	explain_add_causes(&c.transitions.found, "transitions", NULL, &e);
	add_end(&e);
	explain_suspects(&e);
	assert_lines(&e, once, 2);
	assert_string_equal(e.suspects.at[0].why,
	                    "introduces the difference: m is 3 (not 4); proven both ways");
	explanation_deinit(&e);
	c.transitions.found.points.size = 1;
	explain_add_causes(&c.transitions.found, "transitions", NULL, &e);
	add_end(&e);
	explain_suspects(&e);
	assert_lines(&e, alone, 1);
	explanation_deinit(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),     cmocka_unit_test(test_unproven),
		cmocka_unit_test(test_suspects),  cmocka_unit_test(test_references),
		cmocka_unit_test(test_points),    cmocka_unit_test(test_order),
		cmocka_unit_test(test_same_line), cmocka_unit_test(test_loop),
		cmocka_unit_test(test_read),      cmocka_unit_test(test_ends),
		cmocka_unit_test(test_many),      cmocka_unit_test(test_assertion),
		cmocka_unit_test(test_branch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
