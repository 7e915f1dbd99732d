/* Sets of units against plain arrays of truth values, at sizes around those of words. */
#include <string.h>

#include "dd_pool.h"

#define MOST 200

static void fill(struct dd_set *set, bool *plain, uint32_t count, uint64_t *seed)
{
	uint64_t often = 1 + pool_random(seed) % 4;

	dd_set_init(set, count, false);
	for (uint32_t i = 0; i < count; i++) {
		plain[i] = pool_random(seed) % often == 0;
		dd_set_put(set, i, plain[i]);
	}
}

static void check_same(const struct dd_set *set, const bool *plain)
{
	uint32_t size = 0;

	for (uint32_t i = 0; i < set->count; i++) {
		assert_int_equal(dd_set_has(set, i), plain[i]);
		if (plain[i])
			assert_int_equal(dd_set_nth(set, size), i);
		size += plain[i];
	}
	assert_int_equal(set->size, size);
	assert_int_equal(dd_set_nth(set, size), set->count);
}

static void check_ranges(struct dd_set *set, bool *plain, const struct dd_set *other,
                         const bool *other_plain, uint64_t *seed)
{
	uint32_t from = (uint32_t)(pool_random(seed) % (set->count + 1));
	uint32_t to = (uint32_t)(pool_random(seed) % (set->count + 1));
	bool in = pool_random(seed) % 2;
	uint32_t right = 0;

	for (uint32_t i = from; i < to; i++)
		right += plain[i];
	assert_int_equal(dd_set_count(set, from, to), right);
	dd_set_put_range(set, other, from, to, in);
	for (uint32_t i = from; i < to; i++)
		if (other_plain[i])
			plain[i] = in;
	check_same(set, plain);
}

static void test_random(void **state)
{
	uint64_t seed = 99;

	for (int round = 0; round < 2000; round++) {
		bool plain[MOST], other_plain[MOST];
		struct dd_set set, other, copy, less;
		uint32_t count = (uint32_t)(pool_random(&seed) % MOST);
		bool within = true;

		fill(&set, plain, count, &seed);
		fill(&other, other_plain, count, &seed);
		dd_set_copy(&copy, &set);
		assert_true(dd_set_equal(&copy, &set));
		assert_int_equal(dd_set_hash(&copy), dd_set_hash(&set));
		for (uint32_t i = 0; i < count; i++)
			within &= !plain[i] || other_plain[i];
		assert_int_equal(dd_set_within(&set, &other), within);
		dd_set_init(&less, count, true);
		dd_set_subtract(&less, &set, &other);
		for (uint32_t i = 0; i < count; i++)
			assert_int_equal(dd_set_has(&less, i), plain[i] && !other_plain[i]);
		check_ranges(&set, plain, &other, other_plain, &seed);
		assert_int_equal(dd_set_equal(&copy, &set),
		                 !memcmp(copy.words, set.words, (count + 63) / 64 * 8));
		dd_set_deinit(&set);
		dd_set_deinit(&other);
		dd_set_deinit(&copy);
		dd_set_deinit(&less);
	}
}

static void test_full(void **state)
{
	for (uint32_t count = 0; count <= 130; count++) {
		struct dd_set set;

		dd_set_init(&set, count, true);
		assert_int_equal(set.size, count);
		assert_int_equal(dd_set_count(&set, 0, count), count);
		dd_set_put_range(&set, &set, 0, count, false);
		assert_int_equal(set.size, 0);
		dd_set_deinit(&set);
	}
}

/* Neighbouring sets, as searches have them, all have hashes of their own. */
static void test_hashes(void **state)
{
	uint64_t hashes[2000];
	struct dd_set set;

	dd_set_init(&set, 1000, true);
	for (uint32_t i = 0; i < 2000; i++) {
		dd_set_put(&set, i % 1000, i >= 1000);
		hashes[i] = dd_set_hash(&set);
		for (uint32_t k = 0; k < i; k++)
			assert_true(hashes[i] != hashes[k]);
	}
	dd_set_deinit(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_hashes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
