/* The binary table of models: lookup, expressions, and libc.model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "outside/table.h"

static void make(const char *text, void **bytes, size_t *size)
{
	struct outside_models models;

	outside_models_init(&models);
	assert_null(outside_models_add_text(&models, "m", text, strlen(text)));
	outside_table_write(&models, bytes, size);
	outside_models_deinit(&models);
}

/* --- expressions --- */

static char memory[] = "four\0\x01\x02";
static const int64_t arguments[] = {3, -5, (int64_t)memory, 0};

static int64_t leaf(void *context, uint32_t op, int32_t value)
{
	switch (op) {
	case OUTSIDE_ARG: return arguments[value];
	case OUTSIDE_RET: return 7;
	case OUTSIDE_OLD: return 1000 + value;
	case OUTSIDE_GLOBAL: return 2000 + value;
	default: return 0;
	}
}

static int64_t load(void *context, uint64_t address, int32_t size)
{
	int64_t value = 0;

	memcpy(&value, (const void *)address, (size_t)size);
	return value;
}

static int64_t length(void *context, uint64_t address, uint32_t unit, uint64_t most)
{
	assert_int_equal(unit, 1);
	return address ? (int64_t)strnlen((const char *)address, most < 100 ? most : 100) : -1;
}

static int64_t object(void *context, uint64_t address)
{
	return address == (uint64_t)memory ? 8 : 0;
}

static int64_t evaluate(const char *expression)
{
	static const struct outside_world world = {leaf, load, length, object};
	char text[200];
	void *bytes;
	size_t size;
	int64_t value;
	const struct outside_function *f;
	const struct outside_clause *c;

	snprintf(text, sizeof(text), "f(a, b, s, z): returns %s", expression);
	make(text, &bytes, &size);
	f = outside_table_find(bytes, "f");
	c = outside_table_clauses(bytes, f);
	value = outside_eval(outside_table_code(bytes, c->at), &world, NULL);
	free(bytes);
	return value;
}

static void test_expressions(void **state)
{
	assert_int_equal(evaluate("1 + 2 * a"), 7);
	assert_int_equal(evaluate("(1 + 2) * a - 1"), 8);
	assert_int_equal(evaluate("10 - 3 - 2"), 5);
	assert_int_equal(evaluate("-b + !b + !z"), 6);
	assert_int_equal(evaluate("strlen(s) * ret"), 28);
	assert_int_equal(evaluate("strnlen(s, a)"), 3);
	assert_int_equal(evaluate("byte(s + 5) + short(s + 5)"), 1 + 0x201);
	assert_int_equal(evaluate("int(s)"), 0x72756f66);
	assert_int_equal(evaluate("*s == long(s)"), 1);
	assert_int_equal(evaluate("size(s) + size(z)"), 8);
	assert_int_equal(evaluate("min(a, ret) + max(a, ret)"), 10);
	/* Lengths are unsigned: (size_t)-1 is a large one. */
	assert_int_equal(evaluate("min(a, -1)"), 3);
	assert_int_equal(evaluate("b < a"), 1);
	assert_int_equal(evaluate("a == 3 && ret >= 7 && a != 4"), 1);
	assert_int_equal(evaluate("a > 3 || ret <= 6"), 0);
	assert_int_equal(evaluate("z && a || ret"), 1);
	assert_int_equal(evaluate("old(a) + 1"), 1001);
	assert_int_equal(evaluate("&optind"), 2000 + OUTSIDE_OPTIND);
}

/* --- lookup --- */

static void test_find(void **state)
{
	char text[4000] = "";
	void *bytes;
	size_t size;
	char name[32];

	for (int i = 0; i < 100; i++)
		sprintf(text + strlen(text), "function_%d(): identity thing\n", i);
	make(text, &bytes, &size);
	for (int i = 0; i < 100; i++) {
		const struct outside_function *f;

		sprintf(name, "function_%d", i);
		f = outside_table_find(bytes, name);
		assert_non_null(f);
		assert_string_equal(outside_table_text(bytes, f->name), name);
		assert_ptr_equal(f, outside_table_function(bytes, (uint32_t)i));
		assert_string_equal(outside_table_text(bytes, f->identity), "thing");
	}
	assert_null(outside_table_find(bytes, "function_100"));
	assert_null(outside_table_find(bytes, ""));
	free(bytes);
}

static void test_empty_table(void **state)
{
	void *bytes;
	size_t size;

	make("", &bytes, &size);
	assert_null(outside_table_find(bytes, "f"));
	free(bytes);
}

/* --- the models that come with hence --- */

static void *load_libc(void)
{
	const char *source = getenv("SRC") ? getenv("SRC") : ".";
	struct hence_error *error;
	char folder[4096];
	void *bytes;
	size_t size;

	snprintf(folder, sizeof(folder), "%s/models", source);
	error = outside_table_load(folder, NULL, 0, &bytes, &size);
	if (error)
		fail_msg("%s", error->message);
	return bytes;
}

static void test_libc_models(void **state)
{
	static const char *const wanted[] = {"strlen",
	                                     "memcpy",
	                                     "__memcpy_chk",
	                                     "strtok_r",
	                                     "malloc",
	                                     "realloc",
	                                     "getline",
	                                     "fgets",
	                                     "fread",
	                                     "__isoc99_sscanf",
	                                     "__isoc23_scanf",
	                                     "printf",
	                                     "__printf_chk",
	                                     "vsnprintf",
	                                     "puts",
	                                     "fopen64",
	                                     "fclose",
	                                     "qsort",
	                                     "bsearch",
	                                     "getenv",
	                                     "__ctype_b_loc",
	                                     "sin",
	                                     "frexp",
	                                     "read",
	                                     "writev",
	                                     "open64",
	                                     "stat",
	                                     "__fxstat",
	                                     "readdir",
	                                     "mmap",
	                                     "time",
	                                     "localtime",
	                                     "clock_gettime",
	                                     "getopt_long",
	                                     "setlocale",
	                                     "mbstowcs",
	                                     "wcslen",
	                                     "regcomp",
	                                     "sigaction",
	                                     "_setjmp",
	                                     "__sigsetjmp",
	                                     "longjmp",
	                                     "exit",
	                                     "abort",
	                                     "__assert_fail",
	                                     "fork",
	                                     "waitpid",
	                                     "pthread_create",
	                                     "dlsym",
	                                     "recv",
	                                     "__errno_location"};
	void *table = load_libc();
	const struct outside_function *f;

	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++)
		if (!outside_table_find(table, wanted[i]))
			fail_msg("no model of %s", wanted[i]);
	f = outside_table_find(table, "strlen");
	assert_true(f->flags & OUTSIDE_PURE);
	assert_int_equal(f->active, 0);
	assert_true(outside_table_find(table, "time")->flags & OUTSIDE_VARIES);
	f = outside_table_find(table, "getpid");
	assert_false(f->flags & OUTSIDE_VARIES);
	assert_string_equal(outside_table_text(table, f->identity), "pid");
	assert_true(outside_table_find(table, "exit")->flags & OUTSIDE_NORETURN);
	free(table);
}

static void write_file(const char *folder, const char *name, const char *text)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void remove_folder(const char *folder)
{
	static const char *const names[] = {"libc.model", "a.model", "b.model", "user", ".x.model"};
	char path[4096];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	rmdir(folder);
}

static uint32_t params_of(const void *table, const char *name)
{
	const struct outside_function *f = outside_table_find(table, name);

	assert_non_null(f);
	return f->params;
}

/* libc.model first, then the others by name, then the user's: the last one wins. */
static void test_folder_order(void **state)
{
	char folder[] = "/tmp/hence-models-XXXXXX", user[4096];
	char *files[] = {user};
	struct hence_error *error;
	void *bytes;
	size_t size;

	assert_non_null(mkdtemp(folder));
	snprintf(user, sizeof(user), "%s/user", folder);
	error = outside_table_load(folder, NULL, 0, &bytes, &size);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "libc.model: No such file or directory"));
	error_destroy(error);
	write_file(folder, "b.model", "y(a, b): pure\nz(a, b): pure");
	write_file(folder, "a.model", "x(a): pure\ny(a): pure\nz(a): pure");
	write_file(folder, "libc.model", "w(): pure\nx(): pure\ny(): pure\nz(): pure");
	write_file(folder, "user", "z(a, b, c): pure");
	write_file(folder, ".x.model", "this is not read");
	error = outside_table_load(folder, files, 1, &bytes, &size);
	if (error)
		fail_msg("%s", error->message);
	assert_int_equal(params_of(bytes, "w"), 0);
	assert_int_equal(params_of(bytes, "x"), 1);
	assert_int_equal(params_of(bytes, "y"), 2);
	assert_int_equal(params_of(bytes, "z"), 3);
	free(bytes);
	remove_folder(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_expressions),  cmocka_unit_test(test_find),
		cmocka_unit_test(test_empty_table),  cmocka_unit_test(test_libc_models),
		cmocka_unit_test(test_folder_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
