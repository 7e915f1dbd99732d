/* From a cause tree to steps, suspects and notes of an explanation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "explain/suspects.h"
#include "explain/alone.h"

/* --- a tree by hand --- */

static struct explanation_place place(unsigned line)
{
	return (struct explanation_place){.file = mem_strdup("a.c"), .line = line, .column = 3};
}

static struct cause_node *add_node(struct cause_tree *t, uint32_t parent, enum cause_reason reason,
                                   unsigned line, const char *wanted)
{
	struct cause_node *node = vec_push(&t->nodes);

	node->number = t->nodes.size;
	node->parent = parent;
	node->level = parent ? t->nodes.at[parent - 1].level + 1 : 0;
	node->reason = reason;
	node->how = CAUSE_FOLDED;
	node->at = place(line);
	node->wanted = mem_strdup(wanted);
	node->tried = true;
	return node;
}

/* The statement is changed on its line, a value before the next line. */
static void add_proof(struct cause_tree *t, uint32_t number, unsigned line, const char *changed,
                      const char *from, const char *to, bool counts)
{
	struct cause_node *node = &t->nodes.at[number - 1];
	bool branch = !strcmp(from, "true") || !strcmp(from, "false") || !strncmp(from, "case", 4);

	*vec_push(&node->proofs) = (struct cause_proof){
		.experiment = ++t->stats.experiments,
		.at = place(line),
		.instance = 1,
		.time = line,
		.point = place(line + !branch),
		.point_instance = 2,
		.changed = mem_strdup(changed),
		.from = mem_strdup(from),
		.to = mem_strdup(to),
		.kind = branch ? CAUSE_BRANCH : CAUSE_VALUE,
		.outcome = counts ? VERDICT_PASS : VERDICT_FAIL,
		.counts = counts,
	};
	node->proven |= counts;
}

/* 1 (line 20) <- 2 (line 10, direct) <- 3 (line 5, direct); 1 <- 4 (line 12, indirect). */
static struct cause_tree *make(bool proven)
{
	struct cause_tree *t = mem_alloc(sizeof(*t));

	*t = (struct cause_tree){.failure = EXPLANATION_ASSERT,
	                         .what = mem_strdup("assertion area == 9 fails")};
	add_node(t, 0, CAUSE_FAILURE, 20, "area == 9");
	add_node(t, 1, CAUSE_DIRECT, 10, "class != 4");
	add_node(t, 2, CAUSE_DIRECT, 5, "a * a == b");
	add_node(t, 1, CAUSE_INDIRECT, 12, "b < 0");
	add_proof(t, 1, 15, "area", "7", "9", proven);
	add_proof(t, 2, 10, "class", "case 4", "case 2", proven);
	add_proof(t, 2, 8, "class", "4", "1", false);
	add_proof(t, 2, 8, "class", "4", "2", proven);
	add_proof(t, 3, 5, "a * a != b", "true", "false", proven);
	add_proof(t, 3, 2, "a", "6", "3", proven);
	add_proof(t, 4, 12, "b < 0", "false", "true", false);
	return t;
}

static const struct explanation_suspect *suspect_at(const struct explanation *e, unsigned line)
{
	for (uint32_t i = 0; i < e->suspects.size; i++)
		if (e->suspects.at[i].at.line == line)
			return &e->suspects.at[i];
	return NULL;
}

static void check_step(const struct explanation *e, uint32_t number, const char *kind,
                       const char *name, const char *failing, const char *reference, unsigned line)
{
	const struct explanation_step *step = &e->steps.at[number];

	assert_true(number < e->steps.size);
	assert_string_equal(explanation_kind_names[step->kind], kind);
	assert_string_equal(step->method, "tree");
	assert_string_equal(step->values.at[0].name, name);
	assert_string_equal(step->values.at[0].failing, failing);
	assert_string_equal(step->values.at[0].reference, reference);
	assert_int_equal(step->cause.line, line);
	assert_true(step->transition);
	assert_true(step->proven);
	assert_int_equal(step->proofs.size, 1);
	assert_int_equal(step->proofs.at[0].in, EXPLANATION_FAILING);
	assert_int_equal(step->proofs.at[0].at.line, step->at.line);
	assert_int_equal(step->proofs.at[0].instance, 2);
}

/* From the faulty test by way of the class to the area; of a switch the value is told. */
static void test_steps(void **state)
{
	struct explanation e = {.stats.experiments = 100};

	(void)state;
	explain_add_tree(make(true), true, &e);
	assert_int_equal(e.steps.size, 4);
	check_step(&e, 0, "branch", "a * a != b", "true", "false", 5);
	check_step(&e, 1, "value", "class", "4", "2", 8);
	check_step(&e, 2, "value", "area", "7", "9", 15);
	assert_int_equal(e.steps.at[0].at.line, 5);
	assert_int_equal(e.steps.at[1].at.line, 9);
	assert_int_equal(e.steps.at[0].proofs.at[0].experiment, 105);
	assert_int_equal(e.stats.experiments, 107);
	assert_true(e.steps.at[3].observed);
	assert_string_equal(e.steps.at[3].what, "assertion area == 9 fails");
	assert_int_equal(e.steps.at[3].kind, EXPLANATION_ASSERT);
	assert_int_equal(e.failure.at.line, 20);
	assert_int_equal(e.tree->nodes.size, 4);
	explanation_deinit(&e);
}

static void test_suspects(void **state)
{
	struct explanation e = {0};

	(void)state;
	explain_add_tree(make(true), true, &e);
	assert_int_equal(e.suspects.size, 6);
	/* Branches come before values, and among each what is farther from the failure comes first. */
	assert_int_equal(e.suspects.at[0].at.line, 5);
	assert_int_equal(e.suspects.at[1].at.line, 10);
	assert_int_equal(e.suspects.at[2].at.line, 2);
	assert_int_equal(e.suspects.at[3].at.line, 8);
	assert_int_equal(e.suspects.at[4].at.line, 15);
	assert_string_equal(suspect_at(&e, 8)->why, "with class = 2 the run passes");
	assert_string_equal(suspect_at(&e, 10)->why,
	                    "with switch (class) going to case 2 the run passes");
	assert_string_equal(suspect_at(&e, 5)->why, "with a * a != b false the run passes");
	/* Not proven: it comes after the others. */
	assert_int_equal(e.suspects.at[5].at.line, 12);
	for (uint32_t i = 1; i < e.suspects.size; i++)
		assert_true(e.suspects.at[i - 1].score >= e.suspects.at[i].score);
	explanation_deinit(&e);
}

/* Nothing is proven: what another method found stays, and the conditions are suspects that say so. */
static void test_unproven(void **state)
{
	struct explanation e = {0};

	(void)state;
	vec_push(&e.steps)->kind = EXPLANATION_VALUE;
	explain_add_tree(make(false), true, &e);
	assert_int_equal(e.steps.size, 1);
	assert_int_equal(e.steps.at[0].kind, EXPLANATION_VALUE);
	assert_int_equal(e.suspects.size, 3);
	assert_int_equal(e.suspects.at[0].at.line, 10);
	assert_string_equal(suspect_at(&e, 12)->why,
	                    "b < 0 would avoid it, or what leads to it (not proven)");
	explanation_deinit(&e);
}

/* Beside another explanation: its steps stay, and branches that it does not have are told. */
static void test_beside(void **state)
{
	struct explanation e = {0};
	struct explanation_step *step = vec_push(&e.steps);

	(void)state;
	step->kind = EXPLANATION_VALUE;
	step->proven = true;
	step->at = place(10);
	suspects_add(&e, &step->at, SUSPECT_MAKES, 1, mem_strdup("makes it"));
	explain_add_tree(make(true), false, &e);
	assert_int_equal(e.steps.size, 1);
	/* Two witnesses; the branch is a level nearer than the deepest, so it counts 0.8. */
	assert_float_equal(
		suspect_at(&e, 10)->score,
		1 - (1 - suspect_weights[SUSPECT_MAKES].weight[SUSPECT_SAME]) *
				(1 -
	                         0.8 * suspect_weights[SUSPECT_TREE_BRANCH].weight[SUSPECT_SAME]),
		1e-9);
	assert_string_equal(suspect_at(&e, 10)->why,
	                    "with switch (class) going to case 2 the run passes; makes it");
	assert_non_null(suspect_at(&e, 5));
	assert_int_equal(e.notes.size, 1);
	assert_string_equal(e.notes.at[0], "skipped statements may matter, too: they depend on "
	                                   "a.c:12 (b < 0)");
	explanation_deinit(&e);
	/* It is in the steps: nothing is to be said. */
	e = (struct explanation){0};
	step = vec_push(&e.steps);
	step->kind = EXPLANATION_BRANCH;
	step->cause = place(12);
	explain_add_tree(make(true), false, &e);
	assert_int_equal(e.notes.size, 0);
	explanation_deinit(&e);
}

/* Values of one node: those that were made of each other are told one after the other, another one that only leads to
   the same result is not. */
static void test_values(void **state)
{
	struct cause_tree *t = mem_alloc(sizeof(*t));
	struct explanation e = {0};

	(void)state;
	*t = (struct cause_tree){.failure = EXPLANATION_WRONG_OUTPUT,
	                         .what = mem_strdup("prints 3")};
	add_node(t, 0, CAUSE_FAILURE, 20, "c == 4");
	add_proof(t, 1, 9, "c", "3", "4", true);
	add_proof(t, 1, 7, "b", "2", "3", true);
	add_proof(t, 1, 5, "a", "1", "2", true);
	add_proof(t, 1, 3, "left", "1", "2", true);
	t->nodes.at[0].proofs.at[0].after = 3;
	t->nodes.at[0].proofs.at[2].after = 4;
	explain_add_tree(t, true, &e);
	assert_int_equal(e.steps.size, 4);
	check_step(&e, 0, "value", "left", "1", "2", 3);
	check_step(&e, 1, "value", "a", "1", "2", 5);
	check_step(&e, 2, "value", "c", "3", "4", 9);
	for (uint32_t i = 0; i < e.steps.size; i++)
		assert_false(e.steps.at[i].apart);
	explanation_deinit(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),   cmocka_unit_test(test_steps),
		cmocka_unit_test(test_suspects), cmocka_unit_test(test_unproven),
		cmocka_unit_test(test_beside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
