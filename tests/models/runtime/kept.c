/* Memory of the program that streams write to, and flags of options. */
#include "harness.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "runtime/kept.h"
#include "runtime/objects.h"

/* --- what hence would think is in memory --- */

/* The last recorded value of the bytes, laid over `old`. */
static void replay(const void *address, void *old, size_t size)
{
	for (uint32_t i = 0; i < effect_count; i++) {
		const struct hence_effect *e = &effects[i].e;

		if (e->kind != HENCE_WROTE && e->kind != HENCE_SEEN)
			continue;
		for (uint64_t k = 0; k < e->size; k++)
			if (e->address + k - (uint64_t)address < size)
				((uint8_t *)old)[e->address + k - (uint64_t)address] =
					effects[i].bytes[k];
	}
}

/* --- open_memstream --- */

static void write_text(FILE *f, const char *text)
{
	int n;

	CALL(n, fputs, "ipp", (text, f));
	assert_true(n >= 0);
}

static void flush(FILE *f)
{
	int n;

	CALL(n, fflush, "ip", (f));
	assert_int_equal(n, 0);
}

static void end(FILE *f)
{
	int n;

	CALL(n, fclose, "ip", (f));
	assert_int_equal(n, 0);
}

static void test_growing_buffer(void **state)
{
	char *p = NULL, *first, known[5013];
	size_t size = 0;
	FILE *f;

	CALL(f, open_memstream, "ppp", (&p, &size));
	assert_int_equal(effect_count, 0);
	write_text(f, "hello");
	assert_int_equal(effect_count, 0);
	flush(f);
	assert_int_equal(size, 5);
	assert_wrote(effect_of(HENCE_WROTE, 0), &p, &p, 8);
	assert_wrote(effect_of(HENCE_WROTE, 1), &size, &size, 8);
	assert_wrote(effect_of(HENCE_WROTE, 2), p, "hello", 6);
	assert_int_equal(effect_of(HENCE_ALLOCATED, 0)->e.address, (uint64_t)p);
	assert_int_equal(effect_of(HENCE_ALLOCATED, 0)->e.size, 6);
	assert_int_equal(count_of(HENCE_FREED), 0);
	assert_int_equal(hence_rt_objects_size((uint64_t)p), 6);
	first = p;

	/* Only what is new. */
	write_text(f, ", world");
	flush(f);
	assert_ptr_equal(p, first);
	assert_int_equal(effect_of(HENCE_FREED, 0)->e.address, (uint64_t)p);
	assert_int_equal(effect_of(HENCE_ALLOCATED, 0)->e.size, 13);
	assert_wrote(effect_of(HENCE_WROTE, 2), p + 5, ", world", 8);

	/* It moves, and is shown as a whole; unless it comes to lie at the old place again. */
	for (int i = 0; i < 500; i++)
		write_text(f, "0123456789");
	end(f);
	memset(known, 0, sizeof(known));
	if (p == first)
		strcpy(known, "hello, world");
	assert_int_equal(size, 5012);
	assert_int_equal(effect_of(HENCE_FREED, 0)->e.address, (uint64_t)first);
	replay(p, known, sizeof(known));
	assert_memory_equal(known, p, sizeof(known));
	assert_int_equal(hence_rt_kept, 0);
	CALL_VOID(free, "vp", (p));
	assert_int_equal(effect_count, 1);
}

/* Then bytes in front of the end may change, and a flush there leaves those behind it. */
static void test_growing_buffer_with_seeks(void **state)
{
	char *p = NULL;
	size_t size = 0;
	FILE *f;
	int n;

	CALL(f, open_memstream, "ppp", (&p, &size));
	write_text(f, "hello");
	flush(f);
	CALL(n, fseek, "ipli", (f, 2l, SEEK_SET));
	assert_int_equal(n, 0);
	write_text(f, "XX");
	flush(NULL); /* glibc leaves these streams out */
	assert_int_equal(effect_count, 0);
	flush(f);
	assert_int_equal(size, 4);
	assert_wrote(effect_of(HENCE_WROTE, 1), &size, &size, 8);
	assert_wrote(effect_of(HENCE_WROTE, 2), p, "heXXo", 6);
	assert_int_equal(count_of(HENCE_FREED), 0);
	end(f);
	assert_int_equal(effect_of(HENCE_ALLOCATED, 0)->e.size, 5);
	assert_wrote(effect_of(HENCE_WROTE, 2), p, "heXX", 5);
	CALL_VOID(free, "vp", (p));
}

static void test_growing_buffer_of_wide_characters(void **state)
{
	wchar_t *p = NULL;
	size_t size = 0;
	FILE *f;
	int n;

	CALL(f, open_wmemstream, "ppp", (&p, &size));
	CALL(n, fputws, "ipp", (L"wide", f));
	assert_true(n >= 0);
	end(f);
	assert_int_equal(size, 4);
	assert_int_equal(effect_of(HENCE_ALLOCATED, 0)->e.size, 20);
	assert_wrote(effect_of(HENCE_WROTE, 2), p, L"wide", 20);
	CALL_VOID(free, "vp", (p));
}

/* A library that closes the stream, or that does not even flush it. */
static int pass(FILE *f)
{
	return 0;
}

static int finish(FILE *f)
{
	return fclose(f);
}

static void test_unmodelled_user(void **state)
{
	char there[] = "text", *p = there;
	size_t size = 4;
	FILE *f;
	int n;

	CALL(f, open_memstream, "ppp", (&p, &size));
	write_text(f, "abc");
	CALL(n, pass, "ip", (f));
	assert_int_equal(n, 0);
	assert_int_equal(count_of(HENCE_ALLOCATED), 0);
	CALL(n, finish, "ip", (f));
	assert_int_equal(n, 0);
	assert_wrote(effect_of(HENCE_WROTE, 2), p, "abc", 4);
	free(p);
}

/* More than can be followed: the rest is not, and nothing is mixed up. */
static void test_many_streams(void **state)
{
	enum { MANY = 80 };
	char *p[MANY];
	size_t size[MANY];
	FILE *f[MANY];
	char text[8];

	for (int i = 0; i < MANY; i++)
		CALL(f[i], open_memstream, "ppp", (&p[i], &size[i]));
	for (int i = 0; i < MANY; i++) {
		snprintf(text, sizeof(text), "n %d", i);
		write_text(f[i], text);
	}
	for (int i = 0; i < MANY; i++) {
		snprintf(text, sizeof(text), "n %d", i);
		end(f[i]);
		if (i < 64)
			assert_wrote(effect_of(HENCE_WROTE, 2), p[i], text, strlen(text) + 1);
		free(p[i]);
	}
	assert_int_equal(hence_rt_kept, 0);
}

/* --- fmemopen --- */

/* However it is used, hence knows the buffer after each call. */
static void run_fmemopen(const char *mode, size_t room)
{
	char *buffer = malloc(room), *known = malloc(room);
	FILE *f;
	int n;

	memset(buffer, 'q', room);
	buffer[5] = 0;
	memcpy(known, buffer, room);
	CALL(f, fmemopen, "pplp", (buffer, room, mode));
	replay(buffer, known, room);
	assert_memory_equal(known, buffer, room);
	for (int i = 0; i < 40; i++) {
		write_text(f, i % 7 ? "0123456789" : "-");
		replay(buffer, known, room);
		assert_memory_equal(known, buffer, room);
		if (i % 13 == 12) {
			CALL(n, fflush, "ip", (i % 2 ? f : NULL));
			replay(buffer, known, room);
			assert_memory_equal(known, buffer, room);
			/* What is cleared and written again must be recorded again. */
			memset(buffer, 0, 3);
			memset(known, 0, 3);
			CALL_VOID(rewind, "vp", (f));
			replay(buffer, known, room);
		}
	}
	CALL(n, fclose, "ip", (f));
	assert_true(n == 0 || room < 400);
	replay(buffer, known, room);
	assert_memory_equal(known, buffer, room);
	assert_int_equal(hence_rt_kept, 0);
	free(buffer);
	free(known);
}

static void test_given_buffer(void **state)
{
	static const char *const modes[] = {"w", "a", "r+", "rb+", "r+b", "w+", "a+"};

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		run_fmemopen(modes[i], 50);
		run_fmemopen(modes[i], 20000);
	}
}

/* Nothing to follow: no time is spent on it. */
static void test_buffer_that_is_only_read(void **state)
{
	char text[] = "10 20";
	FILE *f;
	int n, value;

	CALL(f, fmemopen, "pplp", (text, sizeof(text), "r"));
	assert_int_equal(hence_rt_kept, 0);
	CALL(n, fscanf, "ippp", (f, "%d", &value));
	assert_int_equal(value, 10);
	end(f);
	CALL(f, fmemopen, "pplp", (NULL, (size_t)20, "w+"));
	assert_int_equal(hence_rt_kept, 0);
	end(f);
	(void)n;
}

/* --- getopt_long --- */

static void test_flags_without_index(void **state)
{
	static int one, two, other = 5;
	struct option options[] = {{"one", 0, &one, 0x1234567},
	                           {"two", 0, &two, 2},
	                           {"other", 0, &other, 5},
	                           {"x", 0, NULL, 'x'},
	                           {0}};
	char *words[] = {"prog", "--two", "--one", "--x", "--other", NULL};
	int got, known_one = 0, known_two = 0;

	optind = 0;
	CALL(got, getopt_long, "iipppp", (5, words, "", options, NULL));
	replay(&one, &known_one, 4);
	replay(&two, &known_two, 4);
	assert_int_equal(got, 0);
	assert_int_equal(known_two, 2);
	assert_int_equal(known_one, 0);
	assert_int_equal(count_of(HENCE_SEEN), 1);
	CALL(got, getopt_long, "iipppp", (5, words, "", options, NULL));
	replay(&one, &known_one, 4);
	assert_int_equal(known_one, 0x1234567);
	CALL(got, getopt_long_only, "iipppp", (5, words, "", options, NULL));
	assert_int_equal(got, 'x');
	assert_int_equal(count_of(HENCE_SEEN), 0);
	CALL(got, getopt_long, "iipppp", (5, words, "", options, NULL));
	assert_int_equal(got, 0);
	assert_int_equal(count_of(HENCE_SEEN), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_growing_buffer),
		cmocka_unit_test(test_growing_buffer_with_seeks),
		cmocka_unit_test(test_growing_buffer_of_wide_characters),
		cmocka_unit_test(test_unmodelled_user),
		cmocka_unit_test(test_many_streams),
		cmocka_unit_test(test_given_buffer),
		cmocka_unit_test(test_buffer_that_is_only_read),
		cmocka_unit_test(test_flags_without_index),
	};

	core_start(NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
