/*
 * The solver on random systems over a few variables of three and four bits, against trying all their values: whether
 * all can be true, the model, and cores: contradictory, minimal, with the first terms preferred.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "solve/solver.h"

static uint64_t seed = 11;

static uint32_t below(uint32_t limit)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 20) % limit;
}

/* --- random systems --- */

#define VARIABLES 3
#define TERMS     7

static const uint32_t widths[VARIABLES] = {4, 4, 3};

static uint64_t nth_assignment(void *context, uint64_t number)
{
	uint32_t shift = 0, n = *(uint32_t *)context;

	for (uint32_t i = 0; i < number; i++)
		shift += widths[i];
	return n >> shift & ((1u << widths[number]) - 1);
}

static term random_value(struct terms *terms, int depth)
{
	uint32_t which = below(VARIABLES);
	term t = term_variable(terms, widths[which], which);
	enum term_op op = TERM_ADD + below(TERM_CONCAT - TERM_ADD);

	if (widths[which] != 4)
		t = term_make(terms, below(2) ? TERM_ZEXT : TERM_SEXT, 4, t, 0, 0);
	if (!below(4))
		t = term_constant(terms, 4, below(16));
	if (!depth)
		return t;
	if (!below(5))
		return term_make(terms, TERM_CONCAT, 4,
		                 term_extract(terms, random_value(terms, depth - 1), below(3), 2),
		                 term_extract(terms, random_value(terms, depth - 1), below(3), 2),
		                 0);
	return term_make(terms, op, 4, random_value(terms, depth - 1),
	                 random_value(terms, depth - 1), 0);
}

static term random_truth(struct terms *terms, int depth)
{
	term t = term_make(terms, TERM_EQ + below(5), 1, random_value(terms, depth),
	                   random_value(terms, depth), 0);

	if (depth && !below(3))
		t = term_make(terms, TERM_CHOICE, 1, t, random_truth(terms, depth - 1),
		              random_truth(terms, depth - 1));
	return t;
}

/* Can all that are chosen be true? */
static bool can_be_true(struct terms *terms, const term *all, const bool *chosen)
{
	for (uint32_t n = 0; n < 1u << 11; n++) {
		bool holds = true;

		for (uint32_t i = 0; i < TERMS && holds; i++)
			holds = !chosen[i] || term_evaluate(terms, all[i], nth_assignment, &n);
		if (holds)
			return true;
	}
	return false;
}

static uint64_t seven(void *context, uint64_t number)
{
	return 7;
}

static void check_model(struct solver *solver, const term *all)
{
	for (uint32_t i = 0; i < TERMS; i++)
		assert_int_equal(solver_value(solver, all[i]), 1);
}

/* What deletion from the last to the first leaves, by trying. */
static void slow_core(struct terms *terms, const term *all, uint32_t kept, bool *core)
{
	for (uint32_t i = 0; i < TERMS; i++)
		core[i] = true;
	for (uint32_t i = TERMS; i-- > kept;) {
		core[i] = false;
		core[i] = can_be_true(terms, all, core);
	}
}

static void check_core(struct terms *terms, struct solver *solver, const term *all)
{
	bool core[TERMS], slow[TERMS], certain;

	for (uint32_t kept = 0; kept < 2; kept++) {
		solver_core(solver, all, TERMS, kept, core, &certain);
		slow_core(terms, all, kept, slow);
		assert_true(certain);
		assert_memory_equal(core, slow, sizeof(core));
	}
}

static void random_systems(void **state)
{
	uint32_t contradictions = 0, rounds = 120;
	const bool everything[TERMS] = {1, 1, 1, 1, 1, 1, 1};

	for (uint32_t round = 0; round < rounds; round++) {
		struct terms *terms = terms_create();
		struct solver *solver = solver_create(terms, NULL);
		term all[TERMS];
		enum solver_answer answer;

		for (uint32_t i = 0; i < TERMS; i++)
			all[i] = random_truth(terms, 2);
		answer = solver_check(solver, all, TERMS, round % 2 ? seven : NULL, NULL);
		assert_int_equal(answer, can_be_true(terms, all, everything)
		                                 ? SOLVER_SATISFIABLE
		                                 : SOLVER_UNSATISFIABLE);
		if (answer == SOLVER_SATISFIABLE)
			check_model(solver, all);
		else
			check_core(terms, solver, all);
		contradictions += answer == SOLVER_UNSATISFIABLE;
		solver_destroy(solver);
		terms_destroy(terms);
	}
	assert_in_range(contradictions, rounds / 10, rounds * 9 / 10);
}

/* --- single questions --- */

struct setting {
	struct terms *terms;
	struct solver *solver;
};

static struct setting set_up(const struct solver_options *options)
{
	struct setting s = {.terms = terms_create()};

	s.solver = solver_create(s.terms, options);
	return s;
}

static void tear_down(struct setting *s)
{
	solver_destroy(s->solver);
	terms_destroy(s->terms);
}

static term two(struct setting *s, enum term_op op, term a, term b)
{
	return term_make(s->terms, op, 0, a, b, 0);
}

static void constants_and_guesses(void **state)
{
	struct setting s = set_up(NULL);
	term x = term_variable(s.terms, 32, 1), y = term_variable(s.terms, 32, 2);
	term none[2] = {term_equals(s.terms, x, 3), term_constant(s.terms, 1, 0)};
	term one[2] = {two(&s, TERM_ULT, x, y), term_equals(s.terms, y, 1234)};

	assert_int_equal(solver_check(s.solver, none, 2, NULL, NULL), SOLVER_UNSATISFIABLE);
	assert_int_equal(solver_check(s.solver, one, 2, seven, NULL), SOLVER_SATISFIABLE);
	assert_int_equal(solver_value(s.solver, y), 1234);
	assert_in_range(solver_value(s.solver, x), 0, 1233);
	assert_int_equal(solver_value(s.solver, term_variable(s.terms, 32, 99)), 7);
	assert_int_equal(solver_counts(s.solver).calls, 0);
	assert_int_equal(solver_counts(s.solver).folded, 2);
	tear_down(&s);
}

static uint64_t net_now(void *context, uint64_t number)
{
	return 29799;
}

/* A price with tax, rounded: divisions are followed backwards without Z3, which takes long for them. */
static void walk_through_divisions(void **state)
{
	struct setting s = set_up(NULL);
	term net = term_variable(s.terms, 64, 1), hundred = term_constant(s.terms, 64, 100);
	term parts = two(&s, TERM_MUL, net, term_constant(s.terms, 64, 19));
	term tax = two(&s, TERM_SDIV, two(&s, TERM_ADD, parts, term_constant(s.terms, 64, 50)),
	               hundred);
	term gross = two(&s, TERM_ADD, net, tax);
	term all[2] = {term_equals(s.terms, two(&s, TERM_SDIV, gross, hundred), 320),
	               term_equals(s.terms, two(&s, TERM_SREM, gross, hundred), 84)};

	assert_int_equal(solver_check(s.solver, all, 2, net_now, NULL), SOLVER_SATISFIABLE);
	assert_int_equal(solver_value(s.solver, gross), 32084);
	assert_int_equal(solver_counts(s.solver).calls, 0);
	tear_down(&s);
}

/* A value that no guess finds: the only root of a cube. */
static void model(void **state)
{
	struct setting s = set_up(NULL);
	term x = term_variable(s.terms, 32, 1), y = term_variable(s.terms, 32, 2);
	term cube = two(&s, TERM_MUL, x, two(&s, TERM_MUL, x, x));
	const uint32_t root = 0x1234567;
	term all[2] = {term_equals(s.terms, cube, root * root * root), two(&s, TERM_EQ, y, cube)};

	assert_int_equal(solver_check(s.solver, all, 2, NULL, NULL), SOLVER_SATISFIABLE);
	assert_int_equal(solver_value(s.solver, x), root);
	assert_int_equal(solver_value(s.solver, y), root * root * root);
	assert_int_equal(solver_counts(s.solver).calls, 1);
	tear_down(&s);
}

static term number(struct setting *s, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return term_constant(s->terms, 64, bits);
}

static const struct solver_options patient = {.steps = 20000000, .seconds = 400};

static void floats(void **state)
{
	struct setting s = set_up(&patient);
	term x = term_variable(s.terms, 64, 1);
	term half = two(&s, TERM_FMUL, x, number(&s, 0.5));
	term sum = two(&s, TERM_FADD, half, number(&s, 1));
	term all[3] = {two(&s, TERM_FEQ, sum, number(&s, 3.25)),
	               two(&s, TERM_FLT, x, number(&s, 0)), 0};

	assert_int_equal(solver_check(s.solver, all, 1, NULL, NULL), SOLVER_SATISFIABLE);
	assert_int_equal(solver_value(s.solver, all[0]), 1);
	assert_int_equal(solver_check(s.solver, all, 2, NULL, NULL), SOLVER_UNSATISFIABLE);
	tear_down(&s);
}

/* The bits of a NaN may be any that a NaN has. */
static void bits_of_nan(void **state)
{
	struct setting s = set_up(&patient);
	term x = term_variable(s.terms, 64, 1), y = term_variable(s.terms, 64, 2);
	term quotient = two(&s, TERM_FDIV, x, y);
	term all[3] = {term_equals(s.terms, quotient, 0xfff8000000000000),
	               term_equals(s.terms, x, 0), two(&s, TERM_EQ, x, y)};

	assert_int_equal(solver_check(s.solver, all, 3, NULL, NULL), SOLVER_SATISFIABLE);
	all[0] = term_equals(s.terms, quotient, 0x7ff0000000000000); /* infinity */
	assert_int_equal(solver_check(s.solver, all, 3, NULL, NULL), SOLVER_UNSATISFIABLE);
	tear_down(&s);
}

/* --- budgets --- */

/* A factor of a number that is a product of two large primes. */
static void hard_question(struct setting *s, term all[3])
{
	term x = term_variable(s->terms, 64, 1), y = term_variable(s->terms, 64, 2);

	all[0] = term_equals(s->terms, two(s, TERM_MUL, x, y), 4294967291ull * 4294967279ull);
	all[1] = two(s, TERM_ULT, x, term_constant(s->terms, 64, 4294967279ull));
	all[2] = two(s, TERM_ULT, term_constant(s->terms, 64, 1), x);
	all[1] = two(s, TERM_AND, all[1],
	             two(s, TERM_ULT, y, term_constant(s->terms, 64, 1ull << 33)));
}

static void steps_are_limited(void **state)
{
	struct solver_options options = {.steps = 200000};
	struct setting s = set_up(&options);
	bool core[3], certain;
	term all[3];

	hard_question(&s, all);
	assert_int_equal(solver_check(s.solver, all, 3, NULL, NULL), SOLVER_UNKNOWN);
	assert_int_equal(solver_counts(s.solver).unknown, 1);
	solver_core(s.solver, all, 3, 1, core, &certain);
	assert_false(certain);
	assert_true(core[0] && core[1] && core[2]);
	tear_down(&s);
}

static void size_is_limited(void **state)
{
	struct solver_options options = {.size = 5}, few = {.floats = 1};
	struct setting s = set_up(&options);
	term all[3];
	term x;

	hard_question(&s, all);
	assert_int_equal(solver_check(s.solver, all, 3, NULL, NULL), SOLVER_UNKNOWN);
	assert_int_equal(solver_counts(s.solver).calls, 0);
	tear_down(&s);
	s = set_up(&few);
	x = term_variable(s.terms, 64, 1);
	all[0] = two(&s, TERM_FEQ, two(&s, TERM_FMUL, x, x), number(&s, 2));
	assert_int_equal(solver_check(s.solver, all, 1, NULL, NULL), SOLVER_UNKNOWN);
	tear_down(&s);
}

static bool stop_soon(void *context)
{
	return ++*(int *)context >= 2;
}

static void stops(void **state)
{
	int asked = 0;
	struct solver_options options = {.steps = UINT32_MAX, .stop = stop_soon, .context = &asked};
	struct setting s = set_up(&options);
	term all[3];

	hard_question(&s, all);
	assert_int_equal(solver_check(s.solver, all, 3, NULL, NULL), SOLVER_UNKNOWN);
	assert_int_equal(asked, 2);
	assert_true(solver_counts(s.solver).seconds < 60);
	assert_int_equal(solver_check(s.solver, all, 3, NULL, NULL), SOLVER_UNKNOWN);
	tear_down(&s);
}

/* --- files --- */

static void printed(void **state)
{
	struct setting s = set_up(NULL);
	term x = term_variable(s.terms, 64, 4);
	term sum = two(&s, TERM_FADD, x, number(&s, 1));
	term all[2] = {two(&s, TERM_FLT, sum, x), term_equals(s.terms, x, 0)};
	struct str text = STR_INIT;
	char expected[600];

	solver_print(s.solver, all, 2, &text);
	snprintf(expected, sizeof(expected),
	         "(set-logic QF_BVFP)\n"
	         "(declare-const v4 (_ BitVec 64))\n"
	         "(declare-const t%u (_ BitVec 64))\n"
	         "(assert (= ((_ to_fp 11 53) t%u) (fp.add RNE ((_ to_fp 11 53) v4) ((_ to_fp 11 "
	         "53) #x3ff0000000000000))))\n"
	         "(define-fun t%u () (_ BitVec 1) (ite (fp.lt ((_ to_fp 11 53) t%u) ((_ to_fp 11 "
	         "53) "
	         "v4)) #b1 #b0))\n"
	         "(define-fun t%u () (_ BitVec 1) (ite (= v4 #x0000000000000000) #b1 #b0))\n"
	         "(assert (! (= t%u #b1) :named a0))\n"
	         "(assert (! (= t%u #b1) :named a1))\n"
	         "(check-sat)\n",
	         sum, sum, all[0], sum, all[1], all[0], all[1]);
	assert_string_equal(str_text(&text), expected);
	str_deinit(&text);
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_systems),
		cmocka_unit_test(constants_and_guesses),
		cmocka_unit_test(walk_through_divisions),
		cmocka_unit_test(model),
		cmocka_unit_test(floats),
		cmocka_unit_test(bits_of_nan),
		cmocka_unit_test(steps_are_limited),
		cmocka_unit_test(size_is_limited),
		cmocka_unit_test(stops),
		cmocka_unit_test(printed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
