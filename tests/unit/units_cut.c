/* Cutting into units: what each way gives on texts small enough to see it, and on random bytes
   that the pieces cover everything and joining them gives it back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "units/units.h"

#define MOST 300

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed >> 11;
}

/* The pieces in one line: fixed ones as they are, others in 'unit:...|'. A newline is shown as $.
   */
static char *show(const struct units_way *way, const char *text)
{
	struct units units;
	struct str out = STR_INIT;
	char *result;

	assert_null(units_cut(way, text, strlen(text), &units));
	for (uint32_t i = 0; i < units.pieces.size; i++) {
		const struct units_piece *p = &units.pieces.at[i];

		if (p->unit == UNITS_FIXED)
			str_add(&out, "_|");
		else
			str_printf(&out, "%u:", p->unit);
		if (p->unit != UNITS_FIXED) {
			str_add_bytes(&out, text + p->from, p->size);
			str_add(&out, "|");
		}
	}
	units_deinit(&units);
	result = str_steal(&out);
	for (char *c = result; *c; c++)
		if (*c == '\n')
			*c = '$';
	return result;
}

static void expect(struct units_way way, const char *text, const char *right)
{
	char *got = show(&way, text);

	assert_string_equal(got, right);
	free(got);
}

static void expect_depth(uint32_t depth, const char *text, const char *right)
{
	expect((struct units_way){.kind = UNITS_GROUPS, .depth = depth}, text, right);
}

static void test_lines(void **state)
{
	struct units_way way = {.kind = UNITS_LINES};

	expect(way, "", "");
	expect(way, "a", "0:a|");
	expect(way, "a\n\nb", "0:a$|1:$|2:b|");
	expect(way, "a\r\nb\n", "0:a\r$|1:b$|");
}

static void test_tokens(void **state)
{
	struct units_way way = {.kind = UNITS_TOKENS};

	expect(way, "  x1 = y_2+3;\n", "0:  |1:x1 |2:= |3:y_2|4:+|5:3|6:;$|");
	expect(way, "1.5e-3*0x1F-2 .5 a.b", "0:1.5e-3|1:*|2:0x1F|3:-|4:2 |5:.5 |6:a|7:.|8:b|");
	expect(way, "f(\"a \\\" b\") 'c'", "0:f|1:(|2:\"a \\\" b\"|3:) |4:'c'|");
	expect(way, "don't 'x", "0:don|1:'|2:t |3:'|4:x|");
	expect(way, "\"open\nb\"", "0:\"|1:open$|2:b|3:\"|");
	expect(way, "h\xc3\xa9llo ok", "0:h\xc3\xa9llo |1:ok|");
}

static void test_bytes(void **state)
{
	struct units_way way = {.kind = UNITS_BYTES};

	expect(way, "a\xc3\xa9z", "0:a|1:\xc3\xa9|2:z|");
	/* Cut off, too long, half a pair, past the end of Unicode: single bytes. */
	expect(way, "\xc3", "0:\xc3|");
	expect(way, "\xc0\x80", "0:\xc0|1:\x80|");
	expect(way, "\xed\xa0\x80", "0:\xed|1:\xa0|2:\x80|");
	expect(way, "\xf4\x90\x80\x80", "0:\xf4|1:\x90|2:\x80|3:\x80|");
	expect(way, "\xe2\x82\xac\xf0\x9f\x98\x80", "0:\xe2\x82\xac|1:\xf0\x9f\x98\x80|");
}

static void test_blocks(void **state)
{
	expect((struct units_way){.kind = UNITS_BLOCKS, .block = 4}, "abcdefghij",
	       "0:abcd|1:efgh|2:ij|");
}

static void test_records(void **state)
{
	struct units_way way = {.kind = UNITS_RECORDS, .regex = "^From "};
	struct units units;

	expect(way, "x\nFrom a\nb\nFrom c\n", "0:x$|1:From a$b$|2:From c$|");
	expect(way, "From a\n From b\n", "0:From a$ From b$|");
	way.regex = "^";
	expect(way, "a\nb\n\nc", "0:a$|1:b$|2:$|3:c|");
	way.regex = ";|,";
	expect(way, "a;b,,c", "0:a|1:;b|2:,|3:,c|");
	way.regex = "R";
	assert_null(units_cut(&way, "R\0aR\0b", 6, &units));
	assert_int_equal(units.count, 2);
	assert_int_equal(units.pieces.at[1].from, 3);
	units_deinit(&units);
	expect(way, "", "");
}

static void test_records_refused(void **state)
{
	struct units_way way = {.kind = UNITS_RECORDS, .regex = "Q"};
	struct units units;
	struct units_by by;
	struct hence_error *error = units_cut(&way, "abc", 3, &units);

	assert_non_null(error);
	assert_non_null(strstr(error->message, "records=Q matches nowhere"));
	error_destroy(error);
	error = units_by_parse("records=a(b", &by);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "records=a(b: Unmatched ("));
	error_destroy(error);
	error = units_by_parse("words", &by);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "'words'"));
	error_destroy(error);
}

/* Statements, members, elements, children: what is nested goes along. */
static void test_groups(void **state)
{
	const char *c = "int f(int a, int b)\n{\n\ta++;\n\tif (a) { b; }\n}\nint x[3];\n";

	expect_depth(0, c, "0:int f(int a, int b)$|1:{$\ta++;$\tif (a) { b; }$}$|2:int x[3];$|");
	expect_depth(1, c, "_|0:int a, |1:int b|_|2:$|3:\ta++;$|4:\tif (a) { b; }$|_|5:3|_|");
	expect_depth(2, c, "_|0:a|_|1: b; |_|");
	expect_depth(3, c, "_|");
	expect_depth(0, "[{\"a\":[1,2]},{\"b\":\"]\"}]", "0:[{\"a\":[1,2]},{\"b\":\"]\"}]|");
	expect_depth(1, "[{\"a\":[1,2]},{\"b\":\"]\"}]", "_|0:{\"a\":[1,2]},|1:{\"b\":\"]\"}|_|");
	expect_depth(3, "[{\"a\":[1,2]},{\"b\":\"]\"}]", "_|0:1,|1:2|_|");
	expect_depth(1, "(def (f x) (g (h 1) y))", "_|0:def |1:(f x) |2:(g (h 1) y)|_|");
	expect_depth(0, "a{x}b {y};c", "0:a{x}|1:b {y};|2:c|");
}

static void test_tags(void **state)
{
	const char *x = "<a><b k='>'>t</b><c/>u<b>v</b></a>";

	expect_depth(0, x, "0:<a><b k='>'>t</b><c/>u<b>v</b></a>|");
	expect_depth(1, x, "_|0:<b k='>'>t</b>|1:<c/>|2:u|3:<b>v</b>|_|");
	expect_depth(2, x, "_|0:t|_|1:v|_|");
	/* A tag that is never closed, and a name in other letters. */
	expect_depth(1, "<P>a<br>b</p>", "_|0:a<br>b|_|");
	expect_depth(1, "if (a < b) c <d> e", "_|0:a |1:< |2:b|_|");
}

static void test_pairs(void **state)
{
	struct units_way way = {.kind = UNITS_PAIRS};

	expect(way, "f((a)[i])", "_|0:(|1:(|_|1:)|2:[|_|2:]|0:)|");
	expect(way, "<a>x<b/></a>", "0:<a>|_|0:</a>|");
	expect(way, "a ) b", "_|");
}

/* Brackets without a counterpart are plain text. */
static void test_unbalanced(void **state)
{
	struct units_way pairs = {.kind = UNITS_PAIRS};

	expect(pairs, "(a]b)", "0:(|_|0:)|");
	expect(pairs, "[(]", "0:[|_|0:]|");
	expect(pairs, "((", "_|");
	expect(pairs, "\"(\" ( ')' )", "_|0:(|_|0:)|");
	expect_depth(0, "<<", "0:<<|");
}

static void check_cover(const struct units_way *way, const char *bytes, uint64_t size)
{
	struct units units;
	struct hence_error *error = units_cut(way, bytes, size, &units);
	struct dd_set set;
	struct str joined = STR_INIT;
	uint64_t at = 0;
	uint32_t next = 0;

	if (error) {
		assert_int_equal(way->kind, UNITS_RECORDS);
		error_destroy(error);
		return;
	}
	for (uint32_t i = 0; i < units.pieces.size; i++) {
		const struct units_piece *p = &units.pieces.at[i];

		assert_int_equal(p->from, at);
		assert_true(p->size > 0);
		assert_true(p->unit == UNITS_FIXED || p->unit <= next);
		next += p->unit == next;
		at += p->size;
	}
	assert_int_equal(at, size);
	assert_int_equal(next, units.count);
	dd_set_init(&set, units.count, true);
	units_join(&units, bytes, &set, &joined);
	assert_int_equal(joined.length, size);
	assert_memory_equal(str_text(&joined), bytes, size);
	str_deinit(&joined);
	dd_set_deinit(&set);
	units_deinit(&units);
}

static void test_random(void **state)
{
	static const char alphabet[] = "()[]{}<>/ab,;\n \"'\\.1e\r\xc3\xa9";
	uint64_t seed = 77;

	for (int round = 0; round < 4000; round++) {
		char bytes[MOST];
		uint64_t size = next_random(&seed) % (round % 8 ? 30 : MOST);

		for (uint64_t i = 0; i < size; i++)
			bytes[i] = round % 3 ? alphabet[next_random(&seed) % (sizeof(alphabet) - 1)]
			                     : (char)next_random(&seed);
		for (enum units_kind kind = UNITS_RECORDS; kind <= UNITS_BYTES; kind++)
			for (uint32_t depth = 0; depth < (kind == UNITS_GROUPS ? 5 : 1); depth++) {
				struct units_way way = {kind, depth, 1 + size / 7, "[a(]b*"};

				check_cover(&way, bytes, size);
			}
	}
}

/* What is taken out at any depth leaves balanced what was balanced. */
static void test_join_stays_balanced(void **state)
{
	static const char text[] = "f(a[1], {b; (c)}, d); g{h(i); j{k}\nl} m";
	uint64_t seed = 5;

	for (uint32_t depth = 0; depth < 4; depth++) {
		struct units_way way = {.kind = UNITS_GROUPS, .depth = depth};
		struct units units;

		assert_null(units_cut(&way, text, strlen(text), &units));
		assert_true(units.count > 0);
		for (int round = 0; round < 200; round++) {
			struct str joined = STR_INIT;
			struct dd_set set;
			int open = 0;

			dd_set_init(&set, units.count, false);
			for (uint32_t i = 0; i < units.count; i++)
				dd_set_put(&set, i, next_random(&seed) % 2);
			units_join(&units, text, &set, &joined);
			for (const char *c = str_text(&joined); *c; c++) {
				open += *c == '(' || *c == '[' || *c == '{';
				open -= *c == ')' || *c == ']' || *c == '}';
				assert_true(open >= 0);
			}
			assert_int_equal(open, 0);
			str_deinit(&joined);
			dd_set_deinit(&set);
		}
		units_deinit(&units);
	}
}

/* Inputs that invite quadratic time: a megabyte is cut in well under a second each. */
static void test_linear(void **state)
{
	static const char *patterns[] = {"(",   ")",   "\"\\",    "'(", "<a",
	                                 "<a>", "[(]", "<a></b>", "({", "\n"};
	enum { SIZE = 1 << 20 };
	char *bytes = malloc(SIZE);
	clock_t before = clock();

	for (uint32_t p = 0; p < sizeof(patterns) / sizeof(*patterns); p++) {
		size_t length = strlen(patterns[p]);

		for (uint32_t i = 0; i < SIZE; i++)
			bytes[i] = patterns[p][i % length];
		for (enum units_kind kind = UNITS_RECORDS; kind <= UNITS_BYTES; kind++)
			check_cover(&(struct units_way){kind, 1, 16, "^"}, bytes, SIZE);
	}
	assert_true((double)(clock() - before) / CLOCKS_PER_SEC < 30);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),   cmocka_unit_test(test_tokens),
		cmocka_unit_test(test_bytes),   cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_records), cmocka_unit_test(test_records_refused),
		cmocka_unit_test(test_groups),  cmocka_unit_test(test_tags),
		cmocka_unit_test(test_pairs),   cmocka_unit_test(test_unbalanced),
		cmocka_unit_test(test_random),  cmocka_unit_test(test_join_stays_balanced),
		cmocka_unit_test(test_linear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
