/* What was violated in a run that failed: crashes, asserts, exits, hangs, memory errors. */
#include "violation_run.h"

static struct asked ask(const char *source)
{
	return asked_open(source);
}

/* --- asserts --- */

static void test_assert(void **state)
{
	struct asked a = ask("#include <assert.h>\n"
	                     "int main(int argc, char **argv)\n"
	                     "{\n"
	                     "	int d = argc + 3;\n"
	                     "	assert(d == 9); /*here*/\n"
	                     "	return 0;\n"
	                     "}\n");

	asked_must(&a, NULL, NULL);
	assert_int_equal(a.found.kind, VIOLATION_BRANCH);
	assert_int_equal(a.found.failure, EXPLANATION_ASSERT);
	asked_words(&a, "assertion d == 9 fails", "d == 9", "5 == 9");
	asked_at(&a, "here");
	assert_int_equal(execution_insn(a.d.e, a.found.instance)->op, CODE_BRANCH);
	asked_close(&a);
}

/* The part of the condition that was false. */
static void test_assert_both(void **state)
{
	struct asked a = ask("#include <assert.h>\n"
	                     "int x = 1, y = 2;\n"
	                     "int main(void)\n"
	                     "{\n"
	                     "	assert(x == 1 && y == 3); /*here*/\n"
	                     "	return 0;\n"
	                     "}\n");

	asked_must(&a, NULL, NULL);
	assert_int_equal(a.found.kind, VIOLATION_BRANCH);
	asked_at(&a, "here");
	asked_words(&a, NULL, "x == 1 && y == 3", "2 == 3");
	asked_close(&a);
}

/* abort() is called by a function of the program's own; both ways of its test end there. */
static void test_abort(void **state)
{
	struct asked a = ask("#include <stdio.h>\n"
	                     "#include <stdlib.h>\n"
	                     "static void die(int loud)\n"
	                     "{\n"
	                     "	if (loud)\n"
	                     "		abort();\n"
	                     "	else\n"
	                     "		abort();\n"
	                     "}\n"
	                     "int main(int argc, char **argv)\n"
	                     "{\n"
	                     "	int n = argc * 2;\n"
	                     "	if (n > 3) /*here*/\n"
	                     "		die(1);\n"
	                     "	return 0;\n"
	                     "}\n");

	asked_must(&a, NULL, NULL);
	assert_int_equal(a.found.failure, EXPLANATION_ABORT);
	assert_int_equal(a.found.kind, VIOLATION_BRANCH);
	asked_at(&a, "here");
	asked_words(&a, "the program aborts", "n <= 3", "4 <= 3");
	assert_int_equal(a.found.also.size, 1);
	asked_close(&a);
}

/* Nothing decided that it aborts. */
static void test_abort_always(void **state)
{
	struct asked a = ask("#include <stdlib.h>\n"
	                     "int main(void)\n"
	                     "{\n"
	                     "	abort(); /*here*/\n"
	                     "}\n");

	asked_must(&a, NULL, NULL);
	assert_int_equal(a.found.kind, VIOLATION_EVENT);
	asked_at(&a, "here");
	asked_words(&a, NULL, "", "");
	asked_close(&a);
}

/* --- exits --- */

static void test_exit_literal(void **state)
{
	struct asked a = ask("#include <stdlib.h>\n"
	                     "int main(int argc, char **argv)\n"
	                     "{\n"
	                     "	if (argc == 2) /*here*/\n"
	                     "		exit(3);\n"
	                     "	return 0;\n"
	                     "}\n");

	asked_must(&a, NULL, NULL);
	assert_int_equal(a.found.failure, EXPLANATION_EXIT);
	assert_int_equal(a.found.kind, VIOLATION_BRANCH);
	asked_at(&a, "here");
	asked_words(&a, "the program exits with status 3", "argc != 2", "2 != 2");
	asked_close(&a);
}

/* `return 1` in the middle of main(). */
static void test_return_literal(void **state)
{
	struct asked a = ask("int main(int argc, char **argv)\n"
	                     "{\n"
	                     "	for (int i = 0; i < 4; i++)\n"
	                     "		if (i * argc > 3) /*here*/\n"
	                     "			return 1;\n"
	                     "	return 0;\n"
	                     "}\n");

	asked_must(&a, NULL, NULL);
	assert_int_equal(a.found.kind, VIOLATION_BRANCH);
	asked_at(&a, "here");
	asked_words(&a, "the program exits with status 1", "i * argc <= 3", "2 * 2 <= 3");
	asked_close(&a);
}

static void test_exit_status(void **state)
{
	struct asked a = ask("#include <stdlib.h>\n"
	                     "int main(int argc, char **argv)\n"
	                     "{\n"
	                     "	int errors = argc + 2;\n"
	                     "	exit(errors); /*here*/\n"
	                     "}\n");

	asked_must(&a, NULL, NULL);
	asked_at(&a, "here");
	asked_words(&a, "the program exits with status 4", "errors == 0", "4 == 0");
	assert_int_equal(asked_actual(&a), 4);
	assert_true(asked_holds(&a, 0));
	assert_false(asked_holds(&a, 1));
	asked_close(&a);
}

static void test_return_status(void **state)
{
	struct asked a = ask("int failed(int n) { return n > 1 ? n + 5 : 0; }\n"
	                     "int main(int argc, char **argv)\n"
	                     "{\n"
	                     "	return failed(argc); /*here*/\n"
	                     "}\n");

	asked_must(&a, NULL, NULL);
	asked_at(&a, "here");
	assert_int_equal(asked_actual(&a), 7);
	assert_true(asked_holds(&a, 0));
	asked_close(&a);
}

/* --- pointers --- */

static void test_null(void **state)
{
	struct asked a = ask("struct node { int v; struct node *next; };\n"
	                     "static int second(struct node *n)\n"
	                     "{\n"
	                     "	return n->next->v; /*here*/\n"
	                     "}\n"
	                     "int main(void)\n"
	                     "{\n"
	                     "	struct node n = {1, 0};\n"
	                     "	return second(&n);\n"
	                     "}\n");

	asked_must(&a, NULL, NULL);
	assert_int_equal(a.found.failure, EXPLANATION_CRASH);
	asked_at(&a, "here");
	asked_words(&a, "n->next is NULL", "n->next != NULL", "NULL != NULL");
	assert_int_equal(asked_actual(&a), 0);
	assert_true(asked_holds(&a, 4096));
	assert_false(asked_holds(&a, 0));
	asked_close(&a);
}

/* It is the pointer that counts, not the address of the member behind it. */
static void test_null_member(void **state)
{
	struct asked a = ask("struct s { int a[8]; int v[4]; } *all[3];\n"
	                     "int main(int argc, char **argv)\n"
	                     "{\n"
	                     "	all[argc]->v[argc] = 1; /*here*/\n"
	                     "	return 0;\n"
	                     "}\n");

	asked_must(&a, NULL, NULL);
	asked_at(&a, "here");
	asked_words(&a, "all[2] is NULL", "all[2] != NULL", "NULL != NULL");
	assert_true(asked_holds(&a, 1 << 20));
	asked_close(&a);
}

static void test_null_to_library(void **state)
{
	struct asked a = ask("#include <stdlib.h>\n"
	                     "#include <string.h>\n"
	                     "int main(void)\n"
	                     "{\n"
	                     "	const char *home = getenv(\"NO_SUCH_VARIABLE\");\n"
	                     "	return strlen(home) == 3; /*here*/\n"
	                     "}\n");

	asked_must(&a, NULL, NULL);
	assert_int_equal(a.found.failure, EXPLANATION_CRASH);
	asked_at(&a, "here");
	asked_words(&a, "strlen() is given home, which is NULL", "home != NULL", "NULL != NULL");
	assert_true(asked_holds(&a, 4096));
	asked_close(&a);
}

static void test_call_nothing(void **state)
{
	struct asked a = ask("int (*handlers[4])(int);\n"
	                     "int main(int argc, char **argv)\n"
	                     "{\n"
	                     "	return handlers[argc](1); /*here*/\n"
	                     "}\n");

	asked_must(&a, NULL, NULL);
	asked_at(&a, "here");
	asked_words(&a, "handlers[2] is NULL", "handlers[2] != NULL", "NULL != NULL");
	assert_true(asked_holds(&a, 4096));
	asked_close(&a);
}

/* --- bounds --- */

/* The program goes on, and dies later of what was destroyed. */
static void test_bounds(void **state)
{
	struct asked a = ask("#include <stdlib.h>\n"
	                     "int main(int argc, char **argv)\n"
	                     "{\n"
	                     "	int *p = malloc(10 * sizeof(int)), n = argc * 5;\n"
	                     "	for (int i = 0; i <= n; i++)\n"
	                     "		p[i] = i; /*here*/\n"
	                     "	return 0;\n"
	                     "}\n");
	uint64_t at;

	asked_must(&a, NULL, NULL);
	assert_int_equal(a.found.failure, EXPLANATION_MEMORY);
	asked_at(&a, "here");
	asked_words(&a, NULL, "i < 10", "10 < 10");
	at = asked_actual(&a);
	assert_true(asked_holds(&a, at - 4));
	assert_true(asked_holds(&a, at - 40));
	assert_false(asked_holds(&a, at - 2));
	assert_false(asked_holds(&a, at - 44));
	assert_false(asked_holds(&a, 0));
	asked_close(&a);
}

static void test_bounds_below(void **state)
{
	struct asked a = ask("int a[4], at = 3;\n"
	                     "int main(int argc, char **argv)\n"
	                     "{\n"
	                     "	at -= 2 * argc;\n"
	                     "	a[at] = 7; /*here*/\n"
	                     "	return 0;\n"
	                     "}\n");

	asked_must(&a, NULL, NULL);
	asked_at(&a, "here");
	asked_words(&a, NULL, "at >= 0", "-1 >= 0");
	assert_true(asked_holds(&a, asked_actual(&a) + 4));
	assert_true(asked_holds(&a, asked_actual(&a) + 16));
	assert_false(asked_holds(&a, asked_actual(&a) + 20));
	asked_close(&a);
}

/* How much was asked for is part of the claim. */
static void test_bounds_size(void **state)
{
	struct asked a = ask("#include <stdlib.h>\n"
	                     "#include <string.h>\n"
	                     "int main(int argc, char **argv)\n"
	                     "{\n"
	                     "	size_t length = strlen(argv[1]);\n"
	                     "	char *copy = malloc(length);\n"
	                     "	copy[length] = 0; /*here*/\n"
	                     "	return 0;\n"
	                     "}\n");
	struct asked_variables v = {0};

	asked_must(&a, NULL, NULL);
	asked_at(&a, "here");
	asked_words(&a, NULL, "length < 4", "4 < 4");
	assert_int_equal(a.found.kind, VIOLATION_CHECK);
	assert_false(term_evaluate(a.terms, a.found.claim, symbolic_actual, a.symbolic));
	term_variables(a.terms, a.found.claim, asked_count, &v);
	assert_int_equal(v.count, 2);
	asked_close(&a);
}

static void test_library_bounds(void **state)
{
	struct asked a = ask("#include <string.h>\n"
	                     "char small[8], large[64];\n"
	                     "int main(int argc, char **argv)\n"
	                     "{\n"
	                     "	int n = argc * 6;\n"
	                     "	memmove(small + 2, large, n); /*here*/\n"
	                     "	return 0;\n"
	                     "}\n");

	asked_must(&a, NULL, NULL);
	asked_at(&a, "here");
	asked_words(&a, NULL, "n <= 6", "12 <= 6");
	assert_int_equal(asked_actual(&a), 12);
	assert_true(asked_holds(&a, 6));
	assert_false(asked_holds(&a, 7));
	asked_close(&a);
}

static void test_string_bounds(void **state)
{
	struct asked a = ask("#include <string.h>\n"
	                     "int main(int argc, char **argv)\n"
	                     "{\n"
	                     "	char name[16], copy[4];\n"
	                     "	for (int i = 0; i < 7; i++)\n"
	                     "		name[i] = 'a' + i;\n"
	                     "	name[7] = 0;\n"
	                     "	strcpy(copy, name); /*here*/\n"
	                     "	return 0;\n"
	                     "}\n");
	struct asked_variables v = {0};

	asked_must(&a, NULL, NULL);
	asked_at(&a, "here");
	asked_words(&a, NULL, "strlen(name) < 4", "");
	assert_int_equal(a.found.kind, VIOLATION_CHECK);
	term_variables(a.terms, a.found.claim, asked_count, &v);
	assert_int_equal(v.count, 4);
	asked_close(&a);
}

/* --- the heap --- */

static void test_freed(void **state)
{
	struct asked a = ask("#include <stdlib.h>\n"
	                     "int main(void)\n"
	                     "{\n"
	                     "	int *p = malloc(4), *q = p;\n"
	                     "	*p = 1;\n"
	                     "	free(p); /*free*/\n"
	                     "	*q = 2; /*here*/\n"
	                     "	return 0;\n"
	                     "}\n");

	asked_must(&a, NULL, NULL);
	asked_at(&a, "here");
	asked_words(&a, NULL, "q does not point to what is freed", "");
	assert_true(asked_holds(&a, asked_actual(&a) + 64));
	assert_int_equal(a.found.also.size, 1);
	assert_int_equal(decoded_line_of(&a.d, a.found.also.at[0]), decoded_line(&a.d, "free"));
	asked_close(&a);
}

static void test_freed_twice(void **state)
{
	struct asked a = ask("#include <stdlib.h>\n"
	                     "int main(void)\n"
	                     "{\n"
	                     "	int *p = malloc(4), *q = p;\n"
	                     "	free(p); /*free*/\n"
	                     "	free(q); /*here*/\n"
	                     "	return 0;\n"
	                     "}\n");

	asked_must(&a, NULL, NULL);
	assert_int_equal(a.found.failure, EXPLANATION_ABORT);
	asked_at(&a, "here");
	asked_words(&a, "the program aborts: free() is given what was freed already",
	            "q does not point to what is freed", "");
	assert_true(asked_holds(&a, asked_actual(&a) + 64));
	assert_int_equal(a.found.also.size, 1);
	assert_int_equal(decoded_line_of(&a.d, a.found.also.at[0]), decoded_line(&a.d, "free"));
	asked_close(&a);
}

/* What destroyed memory comes before the crash that it led to. */
static void test_destroyed(void **state)
{
	struct asked a = ask("struct { char name[8]; int *p; } s;\n"
	                     "int x;\n"
	                     "int main(int argc, char **argv)\n"
	                     "{\n"
	                     "	char *n = s.name;\n"
	                     "	int v[2], *w = v;\n"
	                     "	int *q = &x;\n"
	                     "	w[argc + 0] = 1; /*here*/\n"
	                     "	s.p = 0;\n"
	                     "	return *s.p + *q;\n"
	                     "}\n");

	asked_must(&a, NULL, NULL);
	assert_int_equal(a.found.failure, EXPLANATION_CRASH);
	asked_at(&a, "here");
	assert_true(a.found.notes.size > 0);
	asked_close(&a);
}

static void test_uninitialised(void **state)
{
	struct asked a = ask("#include <stdio.h>\n"
	                     "int main(int argc, char **argv)\n"
	                     "{\n"
	                     "	int found;\n"
	                     "	if (argc > 5)\n"
	                     "		found = 1;\n"
	                     "	if (found == 77) /*here*/\n"
	                     "		puts(\"x\");\n"
	                     "	return 0;\n"
	                     "}\n");

	asked_must(&a, NULL, NULL);
	assert_int_equal(a.found.failure, EXPLANATION_MEMORY);
	assert_int_equal(a.found.kind, VIOLATION_EVENT);
	assert_int_equal(a.found.line, decoded_line(&a.d, "here"));
	asked_close(&a);
}

/* --- arithmetic --- */

static void test_division(void **state)
{
	struct asked a = ask("int main(int argc, char **argv)\n"
	                     "{\n"
	                     "	int n = argc - 2, sum = 5;\n"
	                     "	return sum / n; /*here*/\n"
	                     "}\n");

	asked_must(&a, NULL, NULL);
	assert_int_equal(a.found.failure, EXPLANATION_CRASH);
	asked_at(&a, "here");
	asked_words(&a, "division by zero: n is 0", "n != 0", "0 != 0");
	assert_true(asked_holds(&a, 1));
	assert_false(asked_holds(&a, 0));
	asked_close(&a);
}

static void test_division_overflow(void **state)
{
	struct asked a = ask("#include <limits.h>\n"
	                     "int main(int argc, char **argv)\n"
	                     "{\n"
	                     "	int least = INT_MIN + argc - 2, minus = 1 - argc;\n"
	                     "	return least % minus; /*here*/\n"
	                     "}\n");
	struct asked_variables v = {0};

	asked_must(&a, NULL, NULL);
	asked_at(&a, "here");
	asked_words(&a, NULL, "minus != -1", "-1 != -1");
	term_variables(a.terms, a.found.claim, asked_count, &v);
	assert_int_equal(v.count, 2);
	asked_close(&a);
}

/* --- without an end --- */

static void test_recursion(void **state)
{
	struct asked a = ask("int down(int n)\n"
	                     "{\n"
	                     "	char room[20000];\n"
	                     "	room[n & 1023] = 1;\n"
	                     "	if (n != 3) /*here*/\n"
	                     "		return down(n - 2) + room[0];\n"
	                     "	return 0;\n"
	                     "}\n"
	                     "int main(void)\n"
	                     "{\n"
	                     "	return down(10);\n"
	                     "}\n");

	asked_must(&a, NULL, NULL);
	assert_int_equal(a.found.failure, EXPLANATION_CRASH);
	assert_int_equal(a.found.kind, VIOLATION_BRANCH);
	asked_at(&a, "here");
	asked_close(&a);
}

static void test_hang(void **state)
{
	struct asked a = asked_open_for("int n, steps;\n"
	                                "int main(int argc, char **argv)\n"
	                                "{\n"
	                                "	n = argc * 3 + 1;\n"
	                                "	while (n != 0) { /*here*/\n"
	                                "		if (n > 100)\n"
	                                "			n = 100;\n"
	                                "		n -= 2;\n"
	                                "		steps++;\n"
	                                "	}\n"
	                                "	return 0;\n"
	                                "}\n",
	                                0.3);

	asked_must(&a, NULL, NULL);
	assert_int_equal(a.found.failure, EXPLANATION_HANG);
	assert_int_equal(a.found.kind, VIOLATION_BRANCH);
	asked_at(&a, "here");
	assert_string_equal(str_text(&a.found.wanted), "n == 0");
	asked_close(&a);
}

/* --- nothing --- */

static void test_nothing(void **state)
{
	struct asked a = ask("int main(void) { return 0; }\n");

	asked_try(&a, NULL, NULL);
	assert_non_null(a.error);
	assert_int_equal(a.error->kind, HENCE_ERROR_NOTHING);
	asked_close(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_assert),
		cmocka_unit_test(test_assert_both),
		cmocka_unit_test(test_abort),
		cmocka_unit_test(test_abort_always),
		cmocka_unit_test(test_exit_literal),
		cmocka_unit_test(test_return_literal),
		cmocka_unit_test(test_exit_status),
		cmocka_unit_test(test_return_status),
		cmocka_unit_test(test_null),
		cmocka_unit_test(test_null_member),
		cmocka_unit_test(test_null_to_library),
		cmocka_unit_test(test_call_nothing),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_bounds_below),
		cmocka_unit_test(test_bounds_size),
		cmocka_unit_test(test_library_bounds),
		cmocka_unit_test(test_string_bounds),
		cmocka_unit_test(test_freed),
		cmocka_unit_test(test_freed_twice),
		cmocka_unit_test(test_destroyed),
		cmocka_unit_test(test_uninitialised),
		cmocka_unit_test(test_division),
		cmocka_unit_test(test_division_overflow),
		cmocka_unit_test(test_recursion),
		cmocka_unit_test(test_hang),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
