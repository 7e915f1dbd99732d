/* One chain of what two methods found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explain/steps.h"

static struct explanation_step *add(struct explanation *e, const char *method, uint64_t time,
                                    const char *function, const char *name, const char *failing,
                                    const char *reference)
{
	struct explanation_step *step = vec_push(&e->steps);

	step->kind = EXPLANATION_VALUE;
	step->method = method;
	step->time = time;
	step->proven = true;
	*vec_push(&step->values) = (struct explanation_value){
		mem_strdup(name), mem_strdup(failing), mem_strdup(reference),
		function ? mem_strdup(function) : NULL};
	*vec_push(&step->proofs) = (struct explanation_proof){.experiment = ++e->stats.experiments,
	                                                      .changed = mem_strdup(name),
	                                                      .in = EXPLANATION_FAILING,
	                                                      .outcome = VERDICT_PASS};
	return step;
}

static void set_cause(struct explanation_step *step, unsigned line)
{
	step->transition = true;
	step->cause = (struct explanation_place){.file = mem_strdup("s.c"), .line = line};
}

/* Names of the steps, with who found them. */
static void assert_chain(const struct explanation *e, const char *expected)
{
	struct str text = STR_INIT;

	for (uint32_t i = 0; i < e->steps.size; i++)
		str_printf(&text, "%s%s%s:%s%s%s", i ? " " : "",
		           e->steps.at[i].apart ? "also " : "", e->steps.at[i].values.at[0].name,
		           e->steps.at[i].method, e->steps.at[i].also ? "+" : "",
		           e->steps.at[i].also ? e->steps.at[i].also : "");
	assert_string_equal(str_text(&text), expected);
	str_deinit(&text);
}

/* The same step, though it was found at another point, and from another function, is one step with
   both proofs; what comes before it goes in front; what is on another chain is left out. */
static void test_same(void **state)
{
	struct explanation to = {0}, from = {0};

	add(&to, "compare", 20, NULL, "a[2]", "0", "7");
	add(&to, "compare", 30, "sort", "v", "0", "7");
	add(&from, "transitions", 1, "main", "argc", "3", "4");
	set_cause(add(&from, "transitions", 18, NULL, "a[2]", "0", "7"), 32);
	add(&from, "transitions", 25, NULL, "other", "1", "2");
	set_cause(add(&from, "transitions", 35, "sort", "sort.v", "0", "7"), 17);
	to.stats.confounded = 1;
	from.stats.confounded = 2;
	explain_merge(&from, &to);
	assert_chain(&to, "argc:transitions a[2]:compare+transitions v:compare+transitions");
	assert_int_equal(to.steps.at[1].proofs.size, 2);
	assert_int_equal(to.steps.at[1].proofs.at[0].experiment, 1);
	assert_int_equal(to.steps.at[1].proofs.at[1].experiment, 4);
	assert_true(to.steps.at[1].transition);
	assert_int_equal(to.steps.at[1].cause.line, 32);
	assert_int_equal(to.steps.at[2].cause.line, 17);
	assert_int_equal(to.stats.experiments, 6);
	assert_int_equal(from.steps.size, 0);
	assert_int_equal(to.stats.confounded, 3);
	explanation_deinit(&to);
}

/* Another value, or a variable of another function, is another step. */
static void test_other(void **state)
{
	struct explanation to = {0}, from = {0};

	add(&to, "compare", 20, "f", "n", "0", "7");
	add(&from, "transitions", 20, "g", "n", "0", "7");
	add(&from, "transitions", 21, "f", "n", "1", "7");
	explain_merge(&from, &to);
	assert_chain(&to, "n:compare");
	assert_int_equal(to.steps.at[0].proofs.size, 1);
	explanation_deinit(&to);
}

/* Of two moments with the same values the nearer one is it, and the order is kept. */
static void test_nearest(void **state)
{
	struct explanation to = {0}, from = {0};

	add(&to, "compare", 10, NULL, "n", "0", "7");
	add(&to, "compare", 20, NULL, "m", "1", "2");
	add(&to, "compare", 30, NULL, "n", "0", "7");
	add(&from, "transitions", 29, NULL, "n", "0", "7");
	add(&from, "transitions", 40, NULL, "m", "1", "2");
	explain_merge(&from, &to);
	assert_chain(&to, "n:compare m:compare n:compare+transitions");
	explanation_deinit(&to);
}

/* Where nothing is the same, what comes before is a cause of its own. */
static void test_front(void **state)
{
	struct explanation to = {0}, from = {0};

	add(&to, "compare", 20, NULL, "n", "0", "7");
	add(&from, "transitions", 1, NULL, "argc", "3", "4");
	explain_merge(&from, &to);
	assert_chain(&to, "argc:transitions also n:compare");
	add(&from, "chain", 0, NULL, "argv", "1", "2")->proven = false;
	explain_merge(&from, &to);
	assert_chain(&to, "argc:transitions also n:compare");
	explanation_deinit(&to);
}

/* What one of them did not find is what the other did. */
static void test_nothing(void **state)
{
	struct explanation to = {0}, from = {0};

	add(&from, "transitions", 1, NULL, "argc", "3", "4");
	add(&from, "transitions", 5, NULL, "n", "0", "7");
	*vec_push(&from.notes) = mem_strdup("a note");
	explain_merge(&from, &to);
	assert_chain(&to, "argc:transitions n:transitions");
	assert_int_equal(to.notes.size, 1);
	explain_merge(&from, &to);
	assert_chain(&to, "argc:transitions n:transitions");
	explanation_deinit(&to);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),    cmocka_unit_test(test_other),
		cmocka_unit_test(test_nearest), cmocka_unit_test(test_front),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
