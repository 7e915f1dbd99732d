/* One ranking from all evidence: the rule by which it is combined. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "explain/suspects.h"
#include "explain/suspects_slices.h"

static void add(struct explanation *e, unsigned line, enum suspect_row row, double factor,
                const char *words)
{
	struct explanation_place place = {.file = "a.c", .line = line, .column = 3};

	suspects_add(e, &place, row, factor, mem_strdup(words));
}

static void assert_score(const struct explanation *e, uint32_t number, unsigned line, double score)
{
	assert_true(number < e->suspects.size);
	assert_int_equal(e->suspects.at[number].at.line, line);
	assert_float_equal(e->suspects.at[number].score, score, 1e-9);
}

/* Of a run with the same input; `add` makes explanations without a reference, which are the same. */
static double weight(enum suspect_row row)
{
	return suspect_weights[row].weight[SUSPECT_SAME];
}

/* Reports have the kinds, and 0 and 1 would make others worthless. */
static void test_table(void **state)
{
	for (unsigned i = 1; i < SUSPECT_ROWS; i++) {
		assert_non_null(suspect_row_names[i]);
		for (unsigned k = 0; k < SUSPECT_REFERENCES; k++)
			assert_true(suspect_weights[i].weight[k] > 0 &&
			            suspect_weights[i].weight[k] < 1);
		for (unsigned k = 1; k < i; k++)
			assert_string_not_equal(suspect_row_names[i], suspect_row_names[k]);
	}
	/* What was tried on the failing run says more than what may be. */
	assert_true(weight(SUSPECT_TREE_VALUE) > weight(SUSPECT_TREE_OPEN));
	assert_true(weight(SUSPECT_TREE_VALUE) > weight(SUSPECT_CHOP));
}

/* Witnesses of different families: a line is innocent if all are wrong. */
static void test_families(void **state)
{
	struct explanation e = {0};

	add(&e, 10, SUSPECT_CHOP, 1, "in the chop");
	add(&e, 10, SUSPECT_TREE_VALUE, 1, "with x = 1 the run passes");
	add(&e, 10, SUSPECT_MAKES, 1, "introduces the wrong value");
	suspects_settle(&e);
	assert_int_equal(e.suspects.size, 1);
	assert_score(&e, 0, 10,
	             1 - (1 - weight(SUSPECT_CHOP)) * (1 - weight(SUSPECT_TREE_VALUE)) *
	                             (1 - weight(SUSPECT_MAKES)));
	assert_string_equal(e.suspects.at[0].why,
	                    "with x = 1 the run passes; introduces the wrong value");
	assert_int_equal(e.suspects.at[0].evidence.size, 3);
	assert_int_equal(e.suspects.at[0].evidence.at[0].kind, SUSPECT_TREE_VALUE);
	assert_int_equal(e.suspects.at[0].evidence.at[2].kind, SUSPECT_CHOP);
	explanation_deinit(&e);
}

/* Of one family the strongest counts; of one row the stronger stays, however often it is told. */
static void test_same(void **state)
{
	struct explanation e = {0};

	for (unsigned i = 0; i < 5; i++)
		add(&e, 10, SUSPECT_TREE_VALUE, 0.5, "with x = 1 the run passes");
	add(&e, 10, SUSPECT_TREE_VALUE, 1, "with x = 2 the run passes");
	add(&e, 10, SUSPECT_TREE_VALUE, 0.8, "with x = 3 the run passes");
	add(&e, 10, SUSPECT_TREE_BRANCH, 1, "with x false the run passes");
	suspects_settle(&e);
	assert_score(&e, 0, 10, weight(SUSPECT_TREE_BRANCH));
	assert_int_equal(e.suspects.at[0].evidence.size, 2);
	assert_float_equal(e.suspects.at[0].evidence.at[1].weight, weight(SUSPECT_TREE_VALUE),
	                   1e-9);
	assert_string_equal(e.suspects.at[0].why,
	                    "with x false the run passes; with x = 2 the run passes");
	explanation_deinit(&e);
}

/* A single branch that passes comes before a line with many values that do. */
static void test_branch_first(void **state)
{
	struct explanation e = {0};

	for (unsigned i = 0; i < 5; i++)
		add(&e, 10, SUSPECT_TREE_VALUE, 1, "with x = 1 the run passes");
	add(&e, 20, SUSPECT_TREE_BRANCH, 1, "with x false the run passes");
	suspects_settle(&e);
	assert_score(&e, 0, 20, weight(SUSPECT_TREE_BRANCH));
	assert_score(&e, 1, 10, weight(SUSPECT_TREE_VALUE));
	explanation_deinit(&e);
}

/* What is added later counts as well; equals stay in the order in which they were told; words are said once. */
static void test_later(void **state)
{
	struct explanation e = {0};

	add(&e, 10, SUSPECT_CHOP, 1, "in the chop");
	add(&e, 20, SUSPECT_CHOP, 1, "in the chop");
	add(&e, 30, SUSPECT_CHOP, 1, "in the chop");
	suspects_settle(&e);
	assert_score(&e, 0, 10, weight(SUSPECT_CHOP));
	assert_score(&e, 2, 30, weight(SUSPECT_CHOP));
	add(&e, 30, SUSPECT_DUAL, 1, "in the chop");
	suspects_settle(&e);
	assert_score(&e, 0, 30, 1 - (1 - weight(SUSPECT_CHOP)) * (1 - weight(SUSPECT_DUAL)));
	assert_score(&e, 1, 10, weight(SUSPECT_CHOP));
	assert_string_equal(e.suspects.at[0].why, "in the chop");
	explanation_deinit(&e);
}

/* A place of what says more has a column; one without a file, and no weight at all, are nothing. */
static void test_place(void **state)
{
	struct explanation_place line = {.file = "a.c", .line = 7}, none = {.line = 7},
				 nowhere = {.file = "a.c"};
	struct explanation e = {0};

	suspects_add(&e, &line, SUSPECT_CHOP, 1, mem_strdup("in the chop"));
	add(&e, 7, SUSPECT_MAKES, 1, "introduces the wrong value");
	suspects_add(&e, &none, SUSPECT_MAKES, 1, mem_strdup("nowhere"));
	suspects_add(&e, &nowhere, SUSPECT_MAKES, 1, mem_strdup("no line"));
	add(&e, 8, SUSPECT_SPECTRA, 0, "no test");
	suspects_settle(&e);
	assert_int_equal(e.suspects.size, 1);
	assert_int_equal(e.suspects.at[0].at.column, 3);
	explanation_deinit(&e);
}

/* What the chain told is taken back; a line that has nothing else is gone. */
static void test_forget(void **state)
{
	struct explanation e = {0};

	add(&e, 10, SUSPECT_MAKES, 1, "introduces the wrong value");
	add(&e, 20, SUSPECT_MAKES, 1, "introduces the wrong value");
	add(&e, 20, SUSPECT_DUAL, 1, "in the dual slice");
	suspects_settle(&e);
	suspects_forget(&e, SUSPECT_OF_CHAIN);
	suspects_settle(&e);
	assert_int_equal(e.suspects.size, 1);
	assert_score(&e, 0, 20, weight(SUSPECT_DUAL));
	assert_string_equal(e.suspects.at[0].why, "in the dual slice");
	explanation_deinit(&e);
}

/* What differs between two inputs is mostly as it should be; between two builds it comes from the change. */
static void test_references(void **state)
{
	static const enum recipe_reference kinds[] = {RECIPE_PROGRAM, RECIPE_EDIT, RECIPE_PATCHED,
	                                              RECIPE_INPUT};
	static const enum suspect_reference columns[] = {SUSPECT_BUILD, SUSPECT_SAME, SUSPECT_SAME,
	                                                 SUSPECT_INPUT};

	for (unsigned i = 0; i < 4; i++) {
		struct explanation e = {.reference.kind = kinds[i]};

		add(&e, 10, SUSPECT_MAKES, 1, "introduces the wrong value");
		suspects_settle(&e);
		assert_score(&e, 0, 10, suspect_weights[SUSPECT_MAKES].weight[columns[i]]);
		explanation_deinit(&e);
	}
	assert_true(suspect_weights[SUSPECT_MAKES].weight[SUSPECT_INPUT] <
	            suspect_weights[SUSPECT_MAKES].weight[SUSPECT_SAME]);
}

/* Lines of a memory error come before others, but not before an edit that other runs agree with. What a run that passes
   does as well (a weight below 0.25) is evidence as any other. */
static void test_memory(void **state)
{
	struct explanation e = {0};

	add(&e, 1, SUSPECT_TREE_BRANCH, 1, "branch");
	add(&e, 2, SUSPECT_MEMORY_ACCESS, 1, "access");
	add(&e, 3, SUSPECT_MEMORY_OBJECT, 1, "declaration");
	add(&e, 4, SUSPECT_MEMORY_INDEX, 0.2, "index");
	suspects_settle(&e);
	assert_score(&e, 0, 3, weight(SUSPECT_MEMORY_OBJECT));
	assert_score(&e, 1, 2, weight(SUSPECT_MEMORY_ACCESS));
	assert_score(&e, 2, 1, 0.6 * weight(SUSPECT_TREE_BRANCH));
	assert_score(&e, 3, 4, 0.6 * 0.2 * weight(SUSPECT_MEMORY_INDEX));
	add(&e, 1, SUSPECT_EDIT, 0.9, "edit");
	*vec_push(&e.fixes) = (struct explanation_fix){.failing = 1, .failing_of = 1};
	suspects_settle(&e);
	assert_int_equal(e.suspects.at[0].at.line, 3);
	e.fixes.at[0].passing = e.fixes.at[0].passing_of = 1;
	suspects_settle(&e);
	assert_int_equal(e.suspects.at[0].at.line, 1);
	assert_int_equal(e.suspects.at[1].at.line, 3);
	explanation_deinit(&e);
}

static void test_cut(void **state)
{
	struct explanation e = {0};
	struct suspect_lines lines = {0};

	for (unsigned i = 1; i <= 30; i++)
		*vec_push(&lines.all) =
			(struct explanation_place){.file = mem_strdup("a.c"), .line = i};
	suspects_add_lines(&e, &lines, SUSPECT_CHOP, "in the chop", NULL);
	add(&e, 30, SUSPECT_MAKES, 1, "introduces the wrong value");
	suspects_settle(&e);
	suspects_cut(&e);
	assert_int_equal(e.suspects.size, SUSPECTS_MOST);
	assert_score(&e, 0, 30, 1 - (1 - weight(SUSPECT_MAKES)) * (1 - weight(SUSPECT_CHOP)));
	assert_score(&e, 1, 1, weight(SUSPECT_CHOP));
	suspect_lines_deinit(&lines);
	explanation_deinit(&e);
}

/* The branch that was switched so that the run passes has a witness more than the chain; with the same input, the
   first transition is where the runs part. */
static void test_switch(void **state)
{
	struct explanation e = {.reference.kind = RECIPE_PATCHED};

	for (unsigned i = 0; i < 2; i++) {
		struct explanation_step *step = vec_push(&e.steps);

		step->kind = EXPLANATION_BRANCH;
		step->method = i ? "compare" : "switch";
		step->transition = step->proven = true;
		step->cause = (struct explanation_place){.file = mem_strdup("a.c"), .line = 10 + i};
		*vec_push(&step->values) = (struct explanation_value){
			mem_strdup("x > 1"), mem_strdup(i ? "true" : "false"), NULL, NULL};
	}
	suspects_add_steps(&e);
	suspects_settle(&e);
	assert_int_equal(e.suspects.size, 2);
	/* Proven in no direction that is told: 0.9 of the weight. */
	assert_score(&e, 0, 10,
	             1 - (1 - weight(SUSPECT_ROOT) * 0.9) * (1 - weight(SUSPECT_SWITCH)));
	assert_score(&e, 1, 11, weight(SUSPECT_MAKES) * 0.9 * 0.97);
	explanation_deinit(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),  cmocka_unit_test(test_families),
		cmocka_unit_test(test_same),   cmocka_unit_test(test_branch_first),
		cmocka_unit_test(test_later),  cmocka_unit_test(test_place),
		cmocka_unit_test(test_forget), cmocka_unit_test(test_references),
		cmocka_unit_test(test_memory), cmocka_unit_test(test_cut),
		cmocka_unit_test(test_switch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
