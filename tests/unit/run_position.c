/* Source positions of addresses, tried on this very program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "run/position.h"

extern const char __ehdr_start[];

__attribute__((noinline)) static void *here(void)
{
	return __builtin_return_address(0);
}

static uint64_t address_in_file(const void *address)
{
	return (uint64_t)((const char *)address - __ehdr_start);
}

static void test_line(void **state)
{
	struct place place;
	uint64_t address = address_in_file(here()) - 1;
	int line = __LINE__ - 1;

	assert_null(position_find("/proc/self/exe", address, &place));
	assert_string_equal(place.function, "test_line");
	assert_non_null(place.file);
	assert_non_null(strstr(place.file, "run_position.c"));
	assert_int_equal(place.line, line);
	place_deinit(&place);
}

static void test_no_place(void **state)
{
	struct place place;

	assert_null(position_find("/proc/self/exe", 1, &place));
	assert_null(place.file);
	assert_null(place.function);
	assert_non_null(place.elf);
	place_deinit(&place);
}

static void test_bad_files(void **state)
{
	struct place place;
	struct hence_error *error = position_find("/nonexistent", 0, &place);

	assert_non_null(error);
	error_destroy(error);
	error = position_find("/dev/null", 0, &place);
	assert_non_null(error);
	error_destroy(error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_no_place),
		cmocka_unit_test(test_bad_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
