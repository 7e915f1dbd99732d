/* The hash map against a plain array, with growth, removal and long runs of collisions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/map.h"

static uint64_t bad_hash(uint64_t key)
{
	return key % 3; /* nearly all keys collide, so runs wrap around the end of the table */
}

MAP_DEFINE_U64(number_map, uint32_t);
MAP_DEFINE_STRING(name_map, int);
MAP_DEFINE(crowded_map, uint64_t, uint32_t, bad_hash, map_equal_u64);

static void test_empty(void **state)
{
	struct number_map map = MAP_INIT;

	assert_null(number_map_find(&map, 0));
	assert_false(number_map_remove(&map, 0));
	map_each(&map, i) fail_msg("an empty map has an entry at %zu", i);
	number_map_deinit(&map);
}

static void test_put_gives_zero_then_the_same_entry(void **state)
{
	struct number_map map = MAP_INIT;

	assert_int_equal(*number_map_put(&map, 42), 0);
	*number_map_put(&map, 42) = 7;
	assert_int_equal(*number_map_put(&map, 42), 7);
	assert_int_equal(map.size, 1);
	assert_int_equal(*number_map_find(&map, 42), 7);
	assert_null(number_map_find(&map, 43));
	number_map_deinit(&map);
	assert_int_equal(map.size, 0);
	assert_null(number_map_find(&map, 42));
}

static void test_extreme_keys(void **state)
{
	struct number_map map = MAP_INIT;

	*number_map_put(&map, 0) = 1;
	*number_map_put(&map, UINT64_MAX) = 2;
	*number_map_put(&map, (uint64_t)1 << 63) = 3;
	assert_int_equal(*number_map_find(&map, 0), 1);
	assert_int_equal(*number_map_find(&map, UINT64_MAX), 2);
	assert_int_equal(*number_map_find(&map, (uint64_t)1 << 63), 3);
	number_map_deinit(&map);
}

static void test_many(void **state)
{
	struct number_map map = MAP_INIT;
	uint64_t seen = 0;

	for (uint32_t i = 0; i < 100000; i++)
		*number_map_put(&map, (uint64_t)i << 12) = i;
	assert_int_equal(map.size, 100000);
	assert_true(map.room >= map.size && (map.room & (map.room - 1)) == 0);
	for (uint32_t i = 0; i < 100000; i++)
		assert_int_equal(*number_map_find(&map, (uint64_t)i << 12), i);
	map_each(&map, i) seen += map.at[i].value;
	assert_int_equal(seen, (uint64_t)100000 * 99999 / 2);
	number_map_deinit(&map);
}

/* A removed entry's value must not come back when its key is put again. */
static void test_put_after_remove_is_zero(void **state)
{
	struct number_map map = MAP_INIT;

	*number_map_put(&map, 5) = 9;
	assert_true(number_map_remove(&map, 5));
	assert_false(number_map_remove(&map, 5));
	assert_int_equal(map.size, 0);
	assert_int_equal(*number_map_put(&map, 5), 0);
	number_map_deinit(&map);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* Random puts and removes on a map whose keys collide; `model` is the truth. Value 0: not there. */
static void test_collisions_against_array(void **state)
{
	struct crowded_map map = MAP_INIT;
	uint32_t model[64] = {0};
	uint32_t seed = 1;
	size_t size = 0;

	for (uint32_t step = 1; step <= 20000; step++) {
		uint32_t key = next_random(&seed) % 64;

		if (next_random(&seed) % 2) {
			*crowded_map_put(&map, key) = step;
			size += !model[key];
			model[key] = step;
		} else {
			assert_int_equal(crowded_map_remove(&map, key), model[key] != 0);
			size -= model[key] != 0;
			model[key] = 0;
		}
		assert_int_equal(map.size, size);
		key = next_random(&seed) % 64;
		uint32_t *value = crowded_map_find(&map, key);
		assert_int_equal(value ? *value : 0, model[key]);
	}
	for (uint32_t key = 0; key < 64; key++) {
		uint32_t *value = crowded_map_find(&map, key);

		assert_int_equal(value ? *value : 0, model[key]);
	}
	crowded_map_deinit(&map);
}

static void test_strings_compare_by_text(void **state)
{
	struct name_map map = MAP_INIT;
	char keys[200][8];

	for (int i = 0; i < 200; i++) {
		snprintf(keys[i], sizeof(keys[i]), "n%d", i);
		*name_map_put(&map, keys[i]) = i;
	}
	for (int i = 0; i < 200; i++) {
		char other[8];

		snprintf(other, sizeof(other), "n%d", i);
		assert_int_equal(*name_map_find(&map, other), i);
	}
	assert_null(name_map_find(&map, ""));
	assert_null(name_map_find(&map, "n200"));
	assert_true(name_map_remove(&map, "n7"));
	assert_null(name_map_find(&map, "n7"));
	assert_int_equal(map.size, 199);
	name_map_deinit(&map);
}

/* Aligned addresses, the usual keys, must not end in a few long runs. */
static void test_aligned_keys_spread(void **state)
{
	struct number_map map = MAP_INIT;
	size_t run = 0, longest = 0;

	for (uint64_t i = 0; i < 50000; i++)
		number_map_put(&map, 0x7ffff0000000u + i * 4096);
	for (size_t i = 0; i < map.room; i++) {
		run = map.at[i].used ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	assert_true(longest < 200);
	number_map_deinit(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_put_gives_zero_then_the_same_entry),
		cmocka_unit_test(test_extreme_keys),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_put_after_remove_is_zero),
		cmocka_unit_test(test_collisions_against_array),
		cmocka_unit_test(test_strings_compare_by_text),
		cmocka_unit_test(test_aligned_keys_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
