/* Spectra: the formulas against values that were computed by hand, and the ranking of lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "spectra/spectra.h"

static void assert_scores(uint32_t failed, uint32_t passed, uint32_t all_failed,
                          uint32_t all_passed, double ochiai, double tarantula, double dstar)
{
	const struct spectra_counts counts = {failed, passed, all_failed, all_passed};

	assert_float_equal(spectra_score(SPECTRA_OCHIAI, &counts), ochiai, 1e-9);
	assert_float_equal(spectra_score(SPECTRA_TARANTULA, &counts), tarantula, 1e-9);
	assert_float_equal(spectra_score(SPECTRA_DSTAR, &counts), dstar, 1e-9);
}

static void test_formulas(void **state)
{
	/* 2 / sqrt(2 * 2); 1 / (1 + 0); 4 / (4 + 0 + 0): nothing is more suspicious. */
	assert_scores(2, 0, 2, 5, 1, 1, 1);
	/* 1 / sqrt(1 * 4) = 1/2; 1 / (1 + 3/6) = 2/3; 1 / (1 + 3) = 1/4 */
	assert_scores(1, 3, 1, 6, 0.5, 2.0 / 3, 0.25);
	/* 3 / sqrt(4 * 9) = 1/2; (3/4) / (3/4 + 6/8) = 1/2; d = 9 / (6 + 1), so 9/16 */
	assert_scores(3, 6, 4, 8, 0.5, 0.5, 0.5625);
	/* 2 / sqrt(8 * 2) = 1/2; passing tests do not execute it: 1; d = 4 / 6, so 4/10 */
	assert_scores(2, 0, 8, 3, 0.5, 1, 0.4);
}

/* Nothing is divided by nothing. */
static void test_edges(void **state)
{
	assert_scores(0, 0, 0, 0, 0, 0, 0); /* no tests at all */
	assert_scores(0, 4, 0, 4, 0, 0, 0); /* no test fails */
	assert_scores(0, 3, 2, 4, 0, 0, 0); /* only passing tests execute it */
	assert_scores(0, 0, 2, 4, 0, 0, 0); /* no test executes it */
	assert_scores(3, 0, 3, 0, 1, 1, 1); /* no test passes */
	/* no test passes, and one of two executes it: 1 / sqrt(2); 1; 1 / (1 + 1) */
	assert_scores(1, 0, 2, 0, 0.70710678118654752, 1, 0.5);
	/* the most that fits: 2^32 - 1 tests of each kind */
	assert_scores(UINT32_MAX, 0, UINT32_MAX, UINT32_MAX, 1, 1, 1);
}

/* A line that all tests execute says little; one that only failing tests execute says all. */
static void test_evidence(void **state)
{
	const struct spectra_counts all = {1, 3, 1, 3}, some = {1, 1, 1, 3}, only = {1, 0, 1, 3},
				    alone = {2, 0, 2, 0};

	/* Of all: 1 / sqrt(4) = 1/2. */
	assert_float_equal(spectra_evidence(SPECTRA_OCHIAI, &all), 0.05, 1e-9);
	/* 1 / sqrt(2), which is (0.7071... - 0.5) / 0.5 above it */
	assert_float_equal(spectra_evidence(SPECTRA_OCHIAI, &some),
	                   0.070710678118654752 + 0.9 * 0.41421356237309505, 1e-9);
	assert_float_equal(spectra_evidence(SPECTRA_OCHIAI, &only), 1, 1e-9);
	/* Without a test that passes each line is usual. */
	assert_float_equal(spectra_evidence(SPECTRA_OCHIAI, &alone), 0.1, 1e-9);
}

/* The middle of three numbers: each test executes lines that were found by hand. */
static void test_rank(void **state)
{
	static const struct {
		bool failed;
		unsigned lines[6];
	} tests[] = {
		{false, {1, 2, 3}},
		{false, {1, 2, 4}},
		{true, {1, 2, 3, 5, 5}}, /* twice in one test counts once */
		{false, {1, 6}},
	};
	struct spectra s = {0};

	for (unsigned i = 0; i < 4; i++) {
		spectra_begin(&s, tests[i].failed);
		for (unsigned k = 0; tests[i].lines[k]; k++)
			spectra_add(&s, tests[i].lines[k] == 4 ? "b.c" : "a.c", tests[i].lines[k],
			            "f");
	}
	assert_int_equal(s.failed, 1);
	assert_int_equal(s.passed, 3);
	spectra_rank(&s, SPECTRA_OCHIAI);
	assert_int_equal(s.lines.size, 6);
	/* 5: 1; 3: 1 / sqrt(2); 2: 1 / sqrt(3); 1: 1 / 2; then those with 0, by file and line */
	assert_int_equal(s.lines.at[0].line, 5);
	assert_int_equal(s.lines.at[0].failed, 1);
	assert_int_equal(s.lines.at[1].line, 3);
	assert_float_equal(s.lines.at[1].score, 0.70710678118654752, 1e-9);
	assert_int_equal(s.lines.at[2].line, 2);
	assert_int_equal(s.lines.at[2].passed, 2);
	assert_int_equal(s.lines.at[3].line, 1);
	assert_int_equal(s.lines.at[4].line, 6);
	assert_int_equal(s.lines.at[5].line, 4);
	assert_string_equal(s.lines.at[5].file, "b.c");
	assert_int_equal(s.lines.at[3].best, 4);
	assert_int_equal(s.lines.at[3].worst, 4);
	assert_int_equal(s.lines.at[4].best, 5);
	assert_int_equal(s.lines.at[4].worst, 6);
	assert_int_equal(s.lines.at[5].best, 5);
	assert_int_equal(spectra_find(&s, "a.c", 2)->passed, 2);
	assert_null(spectra_find(&s, "a.c", 4));
	spectra_deinit(&s);
}

static void test_empty(void **state)
{
	struct spectra s = {0};

	spectra_rank(&s, SPECTRA_DSTAR);
	assert_int_equal(s.lines.size, 0);
	assert_null(spectra_find(&s, "a.c", 1));
	spectra_deinit(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formulas), cmocka_unit_test(test_edges),
		cmocka_unit_test(test_evidence), cmocka_unit_test(test_rank),
		cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
