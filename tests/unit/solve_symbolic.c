/*
 * A run as terms (symbolic.h): what values and bytes are defined by, on small programs. That definitions agree
 * with runs is checked on many programs by tests/solve/symbolic.
 */
#include "trace_decoded.h"
#include "solve/symbolic.h"

static struct decoded d;
static struct terms *terms;
static struct symbolic *s;

static void begin(const char *source)
{
	struct execution_options options = {.retain = true, .bytes = true};

	d = decoded_record(source);
	decoded_run(&d, options);
	terms = terms_create();
	s = symbolic_create(d.e, terms);
}

static void end(void)
{
	symbolic_destroy(s);
	terms_destroy(terms);
	decoded_free(&d);
}

/* --- following --- */

struct following {
	uint32_t to; /* instance that is not replaced */
	uint64_t value;
	uint64_t any; /* value of what may be anything */
};

static term replace(void *context, uint64_t number)
{
	const struct following *f = context;

	if (number >= TERM_ANY || symbolic_symbol(s, (uint32_t)number)->instance == f->to)
		return 0;
	return symbolic_define(s, (uint32_t)number)->term;
}

static uint64_t value_of(void *context, uint64_t number)
{
	const struct following *f = context;

	return number >= TERM_ANY ? f->any : f->value;
}

/* What a term would be if a store had stored another value; false: that is not known. */
static bool would_be(term t, uint32_t store, uint64_t value, uint64_t *out)
{
	struct following f = {store, value, 0};
	uint64_t other;

	t = term_replace(terms, t, replace, &f);
	*out = term_evaluate(terms, t, value_of, &f);
	f.any = UINT64_MAX;
	other = term_evaluate(terms, t, value_of, &f);
	return *out == other;
}

static void assert_would_be(term t, uint32_t store, uint64_t value, uint64_t expected)
{
	uint64_t out;

	assert_int_not_equal(t, 0);
	assert_true(would_be(t, store, value, &out));
	assert_int_equal(out, expected);
}

static void assert_unknown(term t, uint32_t store, uint64_t value)
{
	uint64_t out;

	assert_int_not_equal(t, 0);
	assert_false(would_be(t, store, value, &out));
}

static enum symbolic_form form_of(uint32_t instance)
{
	term t = symbolic_value(s, instance);

	assert_int_not_equal(t, 0);
	return symbolic_define(s, (uint32_t)term_at(terms, t)->value)->form;
}

/* The value that is stored at the nth store on a line. */
static uint32_t store_at(const char *name, uint32_t nth)
{
	return decoded_at(&d, name, CODE_STORE, nth);
}

static term stored(const char *name)
{
	return symbolic_value(s, store_at(name, 0));
}

/* --- memory --- */

static void test_whole(void **state)
{
	uint32_t load, store;

	begin("int main(void) {\n"
	      "  int x = 7, y; /*x*/\n"
	      "  y = x; /*y*/\n"
	      "  return y - 7;\n"
	      "}\n");
	load = decoded_at(&d, "y", CODE_LOAD, 0);
	store = store_at("x", 0);
	assert_int_equal(form_of(load), SYMBOLIC_READ);
	assert_int_equal(form_of(store), SYMBOLIC_WRITTEN);
	/* Just the store's value: nothing was taken apart and put together. */
	assert_int_equal(
		symbolic_define(s, (uint32_t)term_at(terms, symbolic_value(s, load))->value)->term,
		symbolic_value(s, store));
	end();
}

static void test_bytes(void **state)
{
	begin("#include <string.h>\n#include <stdarg.h>\n"
	      "struct big { long a[5]; int b; };\n"
	      "static int by_value(struct big x, int k) { return x.b + k; }\n"
	      "static int variable(int n, ...) {\n"
	      "  va_list l; int sum = 0; va_start(l, n);\n"
	      "  while (n--) sum += va_arg(l, int);\n"
	      "  return sum;\n"
	      "}\n"
	      "struct two { long a, b; };\n"
	      "static struct two make(long v) { struct two t = {v, 3}; return t; }\n"
	      "int main(void) {\n"
	      "  int x, part, copied, filled[2], after; long sum; char c[4];\n"
	      "  struct big s = {{0}}, t; struct { unsigned a : 3, b : 9; } bits = {1, 2};\n"
	      "  x = 0x01020304; /*x*/\n"
	      "  c[0] = 1; c[2] = 3; c[3] = 4;\n"
	      "  c[1] = 2; /*c*/\n"
	      "  part = ((unsigned char *)&x)[1]; /*part*/\n"
	      "  memcpy(&after, c, 4);\n"
	      "  copied = after; /*joined*/\n"
	      "  s.b = 40; /*b*/\n"
	      "  t = s;\n"
	      "  copied = by_value(t, 2); /*copied*/\n"
	      "  x = 5; /*v*/\n"
	      "  copied = variable(3, 1, x, 2); /*variable*/\n"
	      "  memset(filled, x, sizeof(filled));\n"
	      "  copied = filled[1]; /*filled*/\n"
	      "  bits.b = x;\n"
	      "  copied = bits.a + bits.b; /*bits*/\n"
	      "  sum = make(x).a; /*two*/\n"
	      "  return 0;\n"
	      "}\n");
	assert_would_be(stored("part"), store_at("x", 0), 0x11223344, 0x33);
	assert_would_be(stored("joined"), store_at("c", 0), 0x77, 0x04037701);
	assert_would_be(stored("copied"), store_at("b", 0), 100, 102);
	assert_would_be(stored("variable"), store_at("v", 0), 70, 73);
	assert_would_be(stored("filled"), store_at("v", 0), 0x101, 0x01010101);
	assert_would_be(stored("bits"), store_at("v", 0), 511, 512);
	assert_would_be(stored("bits"), store_at("v", 0), 512, 1);
	assert_would_be(stored("two"), store_at("v", 0), 1000, 1000);
	end();
}

/* Memory as it was at the end. */
static term memory_at(uint64_t address, uint32_t size)
{
	uint32_t writers[8];
	uint8_t values[8];

	for (uint32_t k = 0; k < size; k++)
		memory_source_run(execution_memory(d.e), address + k, 1, &writers[k]);
	memory_read(execution_memory(d.e), address, size, values);
	return symbolic_memory(s, address, size, writers, values);
}

static void test_memory(void **state)
{
	uint32_t exit;

	begin("#include <stdlib.h>\n"
	      "struct big { long a[5]; int b, c; };\n"
	      "static void inner(struct big x, void *p) {\n"
	      "  p = &x.b;\n"
	      "  exit((long)p); /*exit*/\n"
	      "}\n"
	      "static void outer(struct big y) {\n"
	      "  y.c = 2; /*c*/\n"
	      "  inner(y, 0);\n"
	      "}\n"
	      "int main(void) {\n"
	      "  struct big z = {{0}};\n"
	      "  z.b = 40; /*b*/\n"
	      "  outer(z);\n"
	      "  return 0;\n"
	      "}\n");
	exit = decoded_at(&d, "exit", CODE_LOAD, 0);
	/* It was passed by value, twice. */
	assert_would_be(memory_at(execution_value(d.e, exit), 4), store_at("b", 0), 41, 41);
	assert_would_be(memory_at(execution_value(d.e, exit) + 4, 4), store_at("c", 0), 7, 7);
	assert_would_be(memory_at(execution_value(d.e, exit), 8), store_at("c", 0), 7,
	                40 | 7ull << 32);
	end();
}

static void test_table(void **state)
{
	term pointer;
	uint64_t value;

	begin("static const int table[] = {2, 3, 5, 7, 11};\n"
	      "int main(void) {\n"
	      "  int i, x, y, a[3];\n"
	      "  i = 2; /*i*/\n"
	      "  x = table[i]; /*x*/\n"
	      "  a[1] = 9; /*a*/\n"
	      "  y = a[i - 1]; /*y*/\n"
	      "  x = table[3]; /*fixed*/\n"
	      "  return x + y - 16;\n"
	      "}\n");
	/* Who wrote it is known; but in a table that nobody wrote another index finds another value. */
	assert_would_be(stored("x"), store_at("i", 0), 2, 5);
	assert_unknown(stored("x"), store_at("i", 0), 3);
	assert_would_be(stored("y"), store_at("i", 0), 1, 9);
	assert_would_be(stored("y"), store_at("a", 0), 12, 12);
	assert_true(symbolic_address(s, decoded_at(&d, "y", CODE_LOAD, 1), 0, &pointer, &value));
	assert_would_be(pointer, store_at("i", 0), 1, value - 4);
	assert_false(symbolic_address(s, decoded_at(&d, "y", CODE_LOAD, 0), 0, &pointer, &value));
	assert_false(
		symbolic_address(s, decoded_at(&d, "fixed", CODE_LOAD, 0), 0, &pointer, &value));
	assert_int_equal(form_of(store_at("fixed", 0)), SYMBOLIC_WRITTEN);
	end();
}

/* --- branches --- */

static void test_branches(void **state)
{
	uint32_t i, store;

	begin("static int kind(int x) {\n"
	      "  switch (x) { /*switch*/\n"
	      "  case 1: case 2: return 10;\n"
	      "  case 5: return 50;\n"
	      "  default: return 0;\n"
	      "  case 9: return 90;\n"
	      "  }\n"
	      "}\n"
	      "int main(void) {\n"
	      "  int x;\n"
	      "  x = 2; /*x*/\n"
	      "  if (x > 1) /*if*/\n"
	      "    x += kind(x);\n"
	      "  x = 77; /*other*/\n"
	      "  return kind(x);\n"
	      "}\n");
	i = decoded_at(&d, "if", CODE_BRANCH, 0);
	store = store_at("x", 0);
	assert_would_be(symbolic_branch(s, i, UINT32_MAX), store, 5, 1);
	assert_would_be(symbolic_branch(s, i, UINT32_MAX), store, 1, 0);
	assert_would_be(symbolic_branch(s, i, 0), store, 5, 1);
	assert_would_be(symbolic_branch(s, i, 1), store, 5, 0);
	i = decoded_at(&d, "switch", CODE_SWITCH, 0);
	assert_would_be(symbolic_branch(s, i, UINT32_MAX), store, 1, 1);
	assert_would_be(symbolic_branch(s, i, UINT32_MAX), store, 5, 0);
	assert_would_be(symbolic_branch(s, i, 0), store, 77, 1);
	assert_would_be(symbolic_branch(s, i, 0), store, 9, 0);
	assert_would_be(symbolic_branch(s, i, 3), store, 5, 1);
	assert_int_equal(symbolic_branch(s, i, 99), 0);
	/* The default: none of the others. */
	i = decoded_at(&d, "switch", CODE_SWITCH, 1);
	store = store_at("other", 0);
	assert_would_be(symbolic_branch(s, i, UINT32_MAX), store, 3, 1);
	assert_would_be(symbolic_branch(s, i, UINT32_MAX), store, 2, 0);
	assert_int_equal(symbolic_branch(s, store, UINT32_MAX), 0);
	end();
}

/* --- the library --- */

static void test_given(void **state)
{
	begin("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <setjmp.h>\n"
	      "static int order(const void *a, const void *b) {\n"
	      "  int r = *(const int *)a - *(const int *)b; /*order*/\n"
	      "  return r;\n"
	      "}\n"
	      "static jmp_buf env;\n"
	      "int main(int argc, char **argv) {\n"
	      "  char text[20]; int x, y, a[3] = {3, 1, 2}; char *p; double f;\n"
	      "  x = 12; /*x*/\n"
	      "  sprintf(text, \"%d\", x);\n"
	      "  y = text[1]; /*printed*/\n"
	      "  y = argv[1][0]; /*given*/\n"
	      "  p = malloc(x); /*allocated*/\n"
	      "  y = getchar(); /*input*/\n"
	      "  qsort(a, 3, sizeof(*a), order);\n"
	      "  y = a[0]; /*sorted*/\n"
	      "  f = x; f = f / 5; /*f*/\n"
	      "  y = (int)(f * 10); /*real*/\n"
	      "  y = setjmp(env); /*jumped*/\n"
	      "  if (!y) longjmp(env, x);\n"
	      "  free(p);\n"
	      "  return 0;\n"
	      "}\n");
	assert_unknown(stored("printed"), store_at("x", 0), 13);
	assert_would_be(stored("printed"), store_at("x", 0), 12, '2');
	assert_would_be(stored("allocated"), store_at("x", 0), 13,
	                execution_value(d.e, store_at("allocated", 0)));
	assert_int_equal(form_of(decoded_at(&d, "input", CODE_CALL, 0)), SYMBOLIC_CONSTANT);
	/* What functions that it called back returned decides how it sorts. */
	assert_unknown(stored("sorted"), store_at("order", 0), 0);
	assert_would_be(stored("sorted"), store_at("order", 0),
	                execution_value(d.e, store_at("order", 0)), 1);
	assert_would_be(stored("real"), store_at("x", 0), 31, 62);
	assert_unknown(symbolic_value(s, store_at("jumped", 1)), store_at("x", 0), 3);
	assert_would_be(symbolic_value(s, store_at("jumped", 1)), store_at("x", 0), 12, 12);
	end();
}

/* Behind the window, everything is a constant; inside, it is as usual. */
static void test_window(void **state)
{
	static const char source[] = "int main(void) {\n"
				     "  int x = 1, y;\n"
				     "  x = 7; /*before*/\n"
				     "  y = x + 1; /*y*/\n"
				     "  y = y * 2; /*z*/\n"
				     "  return y - 16;\n"
				     "}\n";
	struct execution_options options = {.retain = true, .bytes = true, .from = 4};
	uint64_t value;

	d = decoded_record(source);
	decoded_run(&d, options);
	terms = terms_create();
	s = symbolic_create(d.e, terms);
	assert_would_be(stored("z"), store_at("y", 0), 50, 100);
	assert_true(would_be(stored("y"), 1, 0, &value));
	assert_int_equal(value, 8);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),    cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_memory),   cmocka_unit_test(test_table),
		cmocka_unit_test(test_branches), cmocka_unit_test(test_given),
		cmocka_unit_test(test_window),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
