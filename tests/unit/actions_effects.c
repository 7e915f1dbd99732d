/* Lists of effects: what is read from a good one, and that no damaged one is taken for good. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/str.h"
#include "actions/effects.h"

static void add(struct str *list, struct hence_effect head, const char *bytes)
{
	str_add_bytes(list, &head, sizeof(head));
	if (head.has_bytes)
		str_add_bytes(list, bytes, head.size);
}

static void make_list(struct str *list)
{
	add(list, (struct hence_effect){.kind = HENCE_INPUT, .stream = 3, .offset = 7, .size = 5},
	    NULL);
	add(list, (struct hence_effect){.kind = HENCE_WROTE, .has_bytes = 1, .size = 5}, "hello");
	add(list, (struct hence_effect){.kind = HENCE_TEXT, .has_bytes = 1, .size = 0}, "");
	add(list,
	    (struct hence_effect){.kind = HENCE_OPENED, .has_bytes = 1, .stream = 4, .size = 2},
	    "ab");
	add(list, (struct hence_effect){.kind = HENCE_OPENED, .stream = 5}, NULL);
	add(list, (struct hence_effect){.kind = HENCE_ALLOCATED, .size = ~0ull}, NULL);
}

static void test_good(void **state)
{
	static const uint8_t kinds[] = {HENCE_INPUT,  HENCE_WROTE,  HENCE_TEXT,
	                                HENCE_OPENED, HENCE_OPENED, HENCE_ALLOCATED};
	struct str list = STR_INIT;
	struct effects effects;
	struct effect effect;

	make_list(&list);
	assert_true(effects_begin((uint8_t *)list.text, list.length, &effects));
	for (size_t i = 0; i < sizeof(kinds); i++) {
		assert_true(effects_next(&effects, &effect));
		assert_int_equal(effect.head.kind, kinds[i]);
		assert_int_equal(effect.bytes != NULL, effect.head.has_bytes);
		if (i == 0)
			assert_int_equal(effect.head.offset, 7);
		if (i == 1)
			assert_memory_equal(effect.bytes, "hello", 5);
		if (i == 3)
			assert_memory_equal(effect.bytes, "ab", 2);
	}
	assert_false(effects_next(&effects, &effect));
	assert_false(effects_next(&effects, &effect));
	str_deinit(&list);
}

static void test_empty(void **state)
{
	struct effects effects;
	struct effect effect;

	assert_true(effects_begin((const uint8_t *)"", 0, &effects));
	assert_false(effects_next(&effects, &effect));
}

/* Cut anywhere but between two effects. Each cut is in memory of its own, for the sanitizer. */
static void test_cut(void **state)
{
	struct str list = STR_INIT;
	struct effects effects;
	struct effect effect;
	uint32_t good = 0;

	make_list(&list);
	for (size_t size = 0; size <= list.length; size++) {
		uint8_t *part = malloc(size ? size : 1);

		memcpy(part, list.text, size);
		if (effects_begin(part, size, &effects)) {
			good++;
			while (effects_next(&effects, &effect))
				;
		}
		free(part);
	}
	assert_int_equal(good, 7); /* six effects have seven ends */
	str_deinit(&list);
}

static bool is_list(struct hence_effect head, uint64_t more)
{
	uint8_t bytes[sizeof(head) + 64] = {0};
	struct effects effects;

	memcpy(bytes, &head, sizeof(head));
	return effects_begin(bytes, sizeof(head) + more, &effects);
}

static void test_damaged(void **state)
{
	assert_true(is_list((struct hence_effect){.kind = HENCE_FREED}, 0));
	assert_false(is_list((struct hence_effect){.kind = 0}, 0));
	assert_false(is_list((struct hence_effect){.kind = HENCE_SEEN + 1}, 0));
	assert_false(is_list((struct hence_effect){.kind = HENCE_FREED, .has_bytes = 1}, 0));
	assert_false(is_list((struct hence_effect){.kind = HENCE_FREED}, 1));
	assert_false(is_list((struct hence_effect){.kind = HENCE_WROTE, .size = 4}, 4));
	assert_true(
		is_list((struct hence_effect){.kind = HENCE_WROTE, .has_bytes = 1, .size = 4}, 4));
	assert_false(
		is_list((struct hence_effect){.kind = HENCE_WROTE, .has_bytes = 2, .size = 4}, 4));
	assert_false(
		is_list((struct hence_effect){.kind = HENCE_WROTE, .has_bytes = 1, .size = 5}, 4));
	assert_false(is_list(
		(struct hence_effect){.kind = HENCE_OPENED, .has_bytes = 1, .size = ~0ull}, 64));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests_name("actions_effects", tests, NULL, NULL);
}
