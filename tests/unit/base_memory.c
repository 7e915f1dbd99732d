/* Arenas, the never failing allocator and the vector. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/vec.h"

static void test_arena_pieces_are_zeroed_aligned_and_apart(void **state)
{
	struct arena arena = ARENA_INIT;
	unsigned char *pieces[500];

	for (size_t i = 0; i < 500; i++) {
		pieces[i] = arena_alloc(&arena, i);
		assert_int_equal((uintptr_t)pieces[i] % 16, 0);
		for (size_t k = 0; k < i; k++)
			assert_int_equal(pieces[i][k], 0);
		memset(pieces[i], (int)i & 0xff, i);
	}
	for (size_t i = 0; i < 500; i++)
		for (size_t k = 0; k < i; k++)
			assert_int_equal(pieces[i][k], i & 0xff);
	arena_deinit(&arena);
}

static void test_arena_distinct_empty_pieces(void **state)
{
	struct arena arena = ARENA_INIT;
	void *first = arena_alloc(&arena, 0);

	assert_ptr_not_equal(first, arena_alloc(&arena, 0));
	arena_deinit(&arena);
}

/* A large piece neither moves the small ones nor wastes the room left in their chunk. */
static void test_arena_large_piece(void **state)
{
	struct arena arena = ARENA_INIT;
	char *large = arena_alloc(&arena, 3000000);
	char *before = arena_strdup(&arena, "before");
	char *second = arena_alloc(&arena, 3000000);
	char *after = arena_strdup(&arena, "after");

	memset(large, 'x', 3000000);
	memset(second, 'y', 3000000);
	assert_ptr_equal(after, before + 16);
	assert_string_equal(before, "before");
	assert_string_equal(after, "after");
	arena_deinit(&arena);
}

static void test_arena_reuse_after_deinit(void **state)
{
	struct arena arena = ARENA_INIT;

	arena_deinit(&arena);
	arena_alloc(&arena, 10);
	arena_deinit(&arena);
	assert_null(arena.chunk);
	assert_string_equal(arena_printf(&arena, "%d-%s", 5, "x"), "5-x");
	arena_deinit(&arena);
}

static void test_arena_text_and_types(void **state)
{
	struct arena arena = ARENA_INIT;
	int *numbers = arena_new_array(&arena, int, 1000);
	char *cut = arena_strndup(&arena, "abcdef", 3);

	for (int i = 0; i < 1000; i++)
		assert_int_equal(numbers[i], 0);
	assert_string_equal(cut, "abc");
	assert_int_equal(*arena_new(&arena, long), 0);
	assert_string_equal(arena_strdup(&arena, ""), "");
	arena_deinit(&arena);
}

/* Runs `action` in a child with stderr in `text`; gives its exit code. */
static int run_child(void (*action)(void), char *text, size_t room)
{
	int ends[2], status;
	ssize_t size;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		dup2(ends[1], 2);
		action();
		_exit(0);
	}
	close(ends[1]);
	size = read(ends[0], text, room - 1);
	text[size > 0 ? size : 0] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static volatile size_t huge = SIZE_MAX / 2 + 8;

static void overflow_array(void)
{
	struct arena arena = ARENA_INIT;

	arena_alloc_array(&arena, huge, 2);
}

static void resize_too_far(void)
{
	free(mem_resize(NULL, huge));
}

static void test_out_of_memory_is_a_clear_line(void **state)
{
	char text[200];

#ifdef __SANITIZE_ADDRESS__
	skip(); /* its allocator stops with a report of its own */
#endif
	assert_int_equal(run_child(resize_too_far, text, sizeof(text)), 4);
	assert_string_equal(text, "hence: out of memory\n");
	assert_int_equal(run_child(overflow_array, text, sizeof(text)), 4);
	assert_string_equal(text, "hence: out of memory\n");
}

static void test_mem(void **state)
{
	char *zeroed = mem_alloc(100);
	char *empty = mem_alloc(0);
	char *copy = mem_strndup("a\0b", 3);
	char *grown;

	for (int i = 0; i < 100; i++)
		assert_int_equal(zeroed[i], 0);
	assert_non_null(empty);
	assert_memory_equal(copy, "a\0b", 4);
	grown = mem_resize(mem_strdup("keep"), 1000);
	assert_string_equal(grown, "keep");
	free(zeroed);
	free(empty);
	free(copy);
	free(grown);
}

static void test_vec_grows_and_keeps(void **state)
{
	VEC(int) numbers = VEC_INIT;

	for (int i = 0; i < 1000; i++) {
		int *slot = vec_push(&numbers);

		assert_int_equal(*slot, 0);
		*slot = i;
	}
	assert_int_equal(numbers.size, 1000);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(numbers.at[i], i);
	vec_deinit(&numbers);
	assert_null(numbers.at);
	assert_int_equal(numbers.size, 0);
}

struct pair {
	long a, b;
};

/* A pushed element is zeroed even where an element was before. */
static void test_vec_reserve_and_reuse(void **state)
{
	VEC(struct pair) pairs = VEC_INIT;
	void *at;

	vec_reserve(&pairs, 100);
	at = pairs.at;
	assert_int_equal(pairs.size, 0);
	assert_true(pairs.room >= 100);
	vec_push(&pairs)->a = 5;
	pairs.size = 0;
	assert_int_equal(vec_push(&pairs)->a, 0);
	while (pairs.size < 100)
		vec_push(&pairs);
	assert_ptr_equal(pairs.at, at);
	vec_deinit(&pairs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arena_pieces_are_zeroed_aligned_and_apart),
		cmocka_unit_test(test_arena_distinct_empty_pieces),
		cmocka_unit_test(test_arena_large_piece),
		cmocka_unit_test(test_arena_reuse_after_deinit),
		cmocka_unit_test(test_arena_text_and_types),
		cmocka_unit_test(test_out_of_memory_is_a_clear_line),
		cmocka_unit_test(test_mem),
		cmocka_unit_test(test_vec_grows_and_keeps),
		cmocka_unit_test(test_vec_reserve_and_reuse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
