/*
 * Refutations of claims about made-up runs: a list of symbols with definitions stands for a run (it takes the place of
 * symbolic.c). On random runs the solver, which has a test of its own, confirms that what was found is a
 * contradiction, minimal, and the latest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "solve/refute.h"

/* --- a made-up run --- */

#define MOST_SYMBOLS 300000

struct symbolic {
	struct terms *terms;
	struct symbol *symbols;
	struct symbolic_definition *definitions;
	uint64_t *values;
	uint32_t count;
	term branches[64]; /* by instance; 0: it is none */
};

struct terms *symbolic_terms(const struct symbolic *symbolic)
{
	return symbolic->terms;
}

const struct symbol *symbolic_symbol(const struct symbolic *symbolic, uint32_t index)
{
	assert_true(index < symbolic->count);
	return &symbolic->symbols[index];
}

uint64_t symbolic_actual(void *context, uint64_t number)
{
	return number >= TERM_ANY ? 0 : ((struct symbolic *)context)->values[number];
}

uint64_t symbolic_made(const struct symbolic *symbolic)
{
	return symbolic->count;
}

const struct symbolic_definition *symbolic_define(struct symbolic *symbolic, uint32_t index)
{
	return &symbolic->definitions[index];
}

term symbolic_branch(struct symbolic *symbolic, uint32_t instance, uint32_t way)
{
	return instance < 64 ? symbolic->branches[instance] : 0;
}

struct run {
	struct symbolic symbolic;
	struct terms *terms;
	struct solver *solver;
};

static struct run begin_run(void)
{
	struct run run = {.terms = terms_create()};

	run.solver = solver_create(run.terms, NULL);
	run.symbolic.terms = run.terms;
	run.symbolic.symbols = mem_alloc(MOST_SYMBOLS * sizeof(struct symbol));
	run.symbolic.definitions = mem_alloc(MOST_SYMBOLS * sizeof(struct symbolic_definition));
	run.symbolic.values = mem_alloc(MOST_SYMBOLS * sizeof(uint64_t));
	return run;
}

static void end_run(struct run *run)
{
	solver_destroy(run->solver);
	terms_destroy(run->terms);
	free(run->symbolic.symbols);
	free(run->symbolic.definitions);
	free(run->symbolic.values);
}

/* A symbol of the next instance, which is its index and 1. */
static term compute(struct run *run, term definition)
{
	struct symbolic *s = &run->symbolic;
	uint32_t index = s->count++, bits = term_at(run->terms, definition)->bits;

	assert_true(index < MOST_SYMBOLS);
	s->symbols[index] = (struct symbol){.instance = index + 1, .bits = bits};
	s->definitions[index] = (struct symbolic_definition){SYMBOLIC_COMPUTED, definition};
	s->values[index] = term_evaluate(run->terms, definition, symbolic_actual, s);
	return term_variable(run->terms, bits, index);
}

/* A branch on a condition, as an instance of its own. */
static uint32_t branch(struct run *run, term condition)
{
	uint32_t instance = run->symbolic.count + 1;

	if (!term_evaluate(run->terms, condition, symbolic_actual, &run->symbolic))
		condition = term_not(run->terms, condition);
	compute(run, term_constant(run->terms, 1, 0));
	run->symbolic.branches[instance] = condition;
	return instance;
}

static term number(struct run *run, uint64_t value)
{
	return term_constant(run->terms, 32, value);
}

static term two(struct run *run, enum term_op op, term a, term b)
{
	return term_make(run->terms, op, 0, a, b, 0);
}

static void check_list(const uint32_t *at, uint32_t size, const char *expected)
{
	struct str text = STR_INIT;

	for (uint32_t i = 0; i < size; i++)
		str_printf(&text, "%s%u", i ? " " : "", at[i]);
	assert_string_equal(str_text(&text), expected);
	str_deinit(&text);
}

#define check_instances(vec, expected) check_list((vec).at, (vec).size, expected)

static struct refute_question ask(struct run *run, term claim)
{
	return (struct refute_question){.claim = claim, .before = run->symbolic.count + 1};
}

/* --- folding --- */

/* Copies, and what is behind a constant. */
static void folds(void **state)
{
	struct run run = begin_run();
	term input = compute(&run, number(&run, 5));                            /* 1 */
	term other = compute(&run, number(&run, 8));                            /* 2 */
	term seven = compute(&run, number(&run, 7));                            /* 3 */
	term none = compute(&run, two(&run, TERM_MUL, input, number(&run, 0))); /* 4: 0 already */
	term product = compute(&run, two(&run, TERM_MUL, other, none));         /* 5 */
	term copy = compute(&run, seven);                                       /* 6 */
	term sum = compute(&run, two(&run, TERM_ADD, copy, product));           /* 7 */
	struct refute_question question = ask(&run, term_equals(run.terms, sum, 9));
	struct refutation r;

	refute(&run.symbolic, NULL, &question, &r);
	assert_int_equal(r.how, REFUTED_FOLDED);
	assert_int_equal(r.cut, 3);
	assert_true(r.certain);
	assert_false(r.limited);
	check_instances(r.transforming, "7 6 5 4 3"); /* neither 1 nor 2 */
	refutation_deinit(&r);
	end_run(&run);
}

/* Of a choice the arm that is taken. */
static void folds_choice(void **state)
{
	struct run run = begin_run();
	term condition = compute(&run, term_constant(run.terms, 1, 1));
	term yes = compute(&run, number(&run, 4)), no = compute(&run, number(&run, 6));
	term chosen = compute(&run, term_make(run.terms, TERM_CHOICE, 0, condition, yes, no));
	struct refute_question question = ask(&run, term_equals(run.terms, chosen, 6));
	struct refutation r;

	refute(&run.symbolic, run.solver, &question, &r);
	assert_int_equal(r.how, REFUTED_FOLDED);
	check_instances(r.transforming, "4 2 1");
	refutation_deinit(&r);
	end_run(&run);
}

static bool is_second(void *context, uint32_t instance)
{
	return instance == 2;
}

static bool is_third(void *context, uint32_t instance)
{
	return instance == 3;
}

static void fixed(void **state)
{
	struct run run = begin_run();
	term one = compute(&run, number(&run, 4));
	term correct = compute(&run, two(&run, TERM_ADD, one, one));
	term copy = compute(&run, correct);
	struct refute_question question = ask(&run, term_equals(run.terms, copy, 9));
	struct refutation r;

	question.is_fixed = is_second;
	refute(&run.symbolic, run.solver, &question, &r);
	assert_int_equal(r.how, REFUTED_FOLDED);
	assert_int_equal(r.cut, 3);
	check_instances(r.transforming, "3");
	refutation_deinit(&r);
	end_run(&run);
}

/* The claim holds; it depends on what is not known; what is not known does not matter. */
static void not_refuted(void **state)
{
	struct run run = begin_run();
	term one = compute(&run, number(&run, 4)), any = compute(&run, term_any(run.terms, 32));
	term given =
		compute(&run, term_make(run.terms, TERM_CHOICE, 0, term_equals(run.terms, one, 4),
	                                number(&run, 3), term_any(run.terms, 32)));
	const struct {
		term claim;
		enum refuted how;
	} cases[] = {{term_equals(run.terms, one, 4), REFUTED_NOT},
	             {term_equals(run.terms, any, 4), REFUTED_NOT},
	             {term_equals(run.terms, given, 4), REFUTED_FOLDED}};

	for (uint32_t i = 0; i < 3; i++) {
		struct refute_question question = ask(&run, cases[i].claim);
		struct refutation r;

		refute(&run.symbolic, run.solver, &question, &r);
		assert_int_equal(r.how, cases[i].how);
		refutation_deinit(&r);
	}
	end_run(&run);
}

/* x - y is 0 whatever x is, if y is a copy of it: no need to look further back. */
static void folds_as_term(void **state)
{
	struct run run = begin_run();
	term far = compute(&run, number(&run, 3));
	term x = compute(&run, two(&run, TERM_MUL, far, far));
	term y = compute(&run, x);
	term difference = compute(&run, two(&run, TERM_SUB, x, y));
	struct refute_question question = ask(&run, term_equals(run.terms, difference, 1));
	struct refutation r;

	refute(&run.symbolic, run.solver, &question, &r);
	assert_int_equal(r.how, REFUTED_FOLDED);
	assert_int_equal(r.cut, 3);
	check_instances(r.transforming, "4 3");
	refutation_deinit(&r);
	end_run(&run);
}

/* What a call gives is computed behind it: an argument (1), the call (2), its body (3, 4). */
static void calls(void **state)
{
	struct run run = begin_run();
	term argument = compute(&run, number(&run, 4)), result, call, returned, copy;
	struct refute_question question;
	struct refutation r;
	uint64_t values[2];

	call = compute(&run, number(&run, 8));
	result = compute(&run, two(&run, TERM_ADD, argument, argument));
	returned = compute(&run, result);
	run.symbolic.definitions[1] = (struct symbolic_definition){SYMBOLIC_RETURNED, returned};
	copy = compute(&run, call);
	question = ask(&run, term_equals(run.terms, copy, 9));
	refute(&run.symbolic, run.solver, &question, &r);
	assert_int_equal(r.how, REFUTED_FOLDED);
	assert_int_equal(r.cut, 1);
	check_instances(r.transforming, "5 4 3 2 1");
	refutation_deinit(&r);
	question.is_fixed = is_third;
	refute(&run.symbolic, run.solver, &question, &r);
	assert_int_equal(r.cut, 4); /* not 2, where the call is */
	check_instances(r.transforming, "5 4 2");
	refutation_deinit(&r);
	question.is_fixed = NULL;
	assert_int_equal(refute_propose(&run.symbolic, run.solver, &question, 3, values, 2), 1);
	assert_int_equal(values[0], 9);
	end_run(&run);
}

/* --- with branches --- */

/* if (x > 10) ... if (x + 1 < 5): the second test is contradicted by the first, not by where x is from. */
static void solved(void **state)
{
	struct run run = begin_run();
	term x = compute(&run, number(&run, 12)), other = compute(&run, number(&run, 1)); /* 1, 2 */
	uint32_t first = branch(&run, two(&run, TERM_SLT, number(&run, 10), x));          /* 3 */
	uint32_t unrelated = branch(&run, two(&run, TERM_SLT, other, number(&run, 10)));  /* 4 */
	uint32_t weak = branch(&run, two(&run, TERM_SLT, x, number(&run, 100)));          /* 5 */
	term sum = compute(&run, two(&run, TERM_ADD, x, number(&run, 1)));                /* 6 */
	struct refute_question question = ask(&run, two(&run, TERM_SLT, sum, number(&run, 5)));
	const uint32_t branches[] = {unrelated, first, weak};
	struct refutation r;

	question.assumptions = branches;
	question.assumption_count = 3;
	refute(&run.symbolic, run.solver, &question, &r);
	assert_int_equal(r.how, REFUTED_SOLVED); /* x + 1 may wrap round, so both are needed */
	assert_int_equal(r.cut, 3);
	assert_true(r.certain);
	check_instances(r.core, "3 5");
	check_instances(r.transforming, "6");
	assert_int_equal(r.conjuncts.size, 3);
	refutation_deinit(&r);
	refute(&run.symbolic, NULL, &question, &r);
	assert_int_equal(r.how, REFUTED_FOLDED);
	assert_int_equal(r.cut, 1);
	check_instances(r.transforming, "6 1");
	refutation_deinit(&r);
	end_run(&run);
}

static void unknown(void **state)
{
	struct run run = begin_run();
	struct solver_options options = {.steps = 2000};
	struct solver *weak = solver_create(run.terms, &options);
	term x = compute(&run, number(&run, 65521)), y = compute(&run, number(&run, 12));
	term sum = two(&run, TERM_ADD, x, y);
	uint32_t square = branch(
		&run, term_equals(run.terms, two(&run, TERM_MUL, sum, sum), 65533u * 65533u));
	term twice = two(&run, TERM_MUL, two(&run, TERM_MUL, x, y), number(&run, 2));
	term product = compute(&run, two(&run, TERM_ADD,
	                                 two(&run, TERM_ADD, two(&run, TERM_MUL, x, x), twice),
	                                 two(&run, TERM_MUL, y, y)));
	struct refute_question question = ask(&run, term_equals(run.terms, product, 77));
	struct refutation r;

	question.assumptions = &square;
	question.assumption_count = 1;
	refute(&run.symbolic, weak, &question, &r);
	assert_int_equal(r.how, REFUTED_UNKNOWN);
	assert_int_equal(r.cut, 1);
	assert_false(r.certain);
	check_instances(r.transforming, "4 2 1");
	refutation_deinit(&r);
	solver_destroy(weak);
	end_run(&run);
}

/* --- random runs --- */

static uint64_t seed = 5;

static uint32_t below(uint32_t limit)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 20) % limit;
}

static term random_operand(struct run *run)
{
	uint32_t count = run->symbolic.count;

	for (int tries = 0; tries < 5 && count; tries++) {
		uint32_t i = count - 1 - below(count < 6 ? count : 6);

		if (run->symbolic.symbols[i].bits == 3)
			return term_variable(run->terms, 3, i);
	}
	return term_constant(run->terms, 3, below(8));
}

static term random_definition(struct run *run)
{
	term a = random_operand(run), b = random_operand(run);

	switch (below(20)) {
	case 0: return term_any(run->terms, 3);
	case 10:
	case 11: return term_constant(run->terms, 3, below(8));
	case 1:
	case 12: return a;
	case 2:
	case 13:
		return term_make(run->terms, TERM_CHOICE, 0, two(run, TERM_ULT, a, b), b,
		                 random_operand(run));
	case 3:
		return term_make(
			run->terms, TERM_CHOICE, 0,
			term_equals(run->terms, a,
		                    term_evaluate(run->terms, a, symbolic_actual, &run->symbolic)),
			term_constant(run->terms, 3, below(8)), term_any(run->terms, 3));
	default: return two(run, TERM_ADD + below(TERM_CONCAT - TERM_ADD), a, b);
	}
}

/* The claim and branches from a cut on, at the cut. */
struct cut {
	struct symbolic *symbolic;
	uint32_t at;
};

static term replace_from(void *context, uint64_t symbol)
{
	struct cut *cut = context;

	if (symbol >= TERM_ANY || cut->symbolic->symbols[symbol].instance < cut->at)
		return 0;
	return cut->symbolic->definitions[symbol].term;
}

static bool can_hold(struct run *run, const struct refute_question *question, uint32_t at,
                     bool branches)
{
	term all[64] = {question->claim};
	struct cut cut = {&run->symbolic, at};
	uint32_t count = 1;

	for (uint32_t i = 0; i < question->assumption_count && branches; i++)
		if (question->assumptions[i] >= at)
			all[count++] = run->symbolic.branches[question->assumptions[i]];
	term_replace_all(run->terms, all, count, replace_from, &cut);
	return solver_check(run->solver, all, count, NULL, NULL) != SOLVER_UNSATISFIABLE;
}

/* All together contradict each other, but not without any of them. */
static void check_minimal(struct run *run, const struct refutation *r)
{
	term some[64];

	assert_int_equal(r->conjuncts.size, 1 + r->core.size);
	assert_int_equal(solver_check(run->solver, r->conjuncts.at, r->conjuncts.size, NULL, NULL),
	                 SOLVER_UNSATISFIABLE);
	for (uint32_t left = 0; left < r->conjuncts.size; left++) {
		uint32_t count = 0;

		for (uint32_t i = 0; i < r->conjuncts.size; i++)
			if (i != left)
				some[count++] = r->conjuncts.at[i];
		assert_int_equal(solver_check(run->solver, some, count, NULL, NULL),
		                 SOLVER_SATISFIABLE);
	}
}

/* There is none at a later cut, unless the claim alone cannot hold there: that is not asked. */
static void check_latest(struct run *run, const struct refute_question *question,
                         const struct refutation *r)
{
	uint32_t next = r->cut + 1;

	assert_false(can_hold(run, question, r->cut, true));
	if (next <= run->symbolic.count && can_hold(run, question, next, false))
		assert_true(can_hold(run, question, next, true));
}

static void check_transforming(const struct refutation *r)
{
	for (uint32_t i = 0; i < r->transforming.size; i++) {
		assert_true(r->transforming.at[i] >= r->cut);
		assert_true(!i || r->transforming.at[i] < r->transforming.at[i - 1]);
	}
}

static void random_run(uint32_t counts[4])
{
	struct run run = begin_run();
	struct refute_cache *cache = refute_cache_create();
	struct refute_question question;
	uint32_t branches[32], count = 0;
	struct refutation r;
	term claim;

	while (run.symbolic.count < 14)
		if (below(4))
			compute(&run, random_definition(&run));
		else
			branches[count++] =
				branch(&run, two(&run, TERM_EQ + below(3), random_operand(&run),
			                         random_operand(&run)));
	claim = two(&run, TERM_EQ + below(3), random_operand(&run), random_operand(&run));
	if (term_evaluate(run.terms, claim, symbolic_actual, &run.symbolic))
		claim = term_not(run.terms, claim);
	question = ask(&run, claim);
	question.assumptions = branches;
	question.assumption_count = below(3) ? count : 0;
	question.cache = cache;
	for (int round = 0; round < 2; round++) { /* once with what is in the cache */
		refute(&run.symbolic, run.solver, &question, &r);
		counts[r.how] += !round;
		if (r.how != REFUTED_NOT) {
			check_minimal(&run, &r);
			check_transforming(&r);
			if (r.transforming.size)
				check_latest(&run, &question, &r);
		}
		refutation_deinit(&r);
	}
	refute_cache_destroy(cache);
	end_run(&run);
}

static void random_runs(void **state)
{
	uint32_t counts[4] = {0};

	for (int round = 0; round < 250; round++)
		random_run(counts);
	assert_true(counts[REFUTED_FOLDED] > 50);
	assert_true(counts[REFUTED_SOLVED] > 10);
	assert_true(counts[REFUTED_NOT] > 5);
	assert_int_equal(counts[REFUTED_UNKNOWN], 0);
}

/* --- size --- */

/* A loop of many iterations: the counter, and a sum that depends on all of them. */
static void long_run(void **state)
{
	struct run run = begin_run();
	struct refute_cache *cache = refute_cache_create();
	term i = compute(&run, number(&run, 0)), sum = compute(&run, number(&run, 0));
	struct refutation r;

	while (run.symbolic.count < MOST_SYMBOLS - 2) {
		i = compute(&run, two(&run, TERM_ADD, i, number(&run, 1)));
		sum = compute(&run, two(&run, TERM_XOR, sum, i));
	}
	for (int round = 0; round < 3; round++) {
		struct refute_question question = ask(&run, term_equals(run.terms, sum, round + 1));

		if (term_evaluate(run.terms, question.claim, symbolic_actual, &run.symbolic))
			continue;
		question.cache = cache;
		refute(&run.symbolic, run.solver, &question, &r);
		assert_int_equal(r.cut, 1);
		assert_int_equal(r.transforming.size, run.symbolic.count);
		refutation_deinit(&r);
	}
	refute_cache_destroy(cache);
	end_run(&run);
}

static void limited(void **state)
{
	struct run run = begin_run();
	term x = compute(&run, number(&run, 1));
	struct refute_question question;
	struct refutation r;

	for (int i = 0; i < 10; i++)
		x = compute(&run, two(&run, TERM_ADD, x, number(&run, 1)));
	question = ask(&run, term_equals(run.terms, x, 3));
	question.most = 0;
	refute(&run.symbolic, NULL, &question, &r);
	assert_false(r.limited);
	assert_int_equal(r.transforming.size, 11);
	refutation_deinit(&r);
	question.most = 4;
	refute(&run.symbolic, NULL, &question, &r);
	assert_true(r.limited);
	assert_int_equal(r.how, REFUTED_FOLDED);
	assert_true(r.transforming.size <= 5);
	refutation_deinit(&r);
	end_run(&run);
}

/* --- values --- */

static void proposes(void **state)
{
	struct run run = begin_run();
	term base = compute(&run, number(&run, 100));
	term x = compute(&run, number(&run, 6));
	term aside = compute(&run, number(&run, 1));
	term square = compute(&run, two(&run, TERM_MUL, x, x));
	term sum = compute(&run, two(&run, TERM_ADD, square, base));
	struct refute_question question = ask(&run, term_equals(run.terms, sum, 5129));
	uint64_t values[4];

	assert_true(aside != 0);
	assert_int_equal(refute_propose(&run.symbolic, run.solver, &question, 3, values, 4), 0);
	assert_int_equal(refute_propose(&run.symbolic, run.solver, &question, 4, values, 4), 1);
	assert_int_equal(values[0], 5029);
	assert_int_equal(refute_propose(&run.symbolic, run.solver, &question, 1, values, 4), 1);
	assert_int_equal(values[0], 5129 - 36);
	question = ask(&run, two(&run, TERM_ULT, sum, number(&run, 130)));
	assert_true(refute_propose(&run.symbolic, run.solver, &question, 2, values, 4) == 4);
	assert_int_equal(values[0], 5);
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < i; k++)
			assert_int_not_equal(values[i], values[k]);
	for (int i = 0; i < 4; i++)
		assert_true((uint32_t)(values[i] * values[i] + 100) < 130);
	question = ask(&run, term_equals(run.terms, sum, 100 + 71 * 71));
	assert_int_equal(refute_propose(&run.symbolic, run.solver, &question, 2, values, 1), 1);
	assert_int_equal((uint32_t)(values[0] * values[0]), 71 * 71);
	end_run(&run);
}

/* Four bytes of one instance are one number. */
static void proposes_bytes(void **state)
{
	struct run run = begin_run();
	term whole = 0;
	struct refute_question question;
	uint64_t values[2];

	for (uint32_t i = 0; i < 4; i++) {
		term byte = compute(&run, term_constant(run.terms, 8, i));

		run.symbolic.symbols[i].instance = 1;
		run.symbolic.symbols[i].at = 1000 + i;
		whole = whole ? two(&run, TERM_CONCAT, byte, whole) : byte;
	}
	question = ask(&run, term_equals(run.terms, compute(&run, whole), 0xdeadbeef));
	assert_int_equal(refute_propose(&run.symbolic, run.solver, &question, 1, values, 2), 1);
	assert_int_equal(values[0], 0xdeadbeef);
	end_run(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folds),          cmocka_unit_test(folds_choice),
		cmocka_unit_test(fixed),          cmocka_unit_test(not_refuted),
		cmocka_unit_test(folds_as_term),  cmocka_unit_test(calls),
		cmocka_unit_test(solved),         cmocka_unit_test(unknown),
		cmocka_unit_test(random_runs),    cmocka_unit_test(long_run),
		cmocka_unit_test(limited),        cmocka_unit_test(proposes),
		cmocka_unit_test(proposes_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
