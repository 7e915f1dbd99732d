/* Values of C types as text: bytes of this test's own variables, printed by their clang types. */
#include "model_declarations.h"

#include <math.h>

static void expect_text(const char *global, const void *bytes, size_t size, size_t limit,
                        const char *expected)
{
	struct str s = STR_INIT;

	ctype_print(type_of(global), bytes, NULL, size, limit, &s);
	assert_string_equal(str_text(&s), expected);
	str_deinit(&s);
}

#define EXPECT(object, text) expect_text(#object, &(object), sizeof(object), 0, text)

static void test_integers(void **state)
{
	EXPECT(minus, "-1");
	EXPECT(plain, "4000000000");
	EXPECT(small, "-300");
	EXPECT(most, "18446744073709551615");
	EXPECT(wider, "-1267650600228229401496703205376");
	EXPECT(widest, "340282366920938463463374607431768211455");
	EXPECT(counter, "3");
	EXPECT(yes, "true");
	EXPECT(letter, "'a'");
	EXPECT(newline, "'\\n'");
	EXPECT(high, "-56");
	EXPECT(byte, "200");
	expect_text("letter", "", 1, 0, "'\\0'");
	expect_text("byte", "A", 1, 0, "65 'A'");
	expect_text("letter", "'", 1, 0, "'\\''");
	expect_text("yes", "\2", 1, 0, "2");
}

static void test_enums(void **state)
{
	EXPECT(color, "RED");
	EXPECT(odd, "3");
	EXPECT(both, "READ | EXEC");
	EXPECT(none, "0");
	EXPECT(big, "8");
	EXPECT(wide, "HUGE_ONE");
}

static void test_pointers(void **state)
{
	uint64_t address = 0x7fff12;

	expect_text("items", &address, 8, 0, "0x7fff12");
	EXPECT(opaque, "NULL");
	EXPECT(getter, "NULL");
}

static void test_floats(void **state)
{
	float infinite = -INFINITY;

	EXPECT(third, "0.33333334");
	EXPECT(tenth, "0.1");
	EXPECT(hundred, "100");
	EXPECT(exact, "1.5");
	EXPECT(sum, "0.30000000000000004");
	EXPECT(tiny, "5e-324");
	EXPECT(large, "1e+300");
	EXPECT(million, "1000000");
	EXPECT(nothing, "-0");
	EXPECT(longer, "0.1");
	EXPECT(complex_, "1.5 + 2i");
	EXPECT(pair, "3 + 4i");
	expect_text("third", &infinite, 4, 0, "-inf");
	expect_text("exact", &(double){NAN}, 8, 0, "nan");
	expect_text("longer", &(long double){1e4000L}, 10, 0, "1e+4000");
}

/* Each text reads back as the same number. */
static void test_floats_read_back(void **state)
{
	uint64_t seed = 88172645463325252u;
	struct str s = STR_INIT;

	for (int i = 0; i < 20000; i++) {
		double number, read;

		seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
		memcpy(&number, &seed, sizeof(number));
		if (!isfinite(number))
			continue;
		s.length = 0;
		ctype_print(type_of("exact"), (uint8_t *)&number, NULL, 8, 0, &s);
		read = strtod(str_text(&s), NULL);
		assert_memory_equal(&read, &number, 8);
	}
	str_deinit(&s);
}

static void test_strings(void **state)
{
	EXPECT(text, "\"say \\\"hi\\\"\\n\"");
	EXPECT(full, "\"abc\"");
	EXPECT(accent, "\"gr\303\266\\377\"");
	EXPECT(raw, "{1, 2, 200, 0}");
	EXPECT(ascii, "\"plain\"");
	expect_text("text", "\1\0", 2, 0, "\"\\001\"");
	expect_text("text", "\xed\xa0\x80", 3, 0, "\"\\355\\240\\200\"");
	expect_text("text", "\xc3", 1, 0, "\"\\303\"");
	expect_text("text", "0123456789", 10, 10, "\"01234\"...");
	expect_text("text", "0123456", 7, 10, "\"0123456\"");
	expect_text("text", "01234567", 8, 10, "\"01234567\"");
	expect_text("text", "01234\1\2", 7, 10, "\"01234\"...");
}

static void test_aggregates(void **state)
{
	EXPECT(head, "{next = NULL, key = 5}");
	EXPECT(matrix, "{{1, 2, 3}, {4, 5, 6}}");
	EXPECT(lanes, "{1, 2, 3, 4}");
	EXPECT(shape, "{kind = 's', pos = {{x = 1, y = 2}, {x = 3, y = 4}, {x = 5, y = 6}}, "
	              "{i = 9}, {weight = 2.5}, on = NULL, color = BLUE}");
	EXPECT(bits, "{a = 5, b = 17, c = -3, d = true, after = 200, e = -7, m = READ | EXEC}");
	EXPECT(word, "{d = 3.2e-322}");
	expect_text("packet", "\3\0abc", 5, 0, "{length = 3, data = \"abc\"}");
	expect_text("packet", "\3\0", 2, 0, "{length = 3, data = \"\"}");
	expect_text("head", &head, 8, 0, "{next = NULL, key = ...}");
	expect_text("matrix", matrix, 12, 0, "{{1, 2, 3}}");
	expect_text("minus", "\1\0", 2, 0, "1");
}

/* The text is never longer than asked for, and its braces and quotes match. */
static void expect_limited(const char *global, const void *bytes, size_t size)
{
	struct str whole = STR_INIT, s = STR_INIT;

	ctype_print(type_of(global), bytes, NULL, size, 0, &whole);
	for (size_t limit = 8; limit <= whole.length + 3; limit++) {
		int open = 0;

		s.length = 0;
		str_add(&s, "before ");
		ctype_print(type_of(global), bytes, NULL, size, limit, &s);
		for (const char *c = str_text(&s); *c; c++)
			open += (*c == '{') - (*c == '}');
		assert_int_equal(open, 0);
		assert_in_range(s.length, 7 + 2, 7 + limit);
		if (limit >= whole.length)
			assert_string_equal(str_text(&s) + 7, str_text(&whole));
		else
			assert_non_null(strstr(str_text(&s), "..."));
	}
	str_deinit(&whole);
	str_deinit(&s);
}

static void test_limits(void **state)
{
	expect_limited("shape", &shape, sizeof(shape));
	expect_limited("bits", &bits, sizeof(bits));
	expect_limited("matrix", matrix, sizeof(matrix));
	expect_limited("zeros", zeros, sizeof(zeros));
	expect_limited("text", text, sizeof(text));
	expect_limited("named", &named, sizeof(named));
	expect_text("named", &named, sizeof(named), 30, "{name = \"abcdef\"..., age = 3}");
	expect_text("named", &named, sizeof(named), 40, "{name = \"abcdefghijklmno\", age = 3}");
	expect_limited("chain", chain, sizeof(chain));
	expect_text("zeros", zeros, sizeof(zeros), 20, "{0, 0, 0, 0, 0, ...}");
	expect_text("matrix", matrix, sizeof(matrix), 20, "{{1, 2, 3}, {...}}");
	expect_text("matrix", matrix, sizeof(matrix), 17, "{{1, 2, 3}, ...}");
	expect_text("matrix", matrix, sizeof(matrix), 21, "{{1, 2, 3}, {4, ...}}");
	expect_text("minus", &minus, 4, 1, "-1");
	expect_text("wider", &wider, 16, 8, "-1267650600228229401496703205376");
}

static void expect_masked(const char *global, const void *bytes, const void *undefined, size_t size,
                          const char *expected)
{
	struct str s = STR_INIT;

	ctype_print(type_of(global), bytes, undefined, size, 0, &s);
	assert_string_equal(str_text(&s), expected);
	str_deinit(&s);
}

static void test_undefined(void **state)
{
	uint8_t mask[sizeof(struct bits)] = {0};

	mask[0] = 8; /* the lowest bit of b */
	expect_masked("bits", &bits, mask, sizeof(bits),
	              "{a = 5, b = ?, c = -3, d = true, after = 200, e = -7, m = READ | EXEC}");
	expect_masked("minus", &minus, "\0\0\0\1", 4, "?");
	expect_masked("head", &head, "\0\0\0\0\0\0\0\0\0\0\0\0\xff\xff\xff\xff", 16,
	              "{next = NULL, key = 5}");
	expect_masked("full", "ab\0", "\0\0\0", 3, "\"ab\"");
	expect_masked("full", "ab\0", "\0\1\0", 3, "{97, ?, 0}");
	expect_masked("text", "ab\0d", "\0\0\0\1", 4, "\"ab\"");
}

static void test_print_part(void **state)
{
	const struct ctype *type = type_of("bits");
	struct str s = STR_INIT;
	struct ctype_part part;

	assert_true(ctype_part_bits(type, FIND(c, -1), 4, &part, NULL));
	ctype_print_part(&part, (uint8_t *)&bits, NULL, sizeof(bits), 0, &s);
	assert_string_equal(str_text(&s), "-3");
	s.length = 0;
	type = type_of("shape");
	assert_true(ctype_part(type, AT(shape, pos[1]), CTYPE_WHOLE, &part, NULL));
	ctype_print_part(&part, (uint8_t *)&shape, NULL, sizeof(shape), 0, &s);
	assert_string_equal(str_text(&s), "{x = 3, y = 4}");
	str_deinit(&s);
}

static void expect_raw(uint64_t bits_, size_t size, const char *expected)
{
	struct str s = STR_INIT;

	ctype_print_raw(bits_, size, &s);
	assert_string_equal(str_text(&s), expected);
	str_deinit(&s);
}

static void test_raw(void **state)
{
	struct str s = STR_INIT;

	expect_raw(7, 4, "7");
	expect_raw(0xffffffff, 4, "-1");
	expect_raw(0xffffffff, 8, "0xffffffff");
	expect_raw(0x7ffe1234, 4, "0x7ffe1234");
	expect_raw(200, 1, "-56");
	ctype_print(NULL, (const uint8_t *)"\1\2\3\4\5\6\7\10\11", NULL, 9, 0, &s);
	assert_string_equal(str_text(&s), "{1, 2, 3, 4, 5, 6, 7, 8, 9}");
	s.length = 0;
	ctype_print(NULL, (const uint8_t *)"", NULL, 0, 0, &s);
	ctype_name(NULL, &s);
	assert_string_equal(str_text(&s), "??");
	str_deinit(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_enums),
		cmocka_unit_test(test_pointers),
		cmocka_unit_test(test_floats),
		cmocka_unit_test(test_floats_read_back),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_aggregates),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_undefined),
		cmocka_unit_test(test_print_part),
		cmocka_unit_test(test_raw),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
