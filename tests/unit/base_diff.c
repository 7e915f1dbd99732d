/* Differences of sequences: against a table of longest common subsequences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/diff.h"

#define MOST 60

static void add_letters(struct diff_texts *texts, const char *letters)
{
	for (; *letters; letters++)
		diff_add(texts, letters, 1);
}

/* The length of the longest common subsequence, by the textbook. */
static uint32_t common(const char *a, const char *b)
{
	uint32_t table[MOST + 1][MOST + 1] = {{0}};
	size_t n = strlen(a), m = strlen(b);

	for (size_t i = 1; i <= n; i++)
		for (size_t j = 1; j <= m; j++) {
			uint32_t left = table[i][j - 1], up = table[i - 1][j];

			table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1
			              : left > up          ? left
			                                   : up;
		}
	return table[n][m];
}

/* Makes b from a and the hunks; gives the number of elements that differ. */
static uint32_t check(const char *a, const char *b)
{
	struct diff_texts x = {VEC_INIT}, y = {VEC_INIT};
	uint32_t at = 0, size = 0, steps = 0;
	char made[2 * MOST + 1] = "";
	struct diff diff;

	add_letters(&x, a);
	add_letters(&y, b);
	diff_compute(&x, &y, &diff);
	for (uint32_t i = 0; i < diff.hunks.size; i++) {
		const struct diff_hunk *hunk = &diff.hunks.at[i];

		assert_true(hunk->count_a || hunk->count_b);
		assert_true(!i || hunk->from_a > at); /* hunks do not touch */
		while (at < hunk->from_a)
			made[size++] = a[at++];
		assert_int_equal(size, hunk->from_b);
		for (uint32_t j = 0; j < hunk->count_b; j++)
			made[size++] = b[hunk->from_b + j];
		at += hunk->count_a;
		steps += hunk->count_a + hunk->count_b;
	}
	strcpy(made + size, a + at);
	assert_string_equal(made, b);
	diff_deinit(&diff);
	diff_texts_deinit(&x);
	diff_texts_deinit(&y);
	return steps;
}

static void test_ends(void **state)
{
	assert_int_equal(check("", ""), 0);
	assert_int_equal(check("abc", "abc"), 0);
	assert_int_equal(check("", "abc"), 3);
	assert_int_equal(check("abc", ""), 3);
	assert_int_equal(check("abc", "xyz"), 6);
	assert_int_equal(check("aaaa", "aaaaaa"), 2);
	assert_int_equal(check("abxcd", "abycd"), 2);
}

static void random_letters(char *out, uint32_t kinds)
{
	int size = rand() % MOST;

	for (int i = 0; i < size; i++)
		out[i] = (char)('a' + rand() % (int)kinds);
	out[size] = '\0';
}

static void test_shortest(void **state)
{
	char a[MOST + 1], b[MOST + 1];

	srand(1);
	for (int i = 0; i < 4000; i++) {
		uint32_t kinds = 1 + (uint32_t)i % 8;

		random_letters(a, kinds);
		random_letters(b, kinds);
		assert_int_equal(check(a, b), strlen(a) + strlen(b) - 2 * common(a, b));
	}
}

/* Sequences with nothing in common but their ends: too many steps, and still right. */
static void test_large(void **state)
{
	struct diff_texts a = {VEC_INIT}, b = {VEC_INIT};
	struct diff diff;
	static char x[] = "x", y[] = "y", end[] = "end";

	for (int i = 0; i < 3000; i++) {
		diff_add(&a, x, 1);
		diff_add(&b, y, 1);
	}
	diff_add(&a, end, 3);
	diff_add(&b, end, 3);
	diff_compute(&a, &b, &diff);
	assert_int_equal(diff.hunks.size, 1);
	assert_int_equal(diff.hunks.at[0].count_a, 3000);
	assert_int_equal(diff.hunks.at[0].count_b, 3000);
	diff_deinit(&diff);
	diff_texts_deinit(&a);
	diff_texts_deinit(&b);
}

static void test_lines(void **state)
{
	struct diff_texts texts = {VEC_INIT};

	diff_add_lines(&texts, "a\n\nb", 4);
	assert_int_equal(texts.list.size, 3);
	assert_int_equal(texts.list.at[0].size, 2);
	assert_int_equal(texts.list.at[1].size, 1);
	assert_int_equal(texts.list.at[2].size, 1);
	diff_texts_deinit(&texts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_shortest),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
