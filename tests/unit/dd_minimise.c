/*
 * Minimising against brute force: random tests over few units, given as a table of verdicts of all
 * subsets, so that every set that a search could be asked about is known.
 */
#include "dd_pool.h"

#define MOST 10 /* units */

struct table {
	uint32_t count;
	uint8_t verdicts[1 << MOST];
};

static uint32_t number_of(const struct dd_set *set)
{
	return (uint32_t)set->words[0];
}

static enum verdict judge(void *context, const struct dd_set *set)
{
	const struct table *t = context;

	assert_int_equal(set->count, t->count);
	assert_int_equal(set->size, __builtin_popcountll(set->words[0]));
	return t->verdicts[number_of(set)];
}

/* Fails iff one of some random sets is within; others pass or are unresolved. */
static void make_monotone(struct table *t, uint64_t *seed)
{
	uint32_t needed[3], all = (1u << t->count) - 1;
	int n = 1 + (int)(pool_random(seed) % 3);

	for (int i = 0; i < n; i++)
		needed[i] = (uint32_t)(pool_random(seed) & pool_random(seed)) & all;
	for (uint32_t s = 0; s <= all; s++) {
		t->verdicts[s] = pool_random(seed) % 2 ? VERDICT_PASS : VERDICT_UNRESOLVED;
		for (int i = 0; i < n; i++)
			if ((s & needed[i]) == needed[i])
				t->verdicts[s] = VERDICT_FAIL;
	}
}

/* Anything at all, but for the whole set. */
static void make_wild(struct table *t, uint64_t *seed)
{
	uint32_t all = (1u << t->count) - 1;
	uint32_t often = 2 + (uint32_t)(pool_random(seed) % 8);

	for (uint32_t s = 0; s <= all; s++) {
		uint64_t r = pool_random(seed) % often;

		t->verdicts[s] = r == 0 ? VERDICT_FAIL : r == 1 ? VERDICT_UNRESOLVED : VERDICT_PASS;
	}
	t->verdicts[all] = VERDICT_FAIL;
}

static void make_table(struct table *t, uint64_t *seed)
{
	t->count = 1 + (uint32_t)(pool_random(seed) % MOST);
	if (pool_random(seed) % 2)
		make_monotone(t, seed);
	else
		make_wild(t, seed);
}

static void check_minimal(const struct table *t, uint32_t set)
{
	assert_int_equal(t->verdicts[set], VERDICT_FAIL);
	for (uint32_t i = 0; i < t->count; i++)
		if (set >> i & 1 && t->verdicts[set ^ 1u << i] == VERDICT_FAIL)
			fail_msg("%x is not 1-minimal of %u: %u can go", set, t->count, i);
}

static uint32_t minimise(struct table *t, enum dd_order order, uint32_t room, uint64_t seed,
                         struct dd_stats *stats)
{
	struct pool p = {.judge = judge, .context = t, .room = room, .seed = seed};
	struct dd_search search = pool_search(&p, t->count, order);
	struct dd_set set;
	uint32_t result;

	dd_set_init(&set, t->count, true);
	assert_null(dd_minimise(&search, &set, stats));
	assert_false(stats->stopped);
	assert_int_equal(stats->tests, p.started);
	assert_int_equal(p.failing, set.size);
	if (room == 1)
		assert_int_equal(stats->tests, stats->asked);
	result = number_of(&set);
	dd_set_deinit(&set);
	pool_deinit(&p);
	return result;
}

static void check_random(enum dd_order order)
{
	uint64_t seed = 42 + order;
	struct dd_stats stats;

	for (int round = 0; round < 3000; round++) {
		struct table t;

		make_table(&t, &seed);
		check_minimal(&t, minimise(&t, order, 1, seed, &stats));
	}
}

static void test_fast_is_minimal(void **state)
{
	check_random(DD_FAST);
}

static void test_textbook_is_minimal(void **state)
{
	check_random(DD_TEXTBOOK);
}

/* Result, asked and cached do not depend on the number of workers nor on who is ready first. */
static void test_same_for_all_pools(void **state)
{
	static const uint32_t rooms[] = {1, 2, 3, 8, 64};
	uint64_t seed = 7;

	for (int round = 0; round < 600; round++) {
		struct table t;
		struct dd_stats first, stats;
		enum dd_order order = round % 2 ? DD_FAST : DD_TEXTBOOK;
		uint32_t result;

		make_table(&t, &seed);
		result = minimise(&t, order, 1, seed, &first);
		for (uint32_t i = 0; i < 5; i++) {
			assert_int_equal(minimise(&t, order, rooms[i], seed + i, &stats), result);
			assert_int_equal(stats.asked, first.asked);
			assert_int_equal(stats.cached, first.cached);
			assert_true(stats.tests >= stats.asked);
		}
	}
}

/* Stopped after any number of verdicts, the result fails. */
static void test_stop(void **state)
{
	uint64_t seed = 9;

	for (int round = 0; round < 300; round++) {
		struct table t;
		struct pool p = {
			.judge = judge, .context = &t, .room = 1 + round % 4, .seed = seed | 1};
		struct dd_search search;
		struct dd_stats stats;
		struct dd_set set;

		make_table(&t, &seed);
		p.stop_after = 1 + (uint64_t)round % 7;
		search = pool_search(&p, t.count, round % 2 ? DD_FAST : DD_TEXTBOOK);
		dd_set_init(&set, t.count, true);
		assert_null(dd_minimise(&search, &set, &stats));
		if (!stats.stopped)
			check_minimal(&t, number_of(&set));
		assert_true(p.waits <= p.stop_after || !stats.stopped);
		assert_int_equal(judge(&t, &set), VERDICT_FAIL);
		dd_set_deinit(&set);
		pool_deinit(&p);
	}
}

/* An error of start or wait is handed on; the best so far is kept, nothing is left running. */
static void test_errors(void **state)
{
	uint64_t seed = 11;
	int errors = 0;

	for (int round = 0; round < 400; round++) {
		struct table t;
		struct pool p = {
			.judge = judge, .context = &t, .room = 1 + round % 4, .seed = seed | 1};
		struct dd_search search;
		struct hence_error *error;
		struct dd_set set;
		const char *text = round % 2 ? "start" : "wait";

		make_table(&t, &seed);
		*(round % 2 ? &p.bad_start : &p.bad_wait) = 1 + (uint64_t)round % 9;
		search = pool_search(&p, t.count, round % 3 ? DD_FAST : DD_TEXTBOOK);
		dd_set_init(&set, t.count, true);
		error = dd_minimise(&search, &set, NULL);
		if (error) {
			assert_string_equal(error->message, text);
			errors++;
		}
		assert_int_equal(set.size, p.failing);
		assert_int_equal(judge(&t, &set), VERDICT_FAIL);
		error_destroy(error);
		dd_set_deinit(&set);
		pool_deinit(&p);
	}
	assert_true(errors > 200);
}

static void test_nothing_to_do(void **state)
{
	struct table t = {.count = 0};
	struct dd_stats stats;

	for (enum dd_order order = DD_FAST; order <= DD_TEXTBOOK; order++) {
		struct pool p = {.judge = judge, .context = &t, .room = 2, .seed = 1};
		struct dd_search search = pool_search(&p, 0, order);
		struct dd_set set;

		dd_set_init(&set, 0, true);
		assert_null(dd_minimise(&search, &set, &stats));
		assert_int_equal(stats.tests, 0);
		dd_set_deinit(&set);
		pool_deinit(&p);
	}
}

/* Counted by hand. Needed is 3 of 0..3: {}, 01, 23 (fails), 2, 3 (fails). Needed are 0 and 3: {},
   01, 23, their complements (known), 0, 1, 2, 3, 123, 023 (fails); then 0, 2, 3, 23 (known), 03
   (fails); then both halves and their complements (known). */
static void test_by_hand(void **state)
{
	struct table t = {.count = 4};
	struct dd_stats stats;

	for (uint32_t s = 0; s < 16; s++)
		t.verdicts[s] = s & 8 ? VERDICT_FAIL : VERDICT_PASS;
	assert_int_equal(minimise(&t, DD_TEXTBOOK, 1, 1, &stats), 8);
	assert_int_equal(stats.asked, 5);
	assert_int_equal(stats.cached, 0);
	for (uint32_t s = 0; s < 16; s++)
		t.verdicts[s] = (s & 9) == 9 ? VERDICT_FAIL : VERDICT_PASS;
	assert_int_equal(minimise(&t, DD_TEXTBOOK, 1, 1, &stats), 9);
	assert_int_equal(stats.asked, 10);
	assert_int_equal(stats.cached, 10);
}

/* A test that is itself a search: searches share nothing. */
static enum verdict judge_nested(void *context, const struct dd_set *set)
{
	struct table inner = {.count = 6};
	struct dd_stats stats;
	uint32_t needed = number_of(set) & 5;

	for (uint32_t s = 0; s < 64; s++)
		inner.verdicts[s] = (s & needed) == needed ? VERDICT_FAIL : VERDICT_PASS;
	return minimise(&inner, DD_FAST, 3, 7, &stats) == 5 ? VERDICT_FAIL : VERDICT_PASS;
}

static void test_nested(void **state)
{
	struct pool p = {.judge = judge_nested, .room = 3, .seed = 5};
	struct dd_search search = pool_search(&p, 6, DD_FAST);
	struct dd_set set;

	dd_set_init(&set, 6, true);
	assert_null(dd_minimise(&search, &set, NULL));
	assert_int_equal(number_of(&set), 5);
	dd_set_deinit(&set);
	pool_deinit(&p);
}

/* Only part of the units may be in the set at the beginning; the others are never tried. */
static enum verdict judge_part(void *context, const struct dd_set *set)
{
	const struct dd_set *whole = context;

	assert_true(dd_set_within(set, whole));
	return dd_set_has(set, 130) && dd_set_has(set, 70) ? VERDICT_FAIL : VERDICT_PASS;
}

static void test_part_of_the_units(void **state)
{
	for (enum dd_order order = DD_FAST; order <= DD_TEXTBOOK; order++) {
		struct dd_set set, whole;
		struct pool p = {.judge = judge_part, .context = &whole, .room = 3, .seed = 5};
		struct dd_search search = pool_search(&p, 200, order);

		dd_set_init(&set, 200, true);
		for (uint32_t i = 0; i < 200; i += 3)
			dd_set_put(&set, i, false);
		dd_set_copy(&whole, &set);
		p.failing = set.size;
		assert_null(dd_minimise(&search, &set, NULL));
		assert_int_equal(set.size, 2);
		assert_true(dd_set_has(&set, 70) && dd_set_has(&set, 130));
		dd_set_deinit(&set);
		dd_set_deinit(&whole);
		pool_deinit(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fast_is_minimal),
		cmocka_unit_test(test_textbook_is_minimal),
		cmocka_unit_test(test_same_for_all_pools),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_nothing_to_do),
		cmocka_unit_test(test_part_of_the_units),
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_nested),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
