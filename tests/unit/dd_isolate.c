/*
 * Isolating against brute force: random verdicts of all subsets of a few units, the ends
 * anywhere. Where nothing is unresolved it is a binary search.
 */
#include "dd_pool.h"

#define MOST 10 /* units */

struct table {
	uint32_t count;
	uint8_t verdicts[1 << MOST];
};

static enum verdict judge(void *context, const struct dd_set *set)
{
	const struct table *t = context;

	return t->verdicts[set->words[0]];
}

static void make_table(struct table *t, uint64_t *seed)
{
	uint32_t unresolved = (uint32_t)(pool_random(seed) % 101);

	t->count = 1 + (uint32_t)(pool_random(seed) % MOST);
	for (uint32_t s = 0; s < 1u << t->count; s++)
		t->verdicts[s] = pool_random(seed) % 100 < unresolved ? VERDICT_UNRESOLVED
		                 : pool_random(seed) % 2              ? VERDICT_FAIL
		                                                      : VERDICT_PASS;
}

/* The ends of a search. */
struct ends {
	struct dd_set passing, failing;
};

/* Any failing set but the empty one, any passing set within; makes the table say so. */
static void make_ends(struct table *t, struct ends *ends, uint64_t *seed)
{
	dd_set_init(&ends->failing, t->count, false);
	dd_set_init(&ends->passing, t->count, false);
	dd_set_put(&ends->failing, (uint32_t)(pool_random(seed) % t->count), true);
	for (uint32_t i = 0; i < t->count; i++) {
		bool was = dd_set_has(&ends->failing, i);

		dd_set_put(&ends->failing, i, was || pool_random(seed) % 8);
		if (!was && dd_set_has(&ends->failing, i))
			dd_set_put(&ends->passing, i, pool_random(seed) % 8 == 0);
	}
	t->verdicts[ends->failing.words[0]] = VERDICT_FAIL;
	t->verdicts[ends->passing.words[0]] = VERDICT_PASS;
}

static void ends_deinit(struct ends *ends)
{
	dd_set_deinit(&ends->passing);
	dd_set_deinit(&ends->failing);
}

static void check_ends(const struct table *t, const struct ends *ends, bool minimal)
{
	uint64_t passing = ends->passing.words[0], failing = ends->failing.words[0];
	uint64_t between = failing & ~passing;

	assert_true(dd_set_within(&ends->passing, &ends->failing));
	assert_int_equal(t->verdicts[passing], VERDICT_PASS);
	assert_int_equal(t->verdicts[failing], VERDICT_FAIL);
	if (!minimal || ends->failing.size - ends->passing.size == 1)
		return;
	for (uint32_t i = 0; i < t->count; i++) {
		if (!(between >> i & 1))
			continue;
		assert_int_equal(t->verdicts[passing | 1u << i], VERDICT_UNRESOLVED);
		assert_int_equal(t->verdicts[failing ^ 1u << i], VERDICT_UNRESOLVED);
	}
}

/* --- the same by recursion, as the paper writes it --- */

struct recursion {
	const struct table *table;
	uint32_t passing, failing;
	bool seen[1 << MOST];
	uint32_t tests;
};

static enum verdict ask(struct recursion *r, uint32_t set)
{
	r->tests += !r->seen[set];
	r->seen[set] = true;
	return r->table->verdicts[set];
}

/* Piece i of n of the bits. */
static uint32_t piece_of(uint32_t bits, uint32_t n, uint32_t i)
{
	uint32_t size = (uint32_t)__builtin_popcount(bits), from = 0, to = 0, piece = 0;

	for (uint32_t k = 0; k <= i; k++) {
		from = to;
		to += (size - to) / (n - k);
	}
	for (uint32_t bit = 0, rank = 0; bit < MOST; bit++) {
		if (!(bits >> bit & 1))
			continue;
		piece |= rank >= from && rank < to ? 1u << bit : 0;
		rank++;
	}
	return piece;
}

static void recur(struct recursion *r, uint32_t passing, uint32_t failing, uint32_t n,
                  uint32_t first)
{
	uint32_t between = failing & ~passing, size = (uint32_t)__builtin_popcount(between);

	r->passing = passing;
	r->failing = failing;
	if (size < 2)
		return;
	n = n < 2 ? 2 : n > size ? size : n;
	first = first < n ? first : 0;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t i = (first + k) % n, piece = piece_of(between, n, i);
		enum verdict more = ask(r, passing | piece), less;

		if (more == VERDICT_FAIL)
			return recur(r, passing, passing | piece, 2, 0);
		if (more == VERDICT_PASS && n == 2)
			return recur(r, passing | piece, failing, 2, 0);
		less = ask(r, failing & ~piece);
		if (less == VERDICT_PASS)
			return recur(r, failing & ~piece, failing, 2, 0);
		if (more == VERDICT_PASS)
			return recur(r, passing | piece, failing, n - 1, i);
		if (less == VERDICT_FAIL)
			return recur(r, passing, failing & ~piece, n - 1, i);
	}
	if (n < size)
		recur(r, passing, failing, 2 * n, 0);
}

/* --- tests --- */

static struct pool new_pool(struct table *t, const struct ends *ends, uint32_t room, uint64_t seed)
{
	return (struct pool){
		.judge = judge,
		.context = t,
		.room = room,
		.seed = seed | 1,
		.failing = ends->failing.size,
		.passing = ends->passing.size,
	};
}

static struct hence_error *isolate(struct pool *p, struct ends *ends, struct dd_stats *stats)
{
	uint32_t failing = p->failing;
	struct dd_search search = pool_search(p, ends->failing.count, DD_FAST);
	struct hence_error *error;

	p->failing = failing;
	error = dd_isolate(&search, &ends->passing, &ends->failing, stats);
	assert_int_equal(ends->passing.size, p->passing);
	assert_int_equal(ends->failing.size, p->failing);
	pool_deinit(p);
	return error;
}

static void test_as_published(void **state)
{
	uint64_t seed = 51;

	for (int round = 0; round < 2000; round++) {
		struct table t;
		struct ends ends;
		struct dd_stats stats;
		struct recursion r = {.table = &t};
		struct pool p;

		make_table(&t, &seed);
		make_ends(&t, &ends, &seed);
		recur(&r, (uint32_t)ends.passing.words[0], (uint32_t)ends.failing.words[0], 2, 0);
		p = new_pool(&t, &ends, 1, seed);
		assert_null(isolate(&p, &ends, &stats));
		assert_int_equal(ends.passing.words[0], r.passing);
		assert_int_equal(ends.failing.words[0], r.failing);
		assert_int_equal(stats.asked, r.tests);
		ends_deinit(&ends);
	}
}

static void test_minimal(void **state)
{
	uint64_t seed = 21;

	for (int round = 0; round < 5000; round++) {
		struct table t;
		struct ends ends;
		struct dd_stats stats;
		struct pool p;

		make_table(&t, &seed);
		make_ends(&t, &ends, &seed);
		p = new_pool(&t, &ends, 1, seed);
		assert_null(isolate(&p, &ends, &stats));
		assert_int_equal(stats.asked, stats.tests);
		check_ends(&t, &ends, true);
		ends_deinit(&ends);
	}
}

static void test_same_for_all_pools(void **state)
{
	static const uint32_t rooms[] = {1, 2, 5, 32};
	uint64_t seed = 31;

	for (int round = 0; round < 800; round++) {
		struct table t;
		struct ends begin, first = {0};
		struct dd_stats stats, right = {0};

		make_table(&t, &seed);
		make_ends(&t, &begin, &seed);
		for (uint32_t r = 0; r < 4; r++) {
			struct pool p = new_pool(&t, &begin, rooms[r], seed + r);
			struct ends ends;

			dd_set_copy(&ends.passing, &begin.passing);
			dd_set_copy(&ends.failing, &begin.failing);
			assert_null(isolate(&p, &ends, &stats));
			if (!r) {
				first = ends;
				right = stats;
				continue;
			}
			assert_true(dd_set_equal(&ends.passing, &first.passing));
			assert_true(dd_set_equal(&ends.failing, &first.failing));
			assert_int_equal(stats.asked, right.asked);
			assert_int_equal(stats.cached, right.cached);
			ends_deinit(&ends);
		}
		ends_deinit(&begin);
		ends_deinit(&first);
	}
}

/* Stopped or broken off anywhere, the ends are what they say. */
static void test_broken_off(void **state)
{
	uint64_t seed = 41;
	int errors = 0, stopped = 0;

	for (int round = 0; round < 900; round++) {
		struct table t;
		struct ends ends;
		struct dd_stats stats;
		struct hence_error *error;
		uint64_t when = 1 + (uint64_t)round % 7;
		struct pool p;

		make_table(&t, &seed);
		make_ends(&t, &ends, &seed);
		p = new_pool(&t, &ends, 1 + round % 4, seed);
		*(round % 3 == 0   ? &p.stop_after
		  : round % 3 == 1 ? &p.bad_wait
		                   : &p.bad_start) = when;
		error = isolate(&p, &ends, &stats);
		errors += error != NULL;
		stopped += stats.stopped;
		check_ends(&t, &ends, !error && !stats.stopped);
		error_destroy(error);
		ends_deinit(&ends);
	}
	assert_true(errors > 100);
	assert_true(stopped > 50);
}

/* Fails from a certain number of units on: an overflow. */
static enum verdict judge_size(void *context, const struct dd_set *set)
{
	const uint32_t *limit = context;

	return set->size >= *limit ? VERDICT_FAIL : VERDICT_PASS;
}

static void test_binary_search(void **state)
{
	uint32_t limit;

	for (limit = 1; limit <= 1024; limit += 31) {
		struct ends ends;
		struct dd_stats stats;
		struct pool p = {.judge = judge_size, .context = &limit, .room = 2, .seed = limit};

		p.failing = 1024;
		dd_set_init(&ends.passing, 1024, false);
		dd_set_init(&ends.failing, 1024, true);
		assert_null(isolate(&p, &ends, &stats));
		assert_int_equal(ends.failing.size, limit);
		assert_int_equal(ends.passing.size, limit - 1);
		assert_int_equal(stats.asked, 10);
		ends_deinit(&ends);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_minimal),
		cmocka_unit_test(test_as_published),
		cmocka_unit_test(test_same_for_all_pools),
		cmocka_unit_test(test_broken_off),
		cmocka_unit_test(test_binary_search),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
