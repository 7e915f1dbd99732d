/* The objects of a run against a plain list of them, under random births and deaths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "trace/objects.h"

#define MOST  4000u
#define SPACE 3000u /* addresses */

static struct object list[MOST + 1]; /* by number */
static uint32_t count;
static uint64_t seed = 1234567;

static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed >> 8;
}

static bool is_live(uint32_t number)
{
	return !list[number].death && list[number].kind != OBJECT_LOCAL;
}

/* The first live one that ends behind the address. */
static uint32_t model_next(uint64_t address)
{
	uint32_t best = 0;

	for (uint32_t n = 1; n <= count; n++)
		if (is_live(n) && list[n].address + list[n].size > address &&
		    (!best || list[n].address < list[best].address))
			best = n;
	return best;
}

static uint32_t model_find(uint64_t address)
{
	uint32_t n = model_next(address);

	return n && list[n].address <= address ? n : 0;
}

static bool overlap(const struct object *a, const struct object *b)
{
	return a->address < b->address + b->size && b->address < a->address + a->size;
}

static void add(struct objects *o, struct object object)
{
	for (uint32_t n = 1; n <= count; n++)
		if (is_live(n) && object.kind != OBJECT_LOCAL && overlap(&list[n], &object))
			list[n].death = object.birth;
	list[++count] = object;
	assert_int_equal(objects_add(o, &object), count);
}

static void check(struct objects *o)
{
	for (uint32_t i = 0; i < 20; i++) {
		uint64_t address = next_random() % (SPACE + 100);

		assert_int_equal(objects_find(o, address), model_find(address));
		assert_int_equal(objects_next(o, address), model_next(address));
	}
	for (uint32_t n = 1; n <= count; n++) {
		assert_int_equal(objects_at(o, n)->death, list[n].death);
		assert_int_equal(objects_at(o, n)->size, list[n].size);
	}
}

static uint32_t random_live(void)
{
	uint32_t start = count ? 1 + (uint32_t)(next_random() % count) : 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t n = 1 + (start + i) % count;

		if (is_live(n))
			return n;
	}
	return 0;
}

/* How large it can grow. */
static uint64_t room_of(uint32_t number)
{
	uint64_t end = SPACE;

	for (uint32_t n = 1; n <= count; n++)
		if (is_live(n) && list[n].address > list[number].address && list[n].address < end)
			end = list[n].address;
	return end - list[number].address;
}

static void test_random(void **state)
{
	struct objects o;

	objects_init(&o);
	while (count < MOST) {
		uint32_t birth = count + 20, live = random_live();
		struct object object = {.address = 16 + next_random() % (SPACE - 100),
		                        .size = 1 + next_random() % 80,
		                        .birth = birth,
		                        .kind = next_random() % 5 ? OBJECT_HEAP : OBJECT_LOCAL};

		switch (next_random() % 4) {
		case 0:
			if (live) {
				objects_end(&o, live, birth);
				list[live].death = birth;
			}
			break;
		case 1:
			if (live) {
				list[live].size = 1 + next_random() % room_of(live);
				objects_resize(&o, live, list[live].size);
			}
			break;
		default: add(&o, object);
		}
		if (count % 50 == 0)
			check(&o);
	}
	check(&o);
	objects_deinit(&o);
}

/* The same heap address again and again: pointers to the dead ones keep their numbers. */
static void test_reused(void **state)
{
	struct object object = {.address = 4096, .size = 32, .kind = OBJECT_HEAP};
	struct objects o;

	objects_init(&o);
	for (uint32_t i = 1; i <= 5; i++) {
		object.birth = 100 * i;
		assert_int_equal(objects_add(&o, &object), i);
		assert_int_equal(objects_find(&o, 4127), i);
		objects_end(&o, i, 100 * i + 50);
		assert_int_equal(objects_find(&o, 4127), 0);
		objects_end(&o, 1, 150); /* once more: changes nothing */
	}
	for (uint32_t i = 1; i <= 5; i++)
		assert_int_equal(objects_at(&o, i)->death, 100 * i + 50);
	objects_deinit(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_reused),
	};

	return cmocka_run_group_tests_name("trace_objects", tests, NULL, NULL);
}
