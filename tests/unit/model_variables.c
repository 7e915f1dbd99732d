/* Variables of real code: names, types, lines and scopes of locals, parameters and globals. */
#include "model_source.h"

#include "model/plan.h"
#include "model/variables.h"

/* The line numbers in the tests are those of this text. */
static const char code[] =                                                    /* */
	"struct big { long a, b, c; };\n"                                     /* 1 */
	"int shared = 1; static const char *names[2];\n"                      /* 2 */
	"extern int elsewhere;\n"                                             /* 3 */
	"struct big copy(struct big given)\n"                                 /* 4 */
	"{\n"                                                                 /* 5 */
	"	struct big result = given;\n"                                 /* 6 */
	"	result.a += shared;\n"                                        /* 7 */
	"	return result;\n"                                             /* 8 */
	"}\n"                                                                 /* 9 */
	"int old(a, b)\n"                                                     /* 10 */
	"	int a; char b;\n"                                             /* 11 */
	"{ return a + b; }\n"                                                 /* 12 */
	"int shadows(int n, char **text)\n"                                   /* 13 */
	"{\n"                                                                 /* 14 */
	"	int x = 1;\n"                                                 /* 15 */
	"	{\n"                                                          /* 16 */
	"		elsewhere = x;\n"                                     /* 17 */
	"		int x = 2;\n"                                         /* 18 */
	"		for (int i = 0; i < n; i++) {\n"                      /* 19 */
	"			int x = i, shared = 3;\n"                     /* 20 */
	"			elsewhere += x + shared;\n"                   /* 21 */
	"		}\n"                                                  /* 22 */
	"		elsewhere -= x;\n"                                    /* 23 */
	"	}\n"                                                          /* 24 */
	"	return x + shared + (text != 0);\n"                           /* 25 */
	"}\n"                                                                 /* 26 */
	"static int count(void)\n"                                            /* 27 */
	"{\n"                                                                 /* 28 */
	"	static int calls;\n"                                          /* 29 */
	"	return ++calls + __func__[0] + \"literal\"[1];\n"             /* 30 */
	"}\n"                                                                 /* 31 */
	"int varies(int n, int m)\n"                                          /* 32 */
	"{\n"                                                                 /* 33 */
	"	int row[n], grid[n][m];\n"                                    /* 34 */
	"	row[0] = 1; grid[0][0] = 2;\n"                                /* 35 */
	"	return row[0] + grid[0][0] + count();\n"                      /* 36 */
	"}\n"                                                                 /* 37 */
	"__attribute__((always_inline)) static inline int twice(int value)\n" /* 38 */
	"{\n"                                                                 /* 39 */
	"	int local = 2 * value;\n"                                     /* 40 */
	"	return local;\n"                                              /* 41 */
	"}\n"                                                                 /* 42 */
	"int inlines(int value)\n"                                            /* 43 */
	"{\n"                                                                 /* 44 */
	"	return twice(value) + twice(3);\n"                            /* 45 */
	"}\n"                                                                 /* 46 */
	"struct big choose(int n)\n"                                          /* 47 */
	"{\n"                                                                 /* 48 */
	"	if (n) { struct big first = {1}; return first; }\n"           /* 49 */
	"	else { struct big second = {2}; return second; }\n"           /* 50 */
	"}\n"                                                                 /* 51 */
	"static void swap(void)\n"                                            /* 52 */
	"{\n"                                                                 /* 53 */
	"	static int kept; { static int kept; kept++; }\n"              /* 54 */
	"	kept++;\n"                                                    /* 55 */
	"}\n"                                                                 /* 56 */
	"int main(void) { swap(); return 0; }\n";                             /* 57 */

static LLVMModuleRef module;
static struct types *types;
static struct variables *variables;

static LLVMValueRef function(const char *name)
{
	LLVMValueRef found = LLVMGetNamedFunction(module, name);

	assert_non_null(found);
	return found;
}

/* Describes a variable as "type name:line", "*" for an artificial one. */
static void describe(const struct variable *v, struct str *out)
{
	ctype_declare(v->type, v->name, out);
	str_printf(out, "%s:%u", v->artificial ? "*" : "", v->line);
	if (v->argument)
		str_printf(out, "(%u)", v->argument);
	if (v->scope && v->scope->depth)
		str_printf(out, "@%u", v->scope->depth);
}

static void expect_all(const char *name, const char *expected)
{
	const struct variable_list *list = variables_of_function(variables, function(name));
	struct str s = STR_INIT;

	assert_non_null(list);
	for (uint32_t i = 0; i < list->size; i++) {
		if (i)
			str_add(&s, "; ");
		describe(list->at[i], &s);
		assert_string_equal(list->at[i]->file, "source.c");
		assert_ptr_equal(list->at[i]->storage,
		                 variables_of_alloca(variables, list->at[i]->storage)->storage);
	}
	assert_string_equal(str_text(&s), expected);
	str_deinit(&s);
}

static void test_functions(void **state)
{
	expect_all("copy", "struct big given:4(1); struct big result:6");
	expect_all("old", "int a:11(1); char b:11(2)");
	expect_all("shadows", "int n:13(1); char **text:13(2); int x:15; int x:18@1; int i:19@2; "
	                      "int x:20@4; int shared:20@4");
	expect_all("count", "int calls:29");
	assert_null(variables_of_function(variables, function("main")));
}

static void test_storage(void **state)
{
	LLVMValueRef copy = function("copy"), old = function("old"), first;

	/* Passed and returned in memory: no alloca. */
	assert_string_equal(variables_of_alloca(variables, LLVMGetParam(copy, 1))->name, "given");
	assert_string_equal(variables_of_alloca(variables, LLVMGetParam(copy, 0))->name, "result");
	first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(old));
	assert_non_null(LLVMIsAAllocaInst(first));
	assert_string_equal(variables_of_alloca(variables, first)->name, "a");
	assert_false(variables_of_alloca(variables, first)->indirect);
	/* The place of a return value has no name. */
	first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function("main")));
	assert_non_null(LLVMIsAAllocaInst(first));
	assert_null(variables_of_alloca(variables, first));
}

static void test_shared_storage(void **state)
{
	LLVMValueRef result = LLVMGetParam(function("choose"), 0);
	const struct variable *v = variables_of_alloca(variables, result);

	assert_non_null(v);
	assert_string_equal(v->name, "first");
	assert_non_null(v->also);
	assert_string_equal(v->also->name, "second");
	assert_null(v->also->also);
}

static const struct variable *vla(const char *name)
{
	struct variable_list list = VEC_INIT;
	const struct variable *found;

	variables_named(variables, function("varies"), name, &list);
	assert_int_equal(list.size, 1);
	found = list.at[0];
	vec_deinit(&list);
	return found;
}

static void test_variable_length(void **state)
{
	const struct ctype *row = vla("row")->type, *grid = vla("grid")->type;
	struct str s = STR_INIT;

	assert_true(vla("__vla_expr0")->artificial);
	assert_int_equal(row->count, CTYPE_NO_COUNT);
	assert_int_equal(grid->target->count, CTYPE_NO_COUNT);
	assert_true(ctype_path(row, 12, 4, &s));
	assert_string_equal(str_text(&s), "[3]");
	/* The length of a row is not known. */
	assert_false(ctype_path(grid, 12, 4, &s));
	ctype_print(row, (const uint8_t *)"\1\0\0\0\2\0\0\0", NULL, 8, 0, &s);
	assert_string_equal(str_text(&s), "[3]{1, 2}");
	assert_non_null(LLVMIsAAllocaInst(vla("row")->storage));
	assert_false(vla("row")->indirect);
	str_deinit(&s);
}

static const struct variable *global(const char *name)
{
	LLVMValueRef value = LLVMGetNamedGlobal(module, name);

	assert_non_null(value);
	return variables_of_global(variables, value);
}

static void test_globals(void **state)
{
	const struct variable *calls = global("count.calls");
	uint32_t literals = 0;

	assert_string_equal(global("shared")->name, "shared");
	assert_int_equal(global("shared")->line, 2);
	assert_string_equal(global("shared")->file, "source.c");
	assert_null(global("shared")->scope);
	assert_null(global("elsewhere"));
	assert_string_equal(calls->name, "calls");
	assert_int_equal(calls->line, 29);
	assert_string_equal(calls->scope->function_name, "count");
	assert_string_equal(global("__func__.count")->name, "__func__");
	for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
		size_t length;

		if (strncmp(LLVMGetValueName2(g, &length), ".str", 4))
			continue;
		literals++;
		assert_null(variables_of_global(variables, g));
	}
	assert_int_equal(literals, 1);
}

static void test_named(void **state)
{
	struct variable_list list = VEC_INIT;

	variables_named(variables, function("shadows"), "x", &list);
	assert_int_equal(list.size, 3);
	assert_int_equal(list.at[0]->line, 20);
	assert_int_equal(list.at[1]->line, 18);
	assert_int_equal(list.at[2]->line, 15);
	variables_named(variables, function("shadows"), "shared", &list);
	assert_int_equal(list.size, 5);
	assert_int_equal(list.at[3]->line, 20);
	assert_int_equal(list.at[4]->line, 2);
	variables_named(variables, NULL, "shared", &list);
	assert_int_equal(list.size, 6);
	variables_named(variables, function("shadows"), "y", &list);
	assert_int_equal(list.size, 6);
	vec_deinit(&list);
}

/* The first instruction of a line that loads. */
static LLVMValueRef load_at(const char *name, unsigned line)
{
	LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function(name));

	for (; block; block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
		     i = LLVMGetNextInstruction(i))
			if (LLVMIsALoadInst(i) && LLVMGetDebugLocLine(i) == line)
				return i;
	fail_msg("%s has no load at line %u", name, line);
	return NULL;
}

static void expect_at(const char *function_name, unsigned line, const char *name, unsigned declared)
{
	const struct variable *v = variables_at(variables, load_at(function_name, line), name);

	assert_int_equal(v ? v->line : 0, declared);
}

static void test_visible(void **state)
{
	expect_at("shadows", 17, "x", 15);
	expect_at("shadows", 21, "x", 20);
	expect_at("shadows", 21, "shared", 20);
	expect_at("shadows", 21, "i", 19);
	expect_at("shadows", 23, "x", 18);
	expect_at("shadows", 23, "i", 0);
	expect_at("shadows", 25, "x", 15);
	expect_at("shadows", 25, "shared", 2);
	expect_at("shadows", 25, "n", 13);
	expect_at("count", 30, "calls", 29);
	expect_at("copy", 7, "calls", 0);
	expect_at("swap", 55, "kept", 54);
}

static void test_scopes(void **state)
{
	const struct variable_scope *scope = variables_scope(variables, load_at("shadows", 21));

	assert_string_equal(scope->function_name, "shadows");
	assert_int_equal(scope->first_line, 19);
	assert_int_equal(scope->last_line, 22);
	while (scope->depth != 1)
		scope = scope->parent;
	assert_int_equal(scope->first_line, 16);
	assert_int_equal(scope->last_line, 23);
	scope = scope->parent;
	assert_null(scope->parent);
	assert_int_equal(scope->first_line, 13);
	assert_int_equal(scope->last_line, 25);
}

static void test_inlined(void **state)
{
	struct variable_list list = VEC_INIT;
	const struct variable *own, *at;

	variables_named(variables, function("inlines"), "local", &list);
	assert_int_equal(list.size, 2);
	assert_ptr_not_equal(list.at[0]->inlined, list.at[1]->inlined);
	assert_ptr_not_equal(list.at[0]->storage, list.at[1]->storage);
	assert_string_equal(list.at[0]->scope->function_name, "twice");
	own = variables_of_function(variables, function("inlines"))->at[0];
	assert_string_equal(own->name, "value");
	assert_int_equal(own->line, 43);
	at = variables_at(variables, load_at("inlines", 40), "value");
	assert_int_equal(at->line, 38);
	at = variables_at(variables, load_at("inlines", 45), "value");
	assert_ptr_equal(at, own);
	vec_deinit(&list);
}

static uint32_t instructions(const struct plan *plan)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < plan->functions.size; i++)
		for (uint32_t j = 0; j < plan->functions.at[i].blocks.size; j++)
			count += plan->functions.at[i].blocks.at[j].instructions;
	return count;
}

/* A plan made after the variables were read is the same as one made before. */
static void test_module_unchanged(void **state)
{
	LLVMModuleRef again = source_compile(code, "");
	struct plan *before = plan_create(again, NULL), *after;
	char *text = LLVMPrintModuleToString(again), *text_after;
	struct types *own = types_create(again);
	struct variables *read = variables_create(own);

	after = plan_create(again, NULL);
	assert_int_equal(instructions(before), instructions(after));
	assert_int_equal(before->imports.size, after->imports.size);
	assert_int_equal(before->functions.size, after->functions.size);
	text_after = LLVMPrintModuleToString(again);
	assert_string_equal(text, text_after);
	LLVMDisposeMessage(text);
	LLVMDisposeMessage(text_after);
	plan_destroy(before);
	plan_destroy(after);
	variables_destroy(read);
	types_destroy(own);
	source_free(again);
}

static void test_no_debug_information(void **state)
{
	LLVMModuleRef bare = source_compile(code, "-g0");
	struct types *own = types_create(bare);
	struct variables *read = variables_create(own);
	LLVMValueRef old = LLVMGetNamedFunction(bare, "old"), first;

	first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(old));
	assert_null(variables_of_alloca(read, first));
	assert_null(variables_of_global(read, LLVMGetNamedGlobal(bare, "shared")));
	assert_null(variables_of_function(read, old));
	assert_null(variables_at(read, first, "a"));
	assert_null(variables_scope(read, first));
	assert_null(types_of_function(own, old));
	variables_destroy(read);
	types_destroy(own);
	source_free(bare);
}

static void test_function_types(void **state)
{
	struct str s = STR_INIT;

	ctype_declare(types_of_function(types, function("shadows")), "shadows", &s);
	str_add(&s, "; ");
	ctype_declare(types_of_function(types, function("count")), "count", &s);
	assert_string_equal(str_text(&s), "int shadows(int, char **); int count(void)");
	str_deinit(&s);
}

static int set_up(void **state)
{
	module = source_compile(code, "");
	types = types_create(module);
	variables = variables_create(types);
	return 0;
}

static int tear_down(void **state)
{
	variables_destroy(variables);
	types_destroy(types);
	source_free(module);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_storage),
		cmocka_unit_test(test_shared_storage),
		cmocka_unit_test(test_variable_length),
		cmocka_unit_test(test_globals),
		cmocka_unit_test(test_named),
		cmocka_unit_test(test_visible),
		cmocka_unit_test(test_scopes),
		cmocka_unit_test(test_inlined),
		cmocka_unit_test(test_module_unchanged),
		cmocka_unit_test(test_no_debug_information),
		cmocka_unit_test(test_function_types),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
