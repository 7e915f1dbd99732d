/*
 * Constants as bytes: initial values of variables, read from clang's IR, against the same variables
 * of this program, which another compiler laid out.
 */
#include "model_source.h"
#include "model/plan.h"
#include "trace/constants.h"

/* Only values here: addresses differ between the two. */
#define VALUES                                                                                     \
	struct inner {                                                                             \
		char c;                                                                            \
		short s;                                                                           \
		long l;                                                                            \
	};                                                                                         \
	struct bits {                                                                              \
		unsigned a : 3, b : 11;                                                            \
		int c : 7;                                                                         \
		unsigned long d : 40;                                                              \
	};                                                                                         \
	struct outer {                                                                             \
		char head;                                                                         \
		struct inner in[3];                                                                \
		double d;                                                                          \
		char text[7];                                                                      \
	};                                                                                         \
	union either {                                                                             \
		float f;                                                                           \
		long l;                                                                            \
		char c[12];                                                                        \
	};                                                                                         \
	char v_char = -3;                                                                          \
	unsigned short v_short = 65535;                                                            \
	int v_int = -123456789;                                                                    \
	long v_long = 0x123456789abcdef0;                                                          \
	_Bool v_bool = 1;                                                                          \
	__int128 v_wide = (__int128)-5 * (1L << 62) * 256 + 77;                                    \
	unsigned __int128 v_wider = ((unsigned __int128)0xfedcba9876543210 << 64) + 1;             \
	float v_float = 1.1f;                                                                      \
	float v_tiny = 1e-42f;                                                                     \
	float v_negative = -0.0f;                                                                  \
	double v_double = -1.0 / 3;                                                                \
	double v_huge = 1e308;                                                                     \
	double v_least = 5e-324;                                                                   \
	double v_infinite = __builtin_inf();                                                       \
	double v_nan = __builtin_nan("0x123");                                                     \
	float v_nan_float = __builtin_nanf("0x45");                                                \
	int v_zero;                                                                                \
	int v_array[5] = {1, -2, 3};                                                               \
	int v_sparse[300] = {[7] = 5, [299] = -1};                                                 \
	char v_text[10] = "abc\0def";                                                              \
	char v_full[3] = "xyz";                                                                    \
	int v_wide_text[4] = L"hi";                                                                \
	struct inner v_inner = {'q', -7, 1L << 40};                                                \
	struct outer v_outer = {1, {{2, 3, 4}, {0}, {5, 6, -7}}, 2.5, "words"};                    \
	struct outer v_outers[2] = {[1] = {.text = "end", .d = 1e9}};                              \
	struct bits v_bits = {5, 1023, -4, 0xabcdef0123};                                          \
	union either v_union = {.c = "union"};                                                     \
	union either v_real = {1.5f};                                                              \
	int v_vector __attribute__((vector_size(16))) = {1, 2, -3, 4};                             \
	float v_floats __attribute__((vector_size(16))) = {1, 2.5f, -3, 0};                        \
	int v_sum = 3 * 7 + (5 > 2 ? 10 : 20);

VALUES

/* Padding differs, and of long double only 10 bytes count: see below. */
static long double v_long_double = -3.25L;

struct value {
	const char *name;
	const void *bytes;
	size_t size;
};

#define VALUE(name)                                                                                \
	{                                                                                          \
#name, &name, sizeof(name)                                                         \
	}

static const struct value values[] = {
	VALUE(v_char),   VALUE(v_short),     VALUE(v_int),    VALUE(v_long),
	VALUE(v_bool),   VALUE(v_wide),      VALUE(v_wider),  VALUE(v_float),
	VALUE(v_tiny),   VALUE(v_negative),  VALUE(v_double), VALUE(v_huge),
	VALUE(v_least),  VALUE(v_infinite),  VALUE(v_nan),    VALUE(v_nan_float),
	VALUE(v_zero),   VALUE(v_array),     VALUE(v_sparse), VALUE(v_text),
	VALUE(v_full),   VALUE(v_wide_text), VALUE(v_inner),  VALUE(v_outer),
	VALUE(v_outers), VALUE(v_bits),      VALUE(v_union),  VALUE(v_real),
	VALUE(v_vector), VALUE(v_floats),    VALUE(v_sum),
};

/* A module with an address for each global: 1000, 2000, ... in the order of the plan. */
struct loaded {
	LLVMModuleRef ir;
	struct plan *plan;
	struct program_module module;
};

static struct loaded load(const char *text)
{
	struct loaded l = {.ir = source_compile(text, "")};
	uint64_t address = 0;

	l.plan = plan_create(l.ir, NULL);
	l.module.plan = l.plan;
	for (uint32_t f = 0; f < l.plan->functions.size; f++)
		*value_map_put(&l.module.values, (uint64_t)l.plan->functions.at[f].function) =
			address += 1000;
	for (uint32_t g = 0; g < l.plan->globals.size; g++)
		*value_map_put(&l.module.values, (uint64_t)l.plan->globals.at[g]) = address += 1000;
	return l;
}

static void unload(struct loaded *l)
{
	value_map_deinit(&l->module.values);
	plan_destroy(l->plan);
	source_free(l->ir);
}

static LLVMValueRef initial(const struct loaded *l, const char *name)
{
	LLVMValueRef global = LLVMGetNamedGlobal(l->ir, name);

	if (!global || !LLVMGetInitializer(global))
		fail_msg("%s is not there", name);
	return LLVMGetInitializer(global);
}

static uint64_t address_of(const struct loaded *l, const char *name)
{
	LLVMValueRef value = LLVMGetNamedGlobal(l->ir, name);
	uint64_t address = 0;

	value = value ? value : LLVMGetNamedFunction(l->ir, name);
	assert_non_null(value);
	assert_true(constants_address(&l->module, value, &address));
	return address;
}

/* --- tests --- */

static void test_values(void **state)
{
	struct loaded l = load(SOURCE_TEXT(VALUES));
	uint8_t out[sizeof(v_sparse) + 64];

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		assert_true(values[i].size <= sizeof(v_sparse));
		memset(out, 0xee, sizeof(out));
		if (!constants_read(&l.module, initial(&l, values[i].name), out))
			fail_msg("%s cannot be read", values[i].name);
		if (memcmp(out, values[i].bytes, values[i].size))
			fail_msg("%s has other bytes", values[i].name);
		/* alignment may add some, but not many */
		for (size_t k = values[i].size + 16; k < values[i].size + 32; k++)
			assert_int_equal(out[k], 0xee);
	}
	unload(&l);
}

static void test_long_double(void **state)
{
	struct loaded l = load("long double x = -3.25L, zero, odd = __builtin_nanl(\"\");");
	uint8_t out[64];

	assert_true(constants_read(&l.module, initial(&l, "x"), out));
	assert_memory_equal(out, &v_long_double, 10);
	assert_true(constants_read(&l.module, initial(&l, "zero"), out));
	for (int i = 0; i < 10; i++)
		assert_int_equal(out[i], 0);
	assert_true(constants_read(&l.module, initial(&l, "odd"), out));
	assert_int_equal(out[9], 0x7f);
	assert_int_equal(out[7], 0xc0);
	unload(&l);
}

static const char pointers[] = "struct s { int a, b[4]; struct s *next; };\n"
			       "int n, list[10];\nstatic int f(int x) { return x; }\n"
			       "struct s first, second = {1, {2}, &first};\n"
			       "int *to_n = &n, *inside = &list[3], *behind = list + 10;\n"
			       "int *before = &list[5] - 7;\n"
			       "int *field = &first.b[2];\n"
			       "int (*call)(int) = f, (*none)(int);\n"
			       "long as_number = (long)&list[1], distance = &list[7] - &list[2];\n"
			       "void *table[] = {&n, 0, f, &second.next, (void *)5};\n"
			       "char *text = \"abc\", *part = \"abcdef\" + 2;\n"
			       "int use(void) { return f(1); }\n";

static uint64_t word(const struct loaded *l, const char *name, uint32_t index)
{
	uint64_t words[16] = {0};

	if (!constants_read(&l->module, initial(l, name), (uint8_t *)words))
		fail_msg("%s cannot be read", name);
	return words[index];
}

static void test_pointers(void **state)
{
	struct loaded l = load(pointers);
	uint64_t n = address_of(&l, "n"), list = address_of(&l, "list");
	uint64_t first = address_of(&l, "first"), f = address_of(&l, "f");

	assert_int_equal(word(&l, "to_n", 0), n);
	assert_int_equal(word(&l, "inside", 0), list + 12);
	assert_int_equal(word(&l, "behind", 0), list + 40);
	assert_int_equal(word(&l, "before", 0), list - 8);
	assert_int_equal(word(&l, "field", 0), first + 12);
	assert_int_equal(word(&l, "call", 0), f);
	assert_int_equal(word(&l, "none", 0), 0);
	assert_int_equal(word(&l, "as_number", 0), list + 4);
	assert_int_equal(word(&l, "distance", 0), 5);
	assert_int_equal(word(&l, "second", 3), first);
	assert_int_equal(word(&l, "table", 0), n);
	assert_int_equal(word(&l, "table", 1), 0);
	assert_int_equal(word(&l, "table", 2), f);
	assert_int_equal(word(&l, "table", 3), address_of(&l, "second") + 24);
	assert_int_equal(word(&l, "table", 4), 5);
	assert_int_equal(word(&l, "text", 0) % 1000, 0);
	assert_int_equal(word(&l, "part", 0) % 1000, 2);
	unload(&l);
}

/* The variable that a pointer was made from. */
static void test_base(void **state)
{
	struct loaded l = load(pointers);

	assert_ptr_equal(constants_base(initial(&l, "inside")), LLVMGetNamedGlobal(l.ir, "list"));
	assert_ptr_equal(constants_base(initial(&l, "before")), LLVMGetNamedGlobal(l.ir, "list"));
	assert_ptr_equal(constants_base(initial(&l, "field")), LLVMGetNamedGlobal(l.ir, "first"));
	assert_null(constants_base(initial(&l, "call")));
	assert_null(constants_base(initial(&l, "none")));
	assert_null(constants_base(initial(&l, "distance")));
	unload(&l);
}

/* What has no address, like a function that is not there, cannot be read. */
static void test_unknown(void **state)
{
	struct loaded l = load("extern int elsewhere; int *p[3] = {0, &elsewhere, 0};");
	uint8_t out[64];

	value_map_deinit(&l.module.values);
	assert_false(constants_read(&l.module, initial(&l, "p"), out));
	unload(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),   cmocka_unit_test(test_long_double),
		cmocka_unit_test(test_pointers), cmocka_unit_test(test_base),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests_name("trace_constants", tests, NULL, NULL);
}
