/* Ranges of memory that have more pages than there are, as a damaged tape can tell of them: the same
   as page by page, and no endless loop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "trace/memory.h"

#define BASE 0x10000u

static void fresh(void *context, struct memory_page *page)
{
	memset(page->undefined, 0, sizeof(page->undefined));
}

/* Two pages with a gap between them. */
static void fill(struct memory *m)
{
	memory_init(m, fresh, NULL);
	memory_fill(m, BASE, 1, MEMORY_PAGE, 20);
	memory_fill(m, BASE + 2 * MEMORY_PAGE, 2, MEMORY_PAGE, 21);
}

static void check(struct memory *m, uint64_t address, bool undefined, uint32_t source)
{
	uint32_t found;

	memory_source_run(m, address, 1, &found);
	assert_int_equal(found, source);
	assert_int_equal(memory_find_undefined(m, address, 1), undefined ? 0 : 1);
}

static void test_huge(void **state)
{
	struct memory m;

	fill(&m);
	alarm(20);
	memory_forget(&m, BASE + 10, (uint64_t)1 << 62, 30, false);
	check(&m, BASE + 9, false, 20);
	check(&m, BASE + 10, true, 30);
	check(&m, BASE + 3 * MEMORY_PAGE - 1, true, 30);
	assert_int_equal(m.pages.size, 2);
	memory_lose(&m, BASE + 2 * MEMORY_PAGE + 5, (uint64_t)1 << 62, false);
	alarm(0);
	check(&m, BASE + 2 * MEMORY_PAGE + 4, true, 30);
	check(&m, BASE + 2 * MEMORY_PAGE + 5, false, 0);
	memory_deinit(&m);
}

/* From each of some places on, over each of some lengths: what a range of 1 page each says. */
static void test_same(void **state)
{
	static const uint64_t places[] = {BASE - 5 * MEMORY_PAGE, BASE - 1, BASE + 7,
	                                  BASE + MEMORY_PAGE, BASE + 3 * MEMORY_PAGE};
	static const uint64_t sizes[] = {3 * MEMORY_PAGE, 5 * MEMORY_PAGE + 3, 6 * MEMORY_PAGE + 8};
	struct memory whole, pieces;

	for (size_t p = 0; p < 5; p++)
		for (size_t s = 0; s < 3; s++) {
			fill(&whole);
			fill(&pieces);
			memory_forget(&whole, places[p], sizes[s], 30, false);
			for (uint64_t at = 0; at < sizes[s]; at++)
				memory_forget(&pieces, places[p] + at, 1, 30, false);
			for (uint64_t at = BASE; at < BASE + 3 * MEMORY_PAGE; at++) {
				uint32_t source;

				if (!memory_has_page(&pieces, at))
					continue;
				memory_source_run(&pieces, at, 1, &source);
				check(&whole, at, !memory_find_undefined(&pieces, at, 1), source);
			}
			memory_deinit(&whole);
			memory_deinit(&pieces);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_huge),
		cmocka_unit_test(test_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
