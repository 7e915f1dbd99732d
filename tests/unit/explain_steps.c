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

/* --- a chain by hand --- */

static struct explanation_proof proof(uint64_t number, const char *name, const char *from,
                                      const char *to, enum explanation_run in)
{
	return (struct explanation_proof){.experiment = number,
	                                  .changed = mem_strdup(name),
	                                  .from = mem_strdup(from),
	                                  .to = mem_strdup(to),
	                                  .in = in,
	                                  .outcome = in == EXPLANATION_FAILING ? VERDICT_PASS
	                                                                       : VERDICT_FAIL};
}

/* A step at a line, with a variable; proven in both runs. Valid until the next. */
static struct explanation_step *add(struct causes *c, unsigned line, const char *name,
                                    const char *failing, const char *reference)
{
	uint32_t n = c->steps.size;
	struct explanation_step *step = vec_push(&c->steps);

	*step = (struct explanation_step){.kind = EXPLANATION_VALUE,
	                                  .at = {.file = mem_strdup("s.c"),
	                                         .line = line,
	                                         .column = 2,
	                                         .function = mem_strdup("sort")},
	                                  .time = n + 1,
	                                  .reference_time = n + 1,
	                                  .proven = true};
	*vec_push(&step->values) = (struct explanation_value){.name = mem_strdup(name),
	                                                      .failing = mem_strdup(failing),
	                                                      .reference = mem_strdup(reference)};
	*vec_push(&step->proofs) = proof(2 * n + 1, name, failing, reference, EXPLANATION_FAILING);
	*vec_push(&step->proofs) =
		proof(2 * n + 2, name, reference, failing, EXPLANATION_REFERENCE);
	return step;
}

/* The statement at `line` has made the step's variables the cause. */
static void make_direct(struct explanation_step *step, unsigned line, const char *statement)
{
	step->transition = true;
	step->cause =
		(struct explanation_place){.file = mem_strdup("s.c"), .line = line, .column = 3};
	step->statement = mem_strdup(statement);
}

static struct explanation take(struct causes *c)
{
	struct explanation e = {0};

	explain_add_causes(c, "transitions", NULL, &e);
	causes_deinit(c);
	return e;
}

/* The published chain: argc, then a[2] at the call, v, a[0]. */
static struct explanation make(void)
{
	struct causes c = {0};
	struct explanation_step *step;

	add(&c, 28, "argc", "3", "4")->when = mem_strdup("main() starts");
	step = add(&c, 35, "a[2]", "0", "7");
	step->when = mem_strdup("sort() is called");
	step->call = true;
	make_direct(step, 32, "i < argc - 1 is false");
	make_direct(add(&c, 18, "v", "0", "7"), 17, "v = a[2]");
	make_direct(add(&c, 15, "a[0]", "0", "7"), 21, "a[0] = v");
	return take(&c);
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
	struct explanation e = make();

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
	assert_int_equal(e.steps.at[4].kind, EXPLANATION_OUTPUT);
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
	struct explanation e;
	struct causes c = {0};

	add(&c, 28, "argc", "3", "4")->proven = false;
	e = take(&c);
	add_end(&e);
	explain_verdict(false, &e);
	assert_int_equal(e.verdict, EXPLANATION_UNPROVEN);
	explanation_deinit(&e);
}

static void test_points(void **state)
{
	struct explanation e = {0};
	struct transitions t = {0};
	struct causes c = {0};

	add(&c, 1, "p->n", "1", "2");
	make_direct(add(&c, 4, "p->n", "3", "2"), 3, "p->n = 3");
	memcpy(&t.all, &c.steps, sizeof(t.all));
	explain_add_points(&t, NULL, &e);
	assert_int_equal(e.points.size, 2);
	assert_false(e.points.at[0].transition);
	assert_string_equal(e.points.at[0].values.at[0].name, "p->n");
	assert_true(e.points.at[1].transition);
	assert_int_equal(e.points.at[1].at.line, 4);
	assert_int_equal(e.points.at[1].failing_time, 2);
	transitions_deinit(&t);
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
	struct explanation e = make();

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
	struct explanation e;
	struct causes c = {0};

	make_direct(add(&c, 11, "x", "1", "2"), 10, "x = 1");
	make_direct(add(&c, 21, "y", "5", "6"), 20, "y = 5");
	make_direct(add(&c, 31, "z", "7", "8"), 30, "z = 7");
	e = take(&c);
	e.reference.kind = kind;
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

	for (int i = 0; i < 3; i++) {
		struct explanation e;
		struct causes c = {0};
		struct explanation_step *step = add(&c, 12, "n", "1", "2");

		make_direct(step, 10, "n = 1");
		step->when = mem_strdup(i ? "sort() starts" : "f() is called");
		step->call = !i;
		if (i == 2)
			step->until =
				(struct explanation_place){.file = mem_strdup("s.c"), .line = 14};
		e = take(&c);
		add_end(&e);
		explain_suspects(&e);
		assert_lines(&e, i == 0 ? call : i == 1 ? entry : range, i ? 3 : 2);
		if (i == 1)
			assert_string_equal(e.suspects.at[1].why,
			                    "n is 1 (not 2) when sort() starts");
		explanation_deinit(&e);
	}
}

/* The condition of an assertion comes last, as the assertion does. */
static void test_assertion(void **state)
{
	static const unsigned lines[] = {24, 29};
	const struct oracle oracle = {.failure.kind = FAILURE_ASSERT};
	struct symptom symptom = {.kind = SYMPTOM_END, .file = "s.c", .line = 29};
	struct explanation e;
	struct causes c = {0};
	struct explanation_step *step;

	make_direct(add(&c, 25, "used", "5", "4"), 24, "used = 5");
	step = add(&c, 29, "used <= 4", "false", "true");
	step->kind = EXPLANATION_BRANCH;
	make_direct(step, 29, "used <= 4 is false");
	e = take(&c);
	explain_add_symptom(&symptom, &oracle, NULL, &e);
	explain_suspects(&e);
	assert_lines(&e, lines, 2);
	explanation_deinit(&e);
}

/* All are kept: how many are shown is a matter of who prints them. */
static void test_many(void **state)
{
	static const unsigned lines[] = {60, 50, 40, 30, 20, 10};
	struct explanation e;
	struct causes c = {0};

	make_direct(add(&c, 11, "a", "1", "2"), 10, "a = 1");
	make_direct(add(&c, 21, "b", "2", "3"), 20, "b = 2");
	make_direct(add(&c, 31, "c", "3", "4"), 30, "c = 3");
	make_direct(add(&c, 41, "d", "4", "5"), 40, "d = 4");
	make_direct(add(&c, 51, "e", "5", "6"), 50, "e = 5");
	make_direct(add(&c, 61, "f", "6", "7"), 60, "f = 6");
	e = take(&c);
	explain_suspects(&e);
	assert_lines(&e, lines, 6);
	explanation_deinit(&e);
}

/* Of two that make new values the one nearer to the failure, unless its proof is weaker. */
static void test_order(void **state)
{
	static const unsigned later[] = {20, 10, 38}, earlier[] = {10, 20, 38};

	for (int proven = 2; proven-- > 0;) {
		struct explanation e;
		struct causes c = {0};

		add(&c, 5, "n", "1", "2");
		make_direct(add(&c, 11, "m", "3", "4"), 10, "m = n + 2");
		make_direct(add(&c, 21, "k", "9", "16"), 20, "k = m * m");
		c.steps.at[2].proven = proven;
		e = take(&c);
		add_end(&e);
		explain_suspects(&e);
		assert_lines(&e, proven ? later : earlier, 3);
		explanation_deinit(&e);
	}
}

/* A number that was read from a text is handed on. */
static void test_read(void **state)
{
	struct explanation e;
	struct causes c = {0};

	add(&c, 5, "argv[1]", "\"n=12;\"", "\"n=8;\"");
	make_direct(add(&c, 11, "n", "12", "8"), 10, "n = 12");
	make_direct(add(&c, 21, "m", "12", "9"), 20, "m = 12");
	e = take(&c);
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
	struct explanation e;
	struct causes c = {0};

	make_direct(add(&c, 11, "m", "3", "4"), 10, "m = 3");
	make_direct(add(&c, 21, "k", "9", "16"), 20, "k += m");
	make_direct(add(&c, 21, "k", "12", "20"), 20, "k += m");
	make_direct(add(&c, 21, "k", "15", "24"), 20, "k += m");
	e = take(&c);
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

	for (int i = 0; i < 3; i++) {
		struct explanation e;
		struct causes c = {0};

		add(&c, 5, "n", "1", "2");
		if (i < 2) {
			make_direct(add(&c, 11, "m", "3", "4"), 10, "m = n + 2");
			make_direct(add(&c, 11, "k", "9", "16"), 10, "k = m * m");
			c.steps.at[2].proven = !i;
		}
		e = take(&c);
		add_end(&e);
		explain_suspects(&e);
		assert_lines(&e, i < 2 ? once : alone, i < 2 ? 2 : 1);
		if (i < 2)
			assert_string_equal(
				e.suspects.at[0].why,
				i ? "introduces the difference: m is 3 (not 4); proven both ways"
				  : "introduces the difference: k is 9 (not 16); proven both ways");
		explanation_deinit(&e);
	}
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
