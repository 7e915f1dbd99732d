/* Calls without a model, and answers that vary from run to run. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

struct node {
	struct node *next;
	char *text;
	int numbers[10];
};

static struct node shared;
static int far_away[4];
static int *pointer = far_away;

/* An 'outside function' without a model. */
static int change_all(struct node *node, int *local)
{
	node->numbers[2] = 7;
	node->numbers[8] = 9;
	node->next->text[1] = 'X';
	*local = 5;
	shared.numbers[0] = 1;
	return 3;
}

/* The effect that covers the address, found through that argument (0: any); NULL: none. */
static const struct seen_effect *seen_at(const void *address, uint32_t argument)
{
	for (uint32_t i = 0; i < effect_count; i++)
		if ((!argument || effects[i].e.argument == argument) &&
		    (uint64_t)address - effects[i].e.address < effects[i].e.size)
			return &effects[i];
	return NULL;
}

static void test_unmodelled_call_is_observed(void **state)
{
	struct node *a, *b;
	char *text;
	int local = 0, n, seven = 7, nine = 9;
	uint32_t before = hence_rt_head.unmodelled;

	CALL(a, calloc, "pll", (sizeof(*a), (size_t)1));
	CALL(b, calloc, "pll", (sizeof(*a), (size_t)1));
	CALL(text, strdup, "pp", ("abc"));
	a->next = b;
	b->text = text;
	CALL(n, change_all, "ipp", (a, &local));
	assert_int_equal(n, 3);
	assert_int_equal(hence_rt_head.unmodelled, before + 1);
	assert_int_equal(count_of(HENCE_SEEN), effect_count);
	assert_wrote(seen_at(&a->numbers[2], 1), &a->numbers[2], &seven, 1);
	assert_wrote(seen_at(&a->numbers[8], 1), &a->numbers[8], &nine, 1);
	/* Through the list, or through a variable that lies near `local`. */
	assert_wrote(seen_at(text + 1, 0), text + 1, "X", 1);
	/* Beside it on the stack other things may have changed. */
	assert_non_null(seen_at(&local, 2));
	assert_null(seen_at(b, 0));
	assert_null(seen_at(&shared.numbers, 0));
	free(a);
	free(b);
	free(text);
}

static int change_global(int **p)
{
	(*p)[0] = 1;
	(*p)[1] = 0x01010101;
	return 0;
}

/* Two runs with a gap of three bytes are one. */
static void test_globals_are_found_through_pointers(void **state)
{
	int n;

	core_global(&pointer, sizeof(pointer));
	core_global(far_away, sizeof(far_away));
	CALL(n, change_global, "ip", (&pointer));
	assert_int_equal(n, 0);
	assert_int_equal(effect_count, 1);
	assert_wrote(&effects[0], far_away, far_away, 8);
}

static int keep(void *p)
{
	return 0;
}

static void test_wild_pointers_do_no_harm(void **state)
{
	void *wild[] = {(void *)8, (void *)-1, (void *)0x123456789000, (void *)(1ull << 60)};
	int n;

	for (size_t i = 0; i < sizeof(wild) / sizeof(*wild); i++) {
		CALL(n, keep, "ip", (wild[i]));
		assert_int_equal(effect_count, 0);
	}
}

static int unmap(void *p)
{
	return munmap(p, 1 << 20);
}

/* The library frees what it was given: nothing may be read there afterwards. */
static void test_object_that_goes_away(void **state)
{
	char *p;
	int n;

	CALL(p, mmap, "plliiil",
	     (NULL, (size_t)1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0l));
	assert_int_equal(effect_of(HENCE_ALLOCATED, 0)->e.size, 1 << 20);
	p[0] = 'x';
	CALL(n, unmap, "ip", (p));
	assert_int_equal(n, 0);
	assert_int_equal(effect_count, 0);
	CALL(n, keep, "ip", (p));
	assert_int_equal(effect_count, 0);
}

static int change_last(char *p)
{
	p[99999] = 'y';
	p[299999] = 'y';
	return 0;
}

/* No more than 256 KiB are looked at. */
static void test_large_objects_in_part(void **state)
{
	char *p;
	int n;

	CALL(p, malloc, "pl", ((size_t)300000));
	memset(p, 'x', 300000);
	CALL(n, change_last, "ip", (p));
	assert_int_equal(n, 0);
	assert_int_equal(effect_count, 1);
	assert_wrote(&effects[0], p + 99999, "y", 1);
	CALL_VOID(free, "vp", (p));
}

/* --- a string of the library's own --- */

static char *given; /* what the 'outside function' returns */

static char *give(void)
{
	return given;
}

static void call_give(const char *text)
{
	char *got;
	struct hence_rt_call *call = call_begin("give", "p");

	given = (char *)text;
	got = give();
	call_end(call, &got, sizeof(got));
}

static void test_string_that_is_returned(void **state)
{
	static char many[600], page_end[] = "the end";
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *last = pages + 4096 - sizeof(page_end);

	call_give("text\n");
	assert_int_equal(effect_count, 1);
	assert_wrote(effect_of(HENCE_SEEN, 0), given, "text\n", 6);
	call_give("\033[2J");
	assert_wrote(effect_of(HENCE_SEEN, 0), given, "\033[2J", 5);
	memset(many, 'm', sizeof(many) - 1);
	call_give(many);
	assert_wrote(effect_of(HENCE_SEEN, 0), many, many, 256);

	/* Up to where memory ends. */
	memcpy(last, page_end, sizeof(page_end));
	call_give(last);
	assert_wrote(effect_of(HENCE_SEEN, 0), last, page_end, sizeof(page_end));
	mprotect(pages + 4096, 4096, PROT_NONE);
	call_give(last);
	assert_wrote(effect_of(HENCE_SEEN, 0), last, page_end, sizeof(page_end));
	last[7] = '!';
	call_give(last);
	assert_wrote(effect_of(HENCE_SEEN, 0), last, "the end!", 8);
	munmap(pages, 8192);
	call_give(last);
	assert_int_equal(effect_count, 0);
}

/* What is no string may change at any time, and what is ours is known. */
static void test_other_results(void **state)
{
	static void *with_pointer[2];
	static int number = 3;
	char *pages =
		mmap((void *)0x414141414000, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *ours;

	assert_int_equal((uint64_t)pages, 0x414141414000); /* AAAAAA */
	with_pointer[0] = (char *)pages + 0x141;
	call_give((const char *)with_pointer);
	assert_int_equal(effect_count, 0);
	call_give((const char *)&number);
	assert_int_equal(effect_count, 0);
	call_give("");
	assert_int_equal(effect_count, 0);
	call_give(NULL);
	assert_int_equal(effect_count, 0);
	call_give((const char *)1ull);
	assert_int_equal(effect_count, 0);
	call_give((const char *)(1ull << 63));
	assert_int_equal(effect_count, 0);
	CALL(ours, strdup, "pp", ("ours"));
	call_give(ours);
	assert_int_equal(effect_count, 0);
	CALL_VOID(free, "vp", (ours));
	munmap(pages, 8192);
}

/* --- a model of the user's own --- */

static int read_record(int *fields, int count)
{
	for (int i = 0; i < count; i++)
		fields[i] = i;
	return count;
}

static void test_user_model(void **state)
{
	int fields[3], n, values[] = {0, 1, 2};

	CALL(n, read_record, "ipi", (fields, 3));
	assert_int_equal(n, 3);
	assert_int_equal(effect_count, 1);
	assert_wrote(effect_of(HENCE_WROTE, 0), fields, values, 12);
}

/* --- answers that vary --- */

static void ask(time_t *t, time_t *t2, struct timespec *now, uint64_t *random)
{
	int n;
	ssize_t size;

	CALL(*t, time, "lp", (t2));
	CALL(n, clock_gettime, "iip", (CLOCK_MONOTONIC, now));
	assert_int_equal(n, 0);
	assert_wrote(effect_of(HENCE_WROTE, 0), now, now, sizeof(*now));
	CALL(size, getrandom, "lpli", (random, sizeof(*random), 0u));
	assert_int_equal(size, 8);
}

static void test_answers_are_repeated(void **state)
{
	time_t t[2], t2[2];
	struct timespec now[2];
	uint64_t random[2], other;
	struct hence_rt_call *call;
	ssize_t size;
	pid_t pid;

	/* The same process plays both runs: a new number makes it open the file anew. */
	hence_rt_head.number = 41;
	ask(&t[0], &t2[0], &now[0], &random[0]);
	hence_rt_head.number = 7;
	call = call_begin("getpid", "i");
	pid = 4711;
	call_end(call, &pid, sizeof(pid));
	hence_rt_head.number = 41;
	fake_control->repeat = 1;
	hence_rt_head.number = 40;
	CALL(size, getrandom, "lpli", (&other, sizeof(other), 0u)); /* no file for this one */
	hence_rt_head.number = 41;
	usleep(1000);
	ask(&t[1], &t2[1], &now[1], &random[1]);
	assert_int_equal(t[0], t[1]);
	assert_int_equal(t2[0], t2[1]);
	assert_memory_equal(&now[0], &now[1], sizeof(now[0]));
	assert_int_equal(random[0], random[1]);
	/* At the end of the file the real answers are given. */
	CALL(size, getrandom, "lpli", (&other, sizeof(other), 0u));
	assert_int_equal(size, 8);
	assert_true(other != random[0]);
	assert_int_equal(pid, 4711); /* names a process: never replaced */
	fake_control->repeat = 0;
}

static void test_runs_that_part_stop_replacing(void **state)
{
	time_t t, t2;
	struct timespec now, again;
	uint64_t random, other;
	ssize_t size;
	int n;

	hence_rt_head.number = 50;
	ask(&t, &t2, &now, &random);
	hence_rt_head.number = 51;
	CALL(t, time, "lp", (NULL));
	hence_rt_head.number = 50;
	fake_control->repeat = 1;
	CALL(n, clock_gettime, "iip", (CLOCK_MONOTONIC, &again)); /* time() was first */
	assert_int_equal(n, 0);
	assert_memory_not_equal(&now, &again, sizeof(now));
	CALL(size, getrandom, "lpli", (&other, sizeof(other), 0u));
	assert_int_equal(size, 8);
	assert_true(other != random);
	fake_control->repeat = 0;
}

static void remove_session(void)
{
	static const int numbers[] = {7, 40, 41, 50, 51};
	char file[100];

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		snprintf(file, sizeof(file), "%s/%08d.varies", session_folder, numbers[i]);
		unlink(file);
	}
	rmdir(session_folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unmodelled_call_is_observed),
		cmocka_unit_test(test_globals_are_found_through_pointers),
		cmocka_unit_test(test_wild_pointers_do_no_harm),
		cmocka_unit_test(test_object_that_goes_away),
		cmocka_unit_test(test_large_objects_in_part),
		cmocka_unit_test(test_string_that_is_returned),
		cmocka_unit_test(test_other_results),
		cmocka_unit_test(test_user_model),
		cmocka_unit_test(test_answers_are_repeated),
		cmocka_unit_test(test_runs_that_part_stop_replacing),
	};
	int failed;

	core_start("read_record(fields, count):\n\twrites fields[4 * ret] when ret > 0\n");
	if (!mkdtemp(session_folder))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	remove_session();
	return failed;
}
