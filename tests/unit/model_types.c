/* C types of real code: what each global's declaration reads as, and how its parts are named. */
#include "model_declarations.h"

/* --- names --- */

static void expect_name(const char *global, const char *expected)
{
	struct str s = STR_INIT;

	ctype_declare(type_of(global), global, &s);
	assert_string_equal(str_text(&s), expected);
	str_deinit(&s);
}

static void test_names(void **state)
{
	struct str s = STR_INIT;

	expect_name("head", "struct list head");
	expect_name("items", "Items *items");
	expect_name("chain", "List chain[2][3]");
	expect_name("matrix", "int matrix[2][3]");
	expect_name("handlers", "handler handlers[2]");
	expect_name("lanes", "four lanes");
	expect_name("qualified", "const volatile char *restrict qualified");
	expect_name("fixed", "char *const fixed");
	expect_name("anything", "void *anything");
	expect_name("rows", "int (*rows)[3]");
	expect_name("getter", "int *(*getter)(void)");
	expect_name("unprototyped", "int (*unprototyped)()");
	expect_name("names", "char **names[2]");
	expect_name("nested", "void (*nested)(int, void (*)(char **))");
	expect_name("counter", "_Atomic int counter");
	expect_name("complex_", "_Complex double complex_");
	expect_name("pair", "_Complex int pair");
	expect_name("wider", "__int128 wider");
	expect_name("longer", "long double longer");
	expect_name("yes", "_Bool yes");
	expect_name("color", "enum color color");
	expect_name("word", "union word word");
	expect_name("opaque", "struct opaque *opaque");
	expect_name("raw", "unsigned char raw[4]");
	ctype_name(ctype_strip(type_of("lanes")), &s);
	assert_string_equal(str_text(&s), "int __vector(4)");
	s.length = 0;
	ctype_name(ctype_strip(ctype_strip(type_of("handlers"))->target), &s);
	assert_string_equal(str_text(&s), "int (*)(const char *, ...)");
	s.length = 0;
	ctype_name(type_of("matrix"), &s);
	assert_string_equal(str_text(&s), "int [2][3]");
	str_deinit(&s);
}

/* --- sizes and structure --- */

static void test_sizes(void **state)
{
	assert_int_equal(type_of("head")->size, sizeof(head));
	assert_int_equal(type_of("chain")->size, sizeof(chain));
	assert_int_equal(ctype_strip(type_of("chain"))->target->size, sizeof(chain[0]));
	assert_int_equal(type_of("counter")->size, sizeof(int));
	assert_int_equal(type_of("loop_alias")->size, sizeof(loop_alias));
	assert_int_equal(type_of("bits")->size, sizeof(bits));
	assert_int_equal(type_of("longer")->size, sizeof(longer));
	assert_int_equal(type_of("packet")->size, sizeof(packet));
	assert_int_equal(type_of("lanes")->size, 16);
}

static void test_recursion(void **state)
{
	const struct ctype *list = ctype_strip(type_of("head"));
	const struct ctype *loop = ctype_strip(type_of("loop_alias"));
	const struct ctype *back = loop->members[1].type, *self;

	assert_ptr_equal(ctype_strip(list->members[0].type)->target, list);
	assert_ptr_equal(ctype_strip(ctype_strip(type_of("items"))->target), list);
	self = ctype_strip(ctype_strip(loop->members[0].type)->members[0].type)->target;
	assert_int_equal(self->kind, CTYPE_CONST);
	assert_ptr_equal(ctype_strip(self), loop);
	assert_int_equal(self->size, sizeof(struct loop_alias));
	assert_int_equal(back->target->kind, CTYPE_CONST);
	assert_int_equal(ctype_strip(back->target)->target->size, sizeof(struct loop_alias));
	assert_true(ctype_strip(type_of("opaque"))->target->incomplete);
	assert_false(list->incomplete);
}

/* --- parts --- */

static void expect_part(const char *global, uint64_t offset, uint64_t size, enum ctype_fit fit,
                        const char *expected)
{
	struct str s = STR_INIT;
	struct ctype_part part = {.offset = 12345};
	bool found;

	str_add(&s, "x");
	found = ctype_part(type_of(global), offset, size, fit, &part, &s);
	if (found != !!expected || (found && strcmp(str_text(&s) + 1, expected)))
		fail_msg("%s at %d, %d bytes, fit %d: found %d '%s', expected '%s'", global,
		         (int)offset, (int)size, (int)fit, found, str_text(&s),
		         expected ? expected : "nothing");
	if (!found) {
		assert_string_equal(str_text(&s), "x");
		assert_int_equal(part.offset, 12345);
	}
	assert_int_equal(ctype_part(type_of(global), offset, size, fit, NULL, NULL), found);
	str_deinit(&s);
}

static void test_whole_parts(void **state)
{
	expect_part("head", 0, sizeof(head), CTYPE_WHOLE, "");
	expect_part("head", AT(head, next), CTYPE_WHOLE, ".next");
	expect_part("head", AT(head, key), CTYPE_WHOLE, ".key");
	expect_part("shape", AT(shape, kind), CTYPE_WHOLE, ".kind");
	expect_part("shape", AT(shape, pos), CTYPE_WHOLE, ".pos");
	expect_part("shape", AT(shape, pos[2]), CTYPE_WHOLE, ".pos[2]");
	expect_part("shape", AT(shape, pos[2].y), CTYPE_WHOLE, ".pos[2].y");
	expect_part("shape", AT(shape, weight), CTYPE_WHOLE, ".weight");
	expect_part("shape", AT(shape, high), CTYPE_WHOLE, ".high");
	expect_part("shape", AT(shape, low), CTYPE_WHOLE, ".low");
	expect_part("shape", AT(shape, f), CTYPE_WHOLE, ".i");
	expect_part("matrix", 0, sizeof(matrix), CTYPE_WHOLE, "");
	expect_part("matrix", sizeof(matrix[0]), sizeof(matrix[0]), CTYPE_WHOLE, "[1]");
	expect_part("matrix", 20, 4, CTYPE_WHOLE, "[1][2]");
	expect_part("chain", 5 * sizeof(List) + offsetof(List, key), 4, CTYPE_WHOLE, "[1][2].key");
	expect_part("lanes", 8, 4, CTYPE_WHOLE, "[2]");
	expect_part("one", 0, 4, CTYPE_WHOLE, "");
	expect_part("one", 0, 4, CTYPE_SCALAR, ".only");
	expect_part("minus", 0, 4, CTYPE_SCALAR, "");
	expect_part("complex_", 8, 8, CTYPE_SCALAR, ".imag");
	expect_part("complex_", 0, 8, CTYPE_SCALAR, ".real");
	expect_part("complex_", 0, 16, CTYPE_SCALAR, "");
	expect_part("longer", 0, 10, CTYPE_SCALAR, "");
	expect_part("shape", offsetof(struct shape, pos[1]), 0, CTYPE_WHOLE, ".pos[1]");
	expect_part("shape", offsetof(struct shape, pos[1]), 0, CTYPE_SCALAR, ".pos[1].x");
}

static void test_no_part(void **state)
{
	expect_part("head", 12, 4, CTYPE_WHOLE, NULL);
	expect_part("head", 4, 4, CTYPE_WHOLE, NULL);
	expect_part("head", 8, 2, CTYPE_WHOLE, NULL);
	expect_part("head", 16, 4, CTYPE_WHOLE, NULL);
	expect_part("head", 16, 0, CTYPE_AROUND, NULL);
	expect_part("shape", 1, 1, CTYPE_SCALAR, NULL);
	expect_part("matrix", 24, 4, CTYPE_SCALAR, NULL);
	expect_part("matrix", 4, 8, CTYPE_WHOLE, NULL);
	expect_part("matrix", UINT64_MAX, 4, CTYPE_WHOLE, NULL);
	expect_part("minus", 4, 4, CTYPE_AROUND, NULL);
	expect_part("complex_", 4, 8, CTYPE_SCALAR, NULL);
	assert_false(ctype_path(NULL, 0, 4, NULL));
}

static void test_parts_around(void **state)
{
	expect_part("matrix", 4, 8, CTYPE_AROUND, "[0]");
	expect_part("matrix", 8, 8, CTYPE_AROUND, "");
	expect_part("head", 13, 1, CTYPE_AROUND, "");
	expect_part("head", 9, 1, CTYPE_AROUND, ".key");
	expect_part("shape", AT(shape, pos[1]), CTYPE_AROUND, ".pos[1]");
	expect_part("packet", 2, 40, CTYPE_AROUND, ".data");
}

static void test_open_arrays(void **state)
{
	expect_part("packet", 2 + 50, 1, CTYPE_WHOLE, ".data[50]");
	expect_part("oldstyle", 4 + 3 * 8 + 4, 4, CTYPE_WHOLE, ".at[3].y");
	expect_part("one", 4, 4, CTYPE_WHOLE, NULL);
}

static void test_unions(void **state)
{
	expect_part("word", 0, 8, CTYPE_WHOLE, "");
	expect_part("word", 0, 8, CTYPE_SCALAR, ".d");
	expect_part("word", 0, 4, CTYPE_WHOLE, ".all");
	expect_part("word", 0, 4, CTYPE_SCALAR, ".all");
	expect_part("word", 2, 1, CTYPE_WHOLE, ".bytes[2]");
	expect_part("word", 0, 1, CTYPE_SCALAR, ".bytes[0]");
}

static void expect_bits(uint64_t bit, uint64_t size, const char *expected)
{
	struct str s = STR_INIT;
	bool found = ctype_part_bits(type_of("bits"), bit, size, NULL, &s);

	assert_int_equal(found, expected != NULL);
	assert_string_equal(str_text(&s), expected ? expected : "");
	str_deinit(&s);
}

static void test_bit_fields(void **state)
{
	expect_bits(FIND(a, 7), 3, ".a");
	expect_bits(FIND(b, 31), 5, ".b");
	expect_bits(FIND(c, -1), 4, ".c");
	expect_bits(FIND(d, 1), 1, ".d");
	expect_bits(FIND(e, -1), 40, ".e");
	expect_bits(FIND(m, 7), 3, ".m");
	expect_bits(FIND(after, 255), 8, ".after");
	expect_bits(FIND(a, 7), 4, NULL);
	expect_bits(1, 2, NULL);
	expect_part("bits", 0, 1, CTYPE_SCALAR, ".a");
	expect_part("bits", 1, 1, CTYPE_WHOLE, ".c");
	expect_part("bits", 0, 2, CTYPE_WHOLE, ".a");
	expect_part("bits", 2, 1, CTYPE_WHOLE, ".after");
	expect_part("bits", 0, 4, CTYPE_WHOLE, NULL);
	expect_part("bits", 0, 4, CTYPE_AROUND, "");
	expect_part("bits", 3, 5, CTYPE_SCALAR, ".e");
	expect_part("bits", 8, 1, CTYPE_SCALAR, ".m");
	expect_part("bits", 9, 1, CTYPE_SCALAR, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),       cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_recursion),   cmocka_unit_test(test_whole_parts),
		cmocka_unit_test(test_no_part),     cmocka_unit_test(test_parts_around),
		cmocka_unit_test(test_open_arrays), cmocka_unit_test(test_unions),
		cmocka_unit_test(test_bit_fields),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
