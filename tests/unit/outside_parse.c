/* Models: what is read from the text, and each message for what is wrong with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "outside/models.h"

/* --- what is wrong --- */

static void expect_error(const char *text, const char *message)
{
	struct outside_models models;
	struct hence_error *error;

	outside_models_init(&models);
	error = outside_models_add_text(&models, "m", text, strlen(text));
	assert_non_null(error);
	assert_string_equal(error->message, message);
	assert_int_equal(error->kind, HENCE_ERROR_INPUT);
	error_destroy(error);
	outside_models_deinit(&models);
}

static void test_entry_errors(void **state)
{
	expect_error("  f(): pure", "m:1:3: an entry must begin in the first column of its line");
	expect_error("(): pure", "m:1:1: expected the name of a function, found '('");
	expect_error("f, (x):", "m:1:4: expected the name of a function, found '('");
	expect_error("f", "m:1:2: expected '(', found the end of the file");
	expect_error("f:", "m:1:2: expected '(', found ':'");
	expect_error("f(1):", "m:1:3: expected the name of a parameter or '...', found '1'");
	expect_error("f(a b):", "m:1:5: expected ',' or ')', found 'b'");
	expect_error("f(..., a):", "m:1:6: expected ')', found ','");
	expect_error("f(a, a):", "m:1:6: there are two parameters 'a'");
	expect_error("f(ret):", "m:1:3: a parameter cannot be called 'ret'");
	expect_error("f(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q):", "m:1:35: more than 16 parameters");
	expect_error("f():\n\ng():\nf():", "m:4:1: this file already has a model of 'f'");
	expect_error("f, f():", "m:1:4: this file already has a model of 'f'");
	expect_error("f(): pure @", "m:1:11: expected ';' or a new line, found '@'");
	expect_error("f(x): @",
	             "m:1:7: expected a verb such as 'reads', 'writes', 'copies' or 'returns', "
	             "found '@'");
	expect_error("# a\nf(x):\n\teats x",
	             "m:3:2: expected a verb such as 'reads', 'writes', 'copies' or 'returns', "
	             "found 'eats'");
}

static void test_region_errors(void **state)
{
	expect_error("f(x): reads x", "m:1:14: expected '[', found the end of the file");
	expect_error("f(x): reads y[1]", "m:1:13: unknown name 'y': not a parameter and not 'ret'");
	expect_error("f(x): reads x[..end]", "m:1:17: expected 'nul' or 'wnul', found 'end'");
	expect_error("f(x): reads x[1", "m:1:16: expected ']', found the end of the file");
	expect_error("f(x): reads x[1..2", "m:1:19: expected ']', found the end of the file");
	expect_error("f(x): reads vectors(x)[2]", "m:1:22: expected ',', found ')'");
	expect_error("f(x): reads flags(x)",
	             "m:1:13: unknown function 'flags'; there are old, strlen, strnlen, wcslen, "
	             "size, min, max, byte, short, int and long");
	expect_error("f(x): writes flags(x, x)", "m:1:21: expected ')', found ','");
	expect_error("f(x): lends x", "m:1:14: expected '[', found the end of the file");
	expect_error("f(x): keeps fd x in x[1]", "m:1:13: 'keeps' is about a FILE: 'file X'");
	expect_error("f(x): keeps file x x[1]",
	             "m:1:20: expected 'in' and a region, or 'at' and two addresses, found 'x'");
	expect_error("f(x): keeps file ret at x",
	             "m:1:26: expected ',', found the end of the file");
	expect_error("f(x): keeps file ret in vectors(x, 1)[1]",
	             "m:1:25: unknown function 'vectors'; there are old, strlen, strnlen, wcslen, "
	             "size, min, max, byte, short, int and long");
	expect_error("f(x, y): copies x[..nul] from y",
	             "m:1:32: 'copies' needs a length: [LENGTH] or [FROM .. TO]");
	expect_error("f(x, y): copies x[1] y", "m:1:22: expected 'from', found 'y'");
	expect_error("f(x): fills x[1]", "m:1:17: expected 'with', found the end of the file");
	expect_error("f(x): permutes x[1]", "m:1:20: expected 'by', found the end of the file");
}

static void test_expression_errors(void **state)
{
	expect_error("f(x): reads x[]", "m:1:15: expected an expression, found ']'");
	expect_error("f(x): reads x[1 +]", "m:1:18: expected an expression, found ']'");
	expect_error("f(x): reads x[2147483648]", "m:1:15: the number 2147483648 is too large");
	expect_error("f(x): reads x[12ab]", "m:1:15: expected an expression, found '12ab'");
	expect_error("f(x): reads x[cube(x)]",
	             "m:1:15: unknown function 'cube'; there are old, strlen, strnlen, wcslen, "
	             "size, min, max, byte, short, int and long");
	expect_error("f(x): reads x[min(x)]", "m:1:20: expected ',', found ')'");
	expect_error("f(x): reads x[strlen(x]", "m:1:23: expected ')', found ']'");
	expect_error("f(x): reads x[old(ret)]",
	             "m:1:19: 'ret' is not known before the call: not in old()");
	expect_error("f(x): reads x[old(old(x))]", "m:1:19: old() inside old()");
	expect_error("f(x): reads x[consumed]",
	             "m:1:15: 'consumed' has a meaning only in 'consumes'");
	expect_error("f(x): reads x[1] when",
	             "m:1:22: expected an expression, found the end of the "
	             "file");
	expect_error(
		"f(x): writes &errno[4]",
		"m:1:15: expected a variable of libc (optarg, optind, opterr, optopt, environ, "
		"timezone, daylight, tzname) after '&', found 'errno'");
	expect_error(
		"f(x): reads x[old(x)+old(x)+old(x)+old(x)+old(x)+old(x)+old(x)+old(x)+old(x)]",
		"m:1:71: more than 8 old() in one model");
	expect_error(
		"f(x): reads x[1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+1))))))))))))))))]",
		"m:1:63: the expression is too deep");
}

static void test_deep_nesting_is_an_error(void **state)
{
	char text[400] = "f(x): reads x[";

	memset(text + strlen(text), '(', 300);
	expect_error(text, "m:1:115: the expression is too deep");
	memset(text + 14, '!', 300);
	expect_error(text, "m:1:115: the expression is too deep");
}

static void test_verb_errors(void **state)
{
	expect_error("f(x): consumes x into ret",
	             "m:1:16: expected a stream: 'file X', 'fd X', stdin, stdout, stderr or "
	             "environment, found 'x'");
	expect_error("f(x): consumes fd x 3 into ret", "m:1:23: expected 'bytes', found 'into'");
	expect_error("f(x): produces environment", "m:1:27: nothing can be produced to the "
	                                           "environment");
	expect_error("f(x): produces stdout 3",
	             "m:1:24: expected 'bytes', found the end of the file");
	expect_error("f(x): formats x", "m:1:16: expected ',', found the end of the file");
	expect_error("f(x): formats x, ...", "m:1:18: the function has no '...'");
	expect_error("f(x): formats x, y",
	             "m:1:18: expected '...' or the parameter that is a va_list, found 'y'");
	expect_error("f(x, ...): scans x, ...",
	             "m:1:24: expected 'from', found the end of the file");
	expect_error("f(x): calls y", "m:1:13: expected the parameter that is called, found 'y'");
	expect_error("f(x): calls x(x", "m:1:16: expected ')', found the end of the file");
	expect_error("f(x): identity 3", "m:1:16: expected what the result names, such as 'pid', "
	                                 "found '3'");
}

static void test_missing_file(void **state)
{
	struct outside_models models;
	struct hence_error *error;

	outside_models_init(&models);
	error = outside_models_add_file(&models, "/nowhere/x.model");
	assert_string_equal(error->message,
	                    "cannot read models from /nowhere/x.model: No such file "
	                    "or directory");
	error_destroy(error);
	outside_models_deinit(&models);
}

/* --- what is right --- */

static struct outside_models models;

static const struct outside_function *read_one(const char *text, const char *name)
{
	struct hence_error *error;
	int64_t index;

	outside_models_deinit(&models);
	outside_models_init(&models);
	error = outside_models_add_text(&models, "m", text, strlen(text));
	assert_null(error);
	index = outside_models_find(&models, name);
	assert_true(index >= 0);
	return &models.functions.at[index];
}

static const struct outside_clause *clause(const struct outside_function *f, uint32_t i)
{
	assert_true(i < f->clause_count);
	return &models.clauses.at[f->clause + i];
}

static void test_active_clauses_come_first(void **state)
{
	const struct outside_function *f = read_one(
		"f(a, b): reads a[b], b[1] when a; writes a[2] from b[3], b[4]; returns a", "f");

	assert_int_equal(f->params, 2);
	assert_int_equal(f->active, 3);
	assert_int_equal(f->clause_count, 6);
	assert_int_equal(clause(f, 0)->kind, OUTSIDE_WRITES);
	assert_int_equal(clause(f, 0)->sources, 2);
	assert_int_equal(clause(f, 0)->argument, 1);
	assert_int_equal(clause(f, 1)->kind, OUTSIDE_SOURCE);
	assert_int_equal(clause(f, 2)->kind, OUTSIDE_SOURCE);
	assert_int_equal(clause(f, 3)->kind, OUTSIDE_READS);
	assert_int_equal(clause(f, 4)->kind, OUTSIDE_READS);
	assert_int_equal(clause(f, 4)->argument, 2);
	/* The condition holds for both regions of the list. */
	assert_true(clause(f, 3)->when && clause(f, 3)->when == clause(f, 4)->when);
	assert_int_equal(clause(f, 5)->kind, OUTSIDE_RETURNS);
}

static void test_aliases_and_flags(void **state)
{
	const struct outside_function *f = read_one(
		"a, b,\nc(x, ...): noreturn; varies; twice; identity pid\n\treturns static", "c");

	assert_int_equal(f->flags, OUTSIDE_NORETURN | OUTSIDE_VARIES | OUTSIDE_TWICE |
	                                   OUTSIDE_STATIC | OUTSIDE_VARIADIC);
	assert_string_equal(models.text.at + f->identity, "pid");
	assert_int_equal(outside_models_find(&models, "a"), 0);
	assert_int_equal(outside_models_find(&models, "b"), 1);
	assert_int_equal(outside_models_find(&models, "d"), -1);
	assert_int_equal(models.functions.at[0].clause, f->clause);
}

static void test_old_values(void **state)
{
	const struct outside_function *f =
		read_one("f(a): copies a[old(*a)] from a; writes a[old(strlen(a)) + old(a)]", "f");

	assert_int_equal(f->old_count, 3);
	/* The first is only the decoder's affair. */
	assert_int_equal(f->old_active, 6);
	assert_true(f->flags & OUTSIDE_PREPARES);
	assert_int_equal(models.insns.at[f->olds[1] + 1].op, OUTSIDE_STRLEN);
	assert_int_equal(models.insns.at[f->olds[1] + 2].op, OUTSIDE_END);
}

static void test_later_files_win(void **state)
{
	static const char first[] = "f(a): writes a[1]\ng():", second[] = "f(a, b): pure";

	read_one(first, "f");
	assert_null(outside_models_add_text(&models, "n", second, strlen(second)));
	assert_int_equal(models.functions.size, 2);
	assert_int_equal(models.functions.at[0].params, 2);
	assert_int_equal(models.functions.at[0].clause_count, 0);
	assert_true(models.functions.at[0].flags & OUTSIDE_PURE);
}

static void test_clauses_may_share_a_line_or_not(void **state)
{
	const struct outside_function *f =
		read_one("f(a, fp)\n\twrites a[1]; ; writes\n  a[2]\n"
	                 "\tconsumes file fp # and so on\n\twrites a[3]\n",
	                 "f");

	assert_int_equal(f->clause_count, 4);
	assert_int_equal(clause(f, 2)->kind, OUTSIDE_CONSUMES);
	assert_int_equal(clause(f, 2)->count, 0);
}

static void test_scan_and_callback_rows(void **state)
{
	const struct outside_function *f = read_one(
		"f(s, m, g, ...): scans m, ... from s[..nul]; calls g(s[4], m) later", "f");

	assert_int_equal(clause(f, 0)->kind, OUTSIDE_SCANS);
	assert_int_equal(clause(f, 0)->extra, OUTSIDE_FORM);
	assert_int_equal(clause(f, 1)->region, OUTSIDE_STRING);
	assert_int_equal(clause(f, 2)->kind, OUTSIDE_CALLS);
	assert_int_equal(clause(f, 2)->flags, OUTSIDE_LATER);
	assert_int_equal(clause(f, 2)->argument, 3);
	assert_int_equal(clause(f, 3)->region, OUTSIDE_BYTES);
	assert_int_equal(clause(f, 4)->region, OUTSIDE_VALUE);
}

static void test_memory_of_streams(void **state)
{
	const struct outside_function *f = read_one(
		"f(p, n, o):\n\tlends p[n]; writes flags(o); keeps file ret in p[n] when n\n"
		"\tkeeps file ret at p, n by 4; flushes file 0",
		"f");

	assert_int_equal(f->active, 4);
	assert_true(f->flags & OUTSIDE_PREPARES); /* for the flags */
	assert_int_equal(clause(f, 0)->kind, OUTSIDE_WRITES);
	assert_int_equal(clause(f, 0)->region, OUTSIDE_FLAGS);
	assert_int_equal(clause(f, 0)->argument, 3);
	assert_int_equal(clause(f, 1)->kind, OUTSIDE_KEEPS);
	assert_int_equal(clause(f, 1)->region, OUTSIDE_BYTES);
	assert_true(clause(f, 1)->when);
	assert_int_equal(clause(f, 2)->kind, OUTSIDE_KEEPS);
	assert_int_equal(clause(f, 2)->region, OUTSIDE_NOWHERE);
	assert_int_equal(models.insns.at[clause(f, 2)->to].value, 1);
	assert_int_equal(models.insns.at[clause(f, 2)->extra].value, 4);
	assert_int_equal(clause(f, 3)->kind, OUTSIDE_FLUSHES);
	assert_int_equal(clause(f, 4)->kind, OUTSIDE_LENDS);
	assert_int_equal(clause(f, 4)->argument, 1);
}

static void test_empty_text(void **state)
{
	struct outside_models none;

	outside_models_init(&none);
	assert_null(outside_models_add_text(&none, "m", "\n# nothing", 10));
	assert_int_equal(outside_models_find(&none, "f"), -1);
	outside_models_deinit(&none);
}

/* Whatever the text: an error or models, but no crash and no leak (the sanitizers see to that). */
static void test_any_text_is_harmless(void **state)
{
	static const char good[] =
		"a, b(s, n, fp, ...):\n\treads s[..nul], s[n .. 2 * n] when !ret || n >= 3\n"
		"\twrites *s[min(old(strlen(s)), n)] from vectors(s, n)[ret]; scans s, ... from "
		"s[1]\n"
		"\tconsumes file fp ret bytes at n into s[consumed]; produces fd n 3 bytes\n"
		"\tkeeps file fp at s, n by 2; writes flags(s); lends s[n]; keeps file fp in s[n]\n"
		"\tcalls fp(s[4], n) later; returns into s; identity pid; opens fd ret like n\n";
	static const char extra[] = "()[],;:*+-&!<>.=#\n\t0a";
	uint32_t seed = 1, wrong = 0;

	for (int round = 0; round < 20000; round++) {
		struct outside_models mutant;
		struct hence_error *error;
		char text[sizeof(good)];

		memcpy(text, good, sizeof(good));
		for (int i = 0; i < 1 + round % 4; i++) {
			seed = seed * 1664525u + 1013904223u;
			text[(seed >> 8) % (sizeof(good) - 1)] = extra[(seed >> 20) % 21];
		}
		outside_models_init(&mutant);
		error = outside_models_add_text(&mutant, "m", text, sizeof(good) - 1 - seed % 3);
		wrong += error != NULL;
		error_destroy(error);
		outside_models_deinit(&mutant);
	}
	assert_true(wrong > 10000 && wrong < 20000);
}

static int free_models(void **state)
{
	outside_models_deinit(&models);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_entry_errors),
		cmocka_unit_test(test_region_errors),
		cmocka_unit_test(test_expression_errors),
		cmocka_unit_test(test_deep_nesting_is_an_error),
		cmocka_unit_test(test_verb_errors),
		cmocka_unit_test(test_missing_file),
		cmocka_unit_test(test_active_clauses_come_first),
		cmocka_unit_test(test_aliases_and_flags),
		cmocka_unit_test(test_old_values),
		cmocka_unit_test(test_later_files_win),
		cmocka_unit_test(test_clauses_may_share_a_line_or_not),
		cmocka_unit_test(test_scan_and_callback_rows),
		cmocka_unit_test(test_memory_of_streams),
		cmocka_unit_test(test_empty_text),
		cmocka_unit_test(test_any_text_is_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, free_models);
}
