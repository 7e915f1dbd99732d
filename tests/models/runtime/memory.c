/* Memory and the heap: what is written, allocated, freed; errno; callbacks; noreturn functions. */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "runtime/objects.h"

static void test_quiet_calls_leave_nothing(void **state)
{
	char text[] = "abc", copy[4];
	size_t n;
	void *p;

	CALL(n, strlen, "lp", (text));
	assert_int_equal(n, 3);
	assert_int_equal(effect_count, 0);
	CALL(p, memcpy, "pppl", (copy, text, (size_t)4));
	assert_int_equal(effect_count, 0);
	CALL(p, strcat, "ppp", (copy, ""));
	assert_int_equal(effect_count, 0);
}

static void test_heap(void **state)
{
	char *p, *q;
	uint64_t start, size;

	CALL(p, malloc, "pl", ((size_t)100));
	assert_int_equal(effect_count, 1);
	assert_int_equal(effect_of(HENCE_ALLOCATED, 0)->e.address, (uint64_t)p);
	assert_int_equal(effects[0].e.size, 100);
	assert_true(hence_rt_objects_find((uint64_t)p + 99, &start, &size));
	assert_int_equal(start, (uint64_t)p);
	assert_false(hence_rt_objects_find((uint64_t)p + 100, &start, &size));
	CALL(q, realloc, "ppl", (p, (size_t)5000));
	assert_int_equal(effect_count, 2);
	assert_int_equal(effects[0].e.kind, HENCE_FREED);
	assert_int_equal(effects[0].e.argument, 1);
	assert_int_equal(effects[1].e.kind, HENCE_ALLOCATED);
	assert_int_equal(effects[1].e.address, (uint64_t)q);
	assert_int_equal(hence_rt_objects_size((uint64_t)q), 5000);
	CALL_VOID(free, "vp", (q));
	assert_int_equal(effect_of(HENCE_FREED, 0)->e.address, (uint64_t)q);
	assert_int_equal(hence_rt_objects_size((uint64_t)q), 0);
	CALL_VOID(free, "vp", (NULL));
	assert_int_equal(effect_count, 0);
	CALL(p, calloc, "pll", ((size_t)3, (size_t)8));
	assert_int_equal(effect_of(HENCE_ALLOCATED, 0)->e.size, 24);
	CALL(q, strdup, "pp", ("four"));
	assert_int_equal(effect_of(HENCE_ALLOCATED, 0)->e.size, 5);
	assert_int_equal(effect_of(HENCE_ALLOCATED, 0)->e.address, (uint64_t)q);
	free(p);
	free(q);
}

static void test_failing_call_writes_errno(void **state)
{
	volatile size_t huge = SIZE_MAX;
	int expected = ENOMEM;
	char *p;

	CALL(p, malloc, "pl", (huge));
	assert_null(p);
	assert_int_equal(effect_count, 1);
	assert_wrote(effect_of(HENCE_WROTE, 0), &errno, &expected, sizeof(int));
}

static void test_sizes_from_expressions(void **state)
{
	char buffer[32], *end, *token, *save, text[] = "a,b";
	int n, e;
	long l;
	double d;

	CALL(n, snprintf, "iplpi", (buffer, (size_t)4, "%d", 123456));
	assert_wrote(effect_of(HENCE_WROTE, 0), buffer, "123", 4);
	assert_int_equal(effect_of(HENCE_WROTE, 0)->e.argument, 1);
	CALL(n, snprintf, "iplpi", (NULL, (size_t)0, "%d", 123456));
	assert_int_equal(effect_count, 0);
	CALL(n, snprintf, "iplpi", (buffer, (size_t)-1 >> 1, "%d", 77));
	assert_wrote(effect_of(HENCE_WROTE, 0), buffer, "77", 3);
	CALL(n, sprintf, "ippd", (buffer, "%.2f", 1.5));
	assert_wrote(effect_of(HENCE_WROTE, 0), buffer, "1.50", 5);
	CALL(l, strtol, "lppi", ("12x", &end, 10));
	assert_int_equal(l, 12);
	assert_wrote(effect_of(HENCE_WROTE, 0), &end, &end, 8);
	CALL(d, frexp, "ddp", (8.0, &e));
	assert_true(d == 0.5);
	assert_wrote(effect_of(HENCE_WROTE, 0), &e, &e, 4);
	CALL(token, strtok_r, "pppp", (text, ",", &save));
	assert_wrote(effect_of(HENCE_WROTE, 0), text + 1, "", 1);
	assert_wrote(effect_of(HENCE_WROTE, 1), &save, &save, 8);
	assert_string_equal(token, "a");
}

static void test_percent_n(void **state)
{
	int n, count = 0;
	long counted = 0;
	char buffer[32];

	CALL(n, sprintf, "ipppiidp", (buffer, "%s%*d%g%%%ln", "ab", 5, 7, 1.0, &counted));
	assert_int_equal(n, counted);
	assert_wrote(effect_of(HENCE_WROTE, 0), &counted, &counted, 8);
	assert_int_equal(effects[0].e.argument, 7);
	CALL(n, snprintf, "iplppdp", (NULL, (size_t)0, "%s%.1f%n!", "ab", 1.0, &count));
	assert_int_equal(count, 5);
	assert_int_equal(effect_count, 1);
	assert_wrote(effect_of(HENCE_WROTE, 0), &count, &count, 4);
	assert_int_equal(effects[0].e.argument, 6);
}

/* --- va_lists --- */

static int wrapped(char *to, const char *format, ...)
{
	struct hence_rt_call *call;
	va_list list;
	int n;

	va_start(list, format);
	call = call_begin("vsprintf", "ippp", to, format, list);
	n = vsprintf(to, format, list);
	call_end(call, &n, sizeof(n));
	va_end(list);
	return n;
}

static void test_va_list(void **state)
{
	char buffer[100];
	int count = -1;
	int n = wrapped(buffer, "%d %d %g %Lf %d %s%n", 1, 2, 1.5, 2.5L, 3, "x", &count);

	assert_int_equal(n, 20);
	assert_string_equal(buffer, "1 2 1.5 2.500000 3 x");
	assert_int_equal(count, 20);
	assert_wrote(effect_of(HENCE_WROTE, 0), &count, &count, 4);
	/* The list was used up, which its owner may see. */
	assert_int_equal(effect_of(HENCE_WROTE, 1)->e.size, 24);
	assert_int_equal(effect_of(HENCE_WROTE, 1)->e.argument, 3);
	assert_wrote(effect_of(HENCE_WROTE, 2), buffer, buffer, 21);
}

/* --- callbacks --- */

static uint32_t compared;
static jmp_buf out;

static int compare(const void *a, const void *b)
{
	size_t n;

	/* A call of an outside function inside of one. */
	CALL(n, strlen, "lp", ("x"));
	compared += (uint32_t)n;
	return *(const int *)a - *(const int *)b;
}

static void test_qsort(void **state)
{
	int a[] = {3, 1, 2}, sorted[] = {1, 2, 3};

	compared = 0;
	CALL_VOID(qsort, "vpllp", (a, (size_t)3, sizeof(int), compare));
	assert_true(compared >= 2);
	assert_int_equal(effect_count, 1);
	assert_wrote(effect_of(HENCE_WROTE, 0), a, sorted, sizeof(sorted));
}

static int jump(const void *a, const void *b)
{
	longjmp(out, 1);
}

/* Frames that longjmp() leaves behind are used again, however often that happens. */
static void test_longjmp_out_of_callbacks(void **state)
{
	static volatile int round;
	int a[] = {2, 1};
	char *p;

	for (round = 0; round < 100000; round++) {
		core_depth = 1;
		if (!setjmp(out)) {
			call_begin("qsort", "vpllp", a, (size_t)2, sizeof(int), jump);
			qsort(a, 2, sizeof(int), jump);
		}
	}
	core_depth = 1;
	CALL(p, strdup, "pp", ("x"));
	assert_int_equal(count_of(HENCE_ALLOCATED), 1);
	free(p);
}

/* --- ways out --- */

static void test_texts_before_the_end(void **state)
{
	struct hence_rt_call *call = call_begin("__assert_fail", "vppip", "x > 0", "a.c", 17, "f");

	tape_walk();
	assert_int_equal(effect_count, 3);
	assert_int_equal(effects[0].e.kind, HENCE_TEXT);
	assert_memory_equal(effects[0].bytes, "x > 0", 5);
	assert_int_equal(effects[0].e.size, 5);
	assert_memory_equal(effects[1].bytes, "a.c", 3);
	assert_int_equal(effects[2].e.argument, 4);
	call_end(call, NULL, 0);
	assert_int_equal(effect_count, 3);
}

static void test_wrong_text_does_no_harm(void **state)
{
	struct hence_rt_call *call = call_begin("execv", "ipp", (void *)0x123000, NULL);
	int r = -1;

	call_end(call, &r, sizeof(r));
	assert_int_equal(effect_count, 0);
}

static void test_missing_arguments_do_no_harm(void **state)
{
	struct hence_rt_call *call = call_begin("strtol", "l");
	long l = 0;

	call_end(call, &l, sizeof(l));
	assert_int_equal(effect_count, 0);
}

static void test_functions_met_through_pointers(void **state)
{
	struct hence_rt_import named = {.name = "strlen"}, met = {.address = strlen}, none = {0};

	hence_rt_outside_resolve(&named);
	hence_rt_outside_resolve(&met);
	hence_rt_outside_resolve(&none);
	assert_true(named.model != 0);
	assert_int_equal(named.model, met.model);
	assert_int_equal(none.model, 0);
}

static void test_many_objects(void **state)
{
	enum { COUNT = 20000 };
	static char *p[COUNT];
	uint64_t start, size;

	for (int i = 0; i < COUNT; i++) {
		p[i] = malloc((size_t)i % 200 + 1);
		hence_rt_objects_add((uint64_t)p[i], (uint64_t)i % 200 + 1);
	}
	for (int i = 0; i < COUNT; i += 2) {
		hence_rt_objects_remove((uint64_t)p[i]);
		free(p[i]);
	}
	for (int i = 1; i < COUNT; i += 2) {
		assert_true(
			hence_rt_objects_find((uint64_t)p[i] + (uint64_t)i % 200, &start, &size));
		assert_int_equal(start, (uint64_t)p[i]);
		assert_int_equal(size, i % 200 + 1);
		assert_int_equal(hence_rt_objects_size((uint64_t)p[i - 1]), 0);
		hence_rt_objects_remove((uint64_t)p[i]);
		free(p[i]);
	}
	/* One that spans many leaves, found from its far end. */
	hence_rt_objects_add(0x7000000000, 300u << 20);
	assert_true(hence_rt_objects_find(0x7000000000 + (300u << 20) - 1, &start, &size));
	assert_int_equal(start, 0x7000000000);
	assert_false(hence_rt_objects_find(0x7000000000 + (300u << 20), &start, &size));
	hence_rt_objects_remove(0x7000000000);
	assert_false(hence_rt_objects_find(0x7000000000, &start, &size));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quiet_calls_leave_nothing),
		cmocka_unit_test(test_heap),
		cmocka_unit_test(test_failing_call_writes_errno),
		cmocka_unit_test(test_sizes_from_expressions),
		cmocka_unit_test(test_percent_n),
		cmocka_unit_test(test_va_list),
		cmocka_unit_test(test_qsort),
		cmocka_unit_test(test_longjmp_out_of_callbacks),
		cmocka_unit_test(test_texts_before_the_end),
		cmocka_unit_test(test_wrong_text_does_no_harm),
		cmocka_unit_test(test_missing_arguments_do_no_harm),
		cmocka_unit_test(test_functions_met_through_pointers),
		cmocka_unit_test(test_many_objects),
	};

	core_start(NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
