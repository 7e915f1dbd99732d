/* The decoder's memory against plain arrays that say the same, under random operations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "trace/memory.h"

#define BASE  0x7ffff000ull /* the pages lie on both sides of 2^31 */
#define PAGES 4u
#define SIZE  (PAGES * MEMORY_PAGE)

/* What memory should be. */
struct model {
	uint8_t bytes[SIZE], undefined[SIZE];
	uint32_t source[SIZE];
	uint32_t object[SIZE / MEMORY_WORD];
	bool there[PAGES];
};

static uint64_t seed = 88172645463325252ull;

static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed >> 8;
}

/* A page is born with a pattern of its own. */
static uint32_t born_source(uint64_t at)
{
	return at % 100 < 30 ? 0 : 2;
}

static void fresh(void *context, struct memory_page *page)
{
	for (uint32_t i = 0; i < MEMORY_PAGE; i++) {
		page->bytes[i] = (uint8_t)i;
		page->source[i] = born_source(page->address + i);
	}
}

/* --- the model --- */

static void touch(struct model *m, uint64_t at, uint64_t size)
{
	for (uint64_t page = at / MEMORY_PAGE; page * MEMORY_PAGE < at + size; page++) {
		if (m->there[page])
			continue;
		m->there[page] = true;
		for (uint64_t i = page * MEMORY_PAGE; i < (page + 1) * MEMORY_PAGE; i++) {
			m->bytes[i] = (uint8_t)(i % MEMORY_PAGE);
			m->source[i] = born_source(BASE + i);
		}
	}
}

static void set(struct model *m, uint64_t at, uint8_t byte, uint8_t undefined, uint32_t source)
{
	m->bytes[at] = byte;
	m->undefined[at] = undefined;
	m->source[at] = source;
	m->object[at / MEMORY_WORD] = 0;
}

static void model_copy(struct model *m, uint64_t to, uint64_t from, uint64_t size, uint32_t source)
{
	struct model *old = malloc(sizeof(*old));

	touch(m, to, size);
	touch(m, from, size);
	*old = *m;
	for (uint64_t i = 0; i < size; i++)
		set(m, to + i, old->bytes[from + i], old->undefined[from + i],
		    old->source[from + i] ? source : 0);
	/* only whole words are pointers */
	if (to % MEMORY_WORD == 0 && from % MEMORY_WORD == 0)
		for (uint64_t i = 0; i + MEMORY_WORD <= size; i += MEMORY_WORD)
			m->object[(to + i) / MEMORY_WORD] = old->object[(from + i) / MEMORY_WORD];
	free(old);
}

/* --- one operation on both --- */

static void do_store(struct memory *memory, struct model *m, uint64_t at, uint32_t source)
{
	uint32_t size = 1 + next_random() % 8;
	struct memory_value v = {.bits = next_random() << 30 ^ next_random(),
	                         .undefined = next_random() % 3 ? 0 : next_random(),
	                         .source = source,
	                         .object = source + 7};

	if (next_random() % 2) {
		at &= ~7ull;
		size = 8;
	}
	touch(m, at, size);
	for (uint32_t i = 0; i < size; i++)
		set(m, at + i, (uint8_t)(v.bits >> 8 * i), (uint8_t)(v.undefined >> 8 * i), source);
	if (size == 8 && at % 8 == 0)
		m->object[at / 8] = v.object;
	memory_store(memory, BASE + at, size, &v);
}

static void do_write(struct memory *memory, struct model *m, uint64_t at, uint64_t size,
                     uint32_t source)
{
	uint64_t words[4], undefined[4];
	uint8_t *bytes = (uint8_t *)words;
	bool defined = next_random() % 2;

	size = size < sizeof(words) ? size : sizeof(words);
	for (uint32_t i = 0; i < 4; i++) {
		words[i] = next_random() << 20 ^ next_random();
		undefined[i] = defined ? 0 : next_random() << 20;
	}
	touch(m, at, size);
	for (uint64_t i = 0; i < size; i++)
		set(m, at + i, bytes[i], ((uint8_t *)undefined)[i], source);
	if (defined)
		memory_write(memory, BASE + at, bytes, size, source);
	else
		memory_write_words(memory, BASE + at, words, undefined, (uint32_t)size, source);
}

static void do_fill(struct memory *memory, struct model *m, uint64_t at, uint64_t size,
                    uint32_t source)
{
	uint8_t byte = (uint8_t)next_random();

	touch(m, at, size);
	for (uint64_t i = 0; i < size; i++)
		set(m, at + i, byte, 0, source);
	memory_fill(memory, BASE + at, byte, size, source);
}

static void do_forget(struct memory *memory, struct model *m, uint64_t at, uint64_t size,
                      uint32_t source)
{
	bool all = next_random() % 2, lose = next_random() % 2;

	if (all)
		touch(m, at, size);
	for (uint64_t i = 0; i < size; i++)
		if (m->there[(at + i) / MEMORY_PAGE])
			set(m, at + i, m->bytes[at + i], lose ? 0 : 0xff, lose ? 0 : source);
	if (lose)
		memory_lose(memory, BASE + at, size, all);
	else
		memory_forget(memory, BASE + at, size, source, all);
}

static void do_copy(struct memory *memory, struct model *m, uint64_t to, uint64_t size,
                    uint32_t source)
{
	uint64_t from = next_random() % (SIZE - size);

	if (next_random() % 2) /* overlaps */
		from = to + next_random() % 64 < SIZE - size ? to + next_random() % 8 * 8 : to;
	if (from + size > SIZE)
		from = to;
	if (next_random() % 2) {
		to &= ~7ull;
		from &= ~7ull;
	}
	model_copy(m, to, from, size, source);
	memory_copy(memory, BASE + to, BASE + from, size, source);
}

static void do_one(struct memory *memory, struct model *m)
{
	uint64_t size = 1 + next_random() % (next_random() % 8 ? 40 : 2 * MEMORY_PAGE);
	uint64_t at = next_random() % (SIZE - size - 8);
	uint32_t source = 16 + (uint32_t)(next_random() % 5);

	switch (next_random() % 8) {
	case 0:
	case 1:
	case 2: do_store(memory, m, at, source); break;
	case 3: do_write(memory, m, at, size, source); break;
	case 4: do_fill(memory, m, at, size, source); break;
	case 5: do_forget(memory, m, at, size, source); break;
	default: do_copy(memory, m, at, size, source);
	}
}

/* --- questions --- */

static void check_load(struct memory *memory, struct model *m, uint64_t at, uint32_t size)
{
	struct memory_value v = memory_load(memory, BASE + at, size);
	uint64_t bits = 0, undefined = 0;
	bool known = true, mixed = false;

	touch(m, at, size);
	for (uint32_t i = 0; i < size; i++) {
		bits |= (uint64_t)m->bytes[at + i] << 8 * i;
		undefined |= (uint64_t)m->undefined[at + i] << 8 * i;
		known &= m->source[at + i] != 0;
		mixed |= m->source[at + i] != m->source[at];
	}
	assert_int_equal(v.bits, bits);
	assert_int_equal(v.undefined, undefined);
	assert_int_equal(v.known, known);
	assert_int_equal(v.source, mixed ? MEMORY_MIXED : m->source[at]);
	assert_int_equal(v.object, size == 8 && at % 8 == 0 ? m->object[at / 8] : 0);
}

static void check_range(struct memory *memory, struct model *m, uint64_t at, uint64_t size)
{
	static uint8_t out[SIZE], undefined[SIZE];
	uint64_t known = 0, defined = 0, run = 0;
	uint32_t source;

	touch(m, at, size);
	while (known < size && m->source[at + known])
		known++;
	while (defined < size && !m->undefined[at + defined])
		defined++;
	while (run < size && m->source[at + run] == m->source[at])
		run++;
	assert_int_equal(memory_read(memory, BASE + at, size, out), known);
	assert_memory_equal(out, m->bytes + at, known);
	for (uint64_t i = known; i < size; i++)
		assert_int_equal(out[i], 0);
	memory_read_undefined(memory, BASE + at, size, undefined);
	assert_memory_equal(undefined, m->undefined + at, size);
	assert_int_equal(memory_find_undefined(memory, BASE + at, size), defined);
	assert_int_equal(memory_source_run(memory, BASE + at, size, &source), run);
	assert_int_equal(source, m->source[at]);
}

static void check_all(struct memory *memory, const struct model *m)
{
	for (uint32_t p = 0; p < PAGES; p++) {
		uint64_t at = (uint64_t)p * MEMORY_PAGE;
		const struct memory_page *page;

		assert_int_equal(memory_has_page(memory, BASE + at), m->there[p]);
		if (!m->there[p])
			continue;
		page = memory_page(memory, BASE + at);
		assert_memory_equal(page->bytes, m->bytes + at, MEMORY_PAGE);
		assert_memory_equal(page->undefined, m->undefined + at, MEMORY_PAGE);
		assert_memory_equal(page->source, m->source + at, sizeof(page->source));
		assert_memory_equal(page->object, m->object + at / MEMORY_WORD,
		                    sizeof(page->object));
	}
}

/* --- tests --- */

static void test_random(void **state)
{
	struct model *m = malloc(sizeof(*m));

	for (uint32_t round = 0; round < 40; round++) {
		struct memory memory;

		memory_init(&memory, fresh, NULL);
		memset(m, 0, sizeof(*m));
		for (uint32_t i = 0; i < 200; i++) {
			do_one(&memory, m);
			check_load(&memory, m, next_random() % (SIZE - 8), 1 + next_random() % 8);
			check_load(&memory, m, next_random() % (SIZE - 8) & ~7ull, 8);
			check_range(&memory, m, next_random() % (SIZE - 300),
			            1 + next_random() % 300);
			if (i % 20 == 0)
				check_all(&memory, m);
		}
		check_all(&memory, m);
		memory_deinit(&memory);
	}
	free(m);
}

/* A range that was taken out is as it was, whatever is written afterwards. */
static void test_taken(void **state)
{
	struct model *m = malloc(sizeof(*m)), *then = malloc(sizeof(*then));
	struct memory memory;

	memory_init(&memory, fresh, NULL);
	memset(m, 0, sizeof(*m));
	for (uint32_t i = 0; i < 300; i++) {
		uint64_t size = 1 + next_random() % 5000, from = next_random() % (SIZE - size);
		uint64_t to = next_random() % (SIZE - size);
		struct memory_block *block;

		if (i % 2) {
			from &= ~7ull;
			to &= ~7ull;
		}
		block = memory_take(&memory, BASE + from, size);
		touch(m, from, size);
		*then = *m;
		for (uint32_t k = 0; k < 5; k++)
			do_one(&memory, m);
		memory_put(&memory, BASE + to, block, 99);
		touch(m, to, size);
		for (uint64_t k = 0; k < size; k++)
			set(m, to + k, then->bytes[from + k], then->undefined[from + k],
			    then->source[from + k] ? 99 : 0);
		for (uint64_t k = 0; from % 8 + to % 8 == 0 && k + 8 <= size; k += 8)
			m->object[(to + k) / 8] = then->object[(from + k) / 8];
		check_all(&memory, m);
		free(block);
	}
	memory_deinit(&memory);
	free(then);
	free(m);
}

/* A bound of pages: what was there before stays as it was. */
static void test_bound(void **state)
{
	struct memory memory;
	uint32_t source;

	memory_init(&memory, fresh, NULL);
	memory.most = 2;
	memory_fill(&memory, BASE, 5, MEMORY_PAGE, 20);
	memory_fill(&memory, BASE + MEMORY_PAGE, 6, 100, 21);
	assert_false(memory.exhausted);
	memory_fill(&memory, BASE + MEMORY_PAGE, 7, 3 * MEMORY_PAGE, 22);
	assert_true(memory.exhausted);
	memory_fill(&memory, BASE + 100 * MEMORY_PAGE, 8, 50 * MEMORY_PAGE, 23);
	assert_int_equal(memory.pages.size, 2);
	assert_int_equal(memory_load(&memory, BASE + 8, 1).bits, 5);
	assert_int_equal(memory_load(&memory, BASE + MEMORY_PAGE + 8, 1).bits, 7);
	assert_int_equal(memory_source_run(&memory, BASE, MEMORY_PAGE, &source), MEMORY_PAGE);
	assert_int_equal(source, 20);
	memory_deinit(&memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_taken),
		cmocka_unit_test(test_bound),
	};

	return cmocka_run_group_tests_name("trace_memory", tests, NULL, NULL);
}
