/* Names: what belongs to a variable; bit-fields by what the code does with their unit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/json.h"
#include "words/names.h"

static void test_belongs(void **state)
{
	static const char *const yes[][2] = {
		{"x", "x"},   {"x.key", "x"},   {"x[3]", "x"},         {"x->next", "x"},
		{"*x", "x"},  {"(*x)->y", "x"}, {"x->a[2].b", "x->a"}, {"main.buf[3]", "main.buf"},
		{"**x", "x"},
	};
	static const char *const no[][2] = {
		{"xy", "x"},    {"y.x", "x"}, {"x", "x.key"},
		{"x - 1", "x"}, {"x_1", "x"}, {"y[x]", "x"},
	};

	for (size_t i = 0; i < sizeof(yes) / sizeof(*yes); i++)
		assert_true(name_belongs(yes[i][0], yes[i][1]));
	for (size_t i = 0; i < sizeof(no) / sizeof(*no); i++)
		assert_false(name_belongs(no[i][0], no[i][1]));
}

static void test_json_string(void **state)
{
	static const char *const texts[][2] = {
		{"", "\"\""},
		{"a\"b\\c", "\"a\\\"b\\\\c\""},
		{"\n\x01", "\"\\u000a\\u0001\""},
		{"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
	         "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\""},
		/* Not UTF-8: a lone byte, one cut off, an overlong one, a surrogate, too large. */
		{"\xff", "\"\\ufffd\""},
		{"\xe2\x82", "\"\\ufffd\\ufffd\""},
		{"\xc0\x80", "\"\\ufffd\\ufffd\""},
		{"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},
		{"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct str out = STR_INIT;

		json_add_string(&out, texts[i][0]);
		assert_string_equal(str_text(&out), texts[i][1]);
		str_deinit(&out);
	}
}

/* --- bit-fields --- */

struct made {
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMBuilderRef builder;
	LLVMValueRef load, pointer;
};

/* A function that loads 16 bits. */
static void begin(struct made *m)
{
	LLVMTypeRef word, type;
	LLVMValueRef function;

	m->context = LLVMContextCreate();
	m->module = LLVMModuleCreateWithNameInContext("m", m->context);
	m->builder = LLVMCreateBuilderInContext(m->context);
	word = LLVMInt16TypeInContext(m->context);
	type = LLVMFunctionType(word, NULL, 0, 0);
	function = LLVMAddFunction(m->module, "f", type);
	LLVMPositionBuilderAtEnd(m->builder,
	                         LLVMAppendBasicBlockInContext(m->context, function, ""));
	m->pointer = LLVMBuildAlloca(m->builder, word, "");
	m->load = LLVMBuildLoad2(m->builder, word, m->pointer, "");
}

static void end(struct made *m)
{
	LLVMDisposeBuilder(m->builder);
	LLVMDisposeModule(m->module);
	LLVMContextDispose(m->context);
}

static LLVMValueRef number(struct made *m, unsigned value)
{
	return LLVMConstInt(LLVMInt16TypeInContext(m->context), value, 0);
}

static void expect_bits(LLVMValueRef instruction, uint32_t offset, uint32_t size)
{
	uint32_t at = 0, bits = 0;

	assert_true(names_bits(instruction, &at, &bits));
	assert_int_equal(at, offset);
	assert_int_equal(bits, size);
}

static void test_bits_signed(void **state)
{
	struct made m;
	LLVMValueRef up;

	begin(&m);
	up = LLVMBuildShl(m.builder, m.load, number(&m, 4), "");
	LLVMBuildRet(m.builder, LLVMBuildAShr(m.builder, up, number(&m, 12), ""));
	expect_bits(m.load, 8, 4);
	end(&m);
}

static void test_bits_unsigned(void **state)
{
	struct made m;
	LLVMValueRef down;

	begin(&m);
	down = LLVMBuildLShr(m.builder, m.load, number(&m, 3), "");
	LLVMBuildRet(m.builder, LLVMBuildAnd(m.builder, down, number(&m, 31), ""));
	expect_bits(m.load, 3, 5);
	end(&m);
	begin(&m);
	LLVMBuildRet(m.builder, LLVMBuildAnd(m.builder, m.load, number(&m, 7), ""));
	expect_bits(m.load, 0, 3);
	end(&m);
	begin(&m);
	LLVMBuildRet(m.builder, LLVMBuildLShr(m.builder, m.load, number(&m, 13), ""));
	expect_bits(m.load, 13, 3);
	end(&m);
}

static void test_bits_stored(void **state)
{
	struct made m;
	LLVMValueRef kept, store;

	begin(&m);
	kept = LLVMBuildAnd(m.builder, m.load, number(&m, 0xff07), "");
	store = LLVMBuildStore(m.builder, LLVMBuildOr(m.builder, kept, number(&m, 0x48), ""),
	                       m.pointer);
	LLVMBuildRet(m.builder, number(&m, 0));
	expect_bits(store, 3, 5);
	assert_true(names_is_refill(m.load));
	end(&m);
}

static void test_bits_of_nothing(void **state)
{
	struct made m;
	LLVMValueRef store;
	uint32_t at, bits;

	begin(&m);
	store = LLVMBuildStore(m.builder, m.load, m.pointer);
	LLVMBuildRet(m.builder, number(&m, 0));
	assert_false(names_bits(m.load, &at, &bits));
	assert_false(names_bits(store, &at, &bits));
	assert_false(names_is_refill(m.load));
	end(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_belongs),     cmocka_unit_test(test_json_string),
		cmocka_unit_test(test_bits_signed), cmocka_unit_test(test_bits_unsigned),
		cmocka_unit_test(test_bits_stored), cmocka_unit_test(test_bits_of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
