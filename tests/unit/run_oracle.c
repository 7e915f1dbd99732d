/* The oracle: every kind of failure against every kind of run, and what 'the same' means. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/mem.h"
#include "trial/oracle.h"

static struct trial_result *results[64];
static uint32_t count;

static struct trial_result *fresh(enum outcome_kind kind)
{
	struct trial_result *result = mem_alloc(sizeof(*result));

	result->test = -1;
	result->outcome.kind = kind;
	return results[count++] = result;
}

static int free_all(void **state)
{
	while (count) {
		trial_result_deinit(results[--count]);
		free(results[count]);
	}
	return 0;
}

static struct trial_result *exits(int status, const char *output)
{
	struct trial_result *result = fresh(OUTCOME_EXITED);

	result->outcome.status = status;
	str_add(&result->output, output);
	return result;
}

static struct trial_result *dies(int number, const char *function, int line)
{
	struct trial_result *result = fresh(OUTCOME_SIGNALLED);

	result->outcome.signal = number;
	if (function)
		result->outcome.place.function = mem_strdup(function);
	if (line) {
		result->outcome.place.file = mem_strdup("a.c");
		result->outcome.place.line = line;
	}
	return result;
}

static struct trial_result *asserts(const char *text, int line)
{
	struct trial_result *result = dies(SIGABRT, "check", line);

	result->outcome.assertion.text = mem_strdup(text);
	result->outcome.assertion.file = mem_strdup("a.c");
	result->outcome.assertion.line = line;
	return result;
}

static struct trial_result *tested(int code)
{
	struct trial_result *result = exits(code < 0 ? 0 : code, "");

	result->test = code;
	return result;
}

static struct trial_result *hangs(void)
{
	return fresh(OUTCOME_TIMED_OUT);
}

static enum verdict judge(const struct oracle_options *options, const struct trial_result *first,
                          const struct trial_result *result)
{
	struct oracle oracle;
	enum verdict verdict;

	assert_true(oracle_create(options, first, &oracle));
	verdict = oracle_judge(&oracle, result);
	oracle_deinit(&oracle);
	return verdict;
}

/* The failure in the row, the run in the column: only the same one fails. */
static void test_kinds(void **state)
{
	const struct oracle_options same = {0}, any = {.any = true};
	struct trial_result *runs[] = {
		dies(SIGSEGV, "f", 3),
		asserts("x > 0", 9),
		exits(2, ""),
		hangs(),
	};

	for (int i = 0; i < 4; i++) {
		for (int k = 0; k < 4; k++) {
			assert_int_equal(judge(&same, runs[i], runs[k]),
			                 i == k ? VERDICT_FAIL : VERDICT_UNRESOLVED);
			assert_int_equal(judge(&any, runs[i], runs[k]), VERDICT_FAIL);
		}
		assert_int_equal(judge(&same, runs[i], exits(0, "out")), VERDICT_PASS);
		assert_int_equal(judge(&any, runs[i], exits(0, "out")), VERDICT_PASS);
	}
}

static void test_crash(void **state)
{
	const struct oracle_options options = {0};
	struct trial_result *first = dies(SIGSEGV, "f", 3), *inside = dies(SIGSEGV, "f", 3);

	first->pc = 100;
	assert_int_equal(judge(&options, first, dies(SIGSEGV, "f", 3)), VERDICT_FAIL);
	assert_int_equal(judge(&options, first, dies(SIGSEGV, "f", 4)), VERDICT_UNRESOLVED);
	assert_int_equal(judge(&options, first, dies(SIGSEGV, "g", 3)), VERDICT_UNRESOLVED);
	assert_int_equal(judge(&options, first, dies(SIGFPE, "f", 3)), VERDICT_UNRESOLVED);
	/* The address matters only without source positions. */
	inside->pc = 200;
	assert_int_equal(judge(&options, first, inside), VERDICT_FAIL);
	inside->outcome.innermost.function = mem_strdup("strlen");
	assert_int_equal(judge(&options, first, inside), VERDICT_UNRESOLVED);
}

static struct trial_result *overflows(const char *function, int line, const char *recursion)
{
	struct trial_result *result = dies(SIGSEGV, function, line);

	result->outcome.recursion = mem_strdup(recursion);
	return result;
}

/* The place where a stack overflows does not matter, but the recursion does. */
static void test_overflow(void **state)
{
	const struct oracle_options options = {0};
	struct trial_result *first = overflows("list", 3, "item,list,");

	assert_int_equal(judge(&options, first, overflows("item", 9, "item,list,")), VERDICT_FAIL);
	assert_int_equal(judge(&options, first, overflows("pair", 12, "list,pair,")), VERDICT_FAIL);
	assert_int_equal(judge(&options, first, overflows("loop", 20, "loop,")),
	                 VERDICT_UNRESOLVED);
	/* Names that only begin alike. */
	assert_int_equal(judge(&options, first, overflows("list", 3, "it,lists,")),
	                 VERDICT_UNRESOLVED);
	/* Another crash in the same function. */
	assert_int_equal(judge(&options, first, dies(SIGSEGV, "list", 4)), VERDICT_UNRESOLVED);
}

static void test_crash_without_source(void **state)
{
	const struct oracle_options options = {0};
	struct trial_result *first = dies(SIGSEGV, "f", 0), *other = dies(SIGSEGV, "f", 0);

	first->pc = 100;
	other->pc = 100;
	assert_int_equal(judge(&options, first, other), VERDICT_FAIL);
	other->pc = 104;
	assert_int_equal(judge(&options, first, other), VERDICT_UNRESOLVED);
}

static void test_assert(void **state)
{
	const struct oracle_options options = {0};
	struct trial_result *first = asserts("x > 0", 9);

	assert_int_equal(judge(&options, first, asserts("x > 0", 9)), VERDICT_FAIL);
	assert_int_equal(judge(&options, first, asserts("x > 1", 9)), VERDICT_UNRESOLVED);
	assert_int_equal(judge(&options, first, asserts("x > 0", 10)), VERDICT_UNRESOLVED);
	/* abort() at the same line is no assertion. */
	assert_int_equal(judge(&options, first, dies(SIGABRT, "check", 9)), VERDICT_UNRESOLVED);
}

static void test_exit(void **state)
{
	const struct oracle_options options = {0};
	struct oracle oracle;

	assert_false(oracle_create(&options, exits(0, "x"), &oracle));
	assert_int_equal(judge(&options, exits(2, "x"), exits(2, "y")), VERDICT_FAIL);
	assert_int_equal(judge(&options, exits(2, "x"), exits(3, "x")), VERDICT_UNRESOLVED);
}

static void test_output(void **state)
{
	struct str right = STR_INIT;
	const struct oracle_options options = {.expected = &right};
	const struct oracle_options any = {.expected = &right, .any = true};
	struct trial_result *first = exits(0, "1\n2\nbad\n4\n");
	struct oracle oracle;

	str_add(&right, "1\n2\n3\n4\n");
	assert_false(oracle_create(&options, exits(0, "1\n2\n3\n4\n"), &oracle));
	assert_true(oracle_create(&options, first, &oracle));
	assert_int_equal(oracle.failure.kind, FAILURE_OUTPUT);
	assert_int_equal(oracle.failure.wrong, 4);
	assert_int_equal(oracle.failure.number, 2);
	assert_string_equal(str_text(&oracle.failure.line), "bad\n");
	oracle_deinit(&oracle);
	/* Of less input: the wrong line again, wherever. */
	assert_int_equal(judge(&options, first, exits(0, "bad\n")), VERDICT_FAIL);
	assert_int_equal(judge(&options, first, exits(0, "1\n2\n")), VERDICT_PASS);
	assert_int_equal(judge(&options, first, exits(0, "bad")), VERDICT_PASS);
	assert_int_equal(judge(&options, first, exits(0, "not bad\n")), VERDICT_PASS);
	assert_int_equal(judge(&options, first, exits(0, "bad\n\n")), VERDICT_FAIL);
	assert_int_equal(judge(&options, first, exits(1, "usage\n")), VERDICT_UNRESOLVED);
	assert_int_equal(judge(&options, first, dies(SIGSEGV, "f", 1)), VERDICT_UNRESOLVED);
	assert_int_equal(judge(&any, first, dies(SIGSEGV, "f", 1)), VERDICT_FAIL);
	assert_int_equal(judge(&any, first, exits(1, "usage\n")), VERDICT_FAIL);
	/* A crash is the failure, even where an output is expected. */
	assert_int_equal(judge(&options, dies(SIGSEGV, "f", 1), exits(0, "")), VERDICT_PASS);
	str_deinit(&right);
}

static void test_missing_output(void **state)
{
	struct str right = STR_INIT;
	const struct oracle_options options = {.expected = &right};
	struct trial_result *first = exits(0, "1\n");
	struct str text = STR_INIT;
	struct oracle oracle;

	str_add(&right, "1\n2\n");
	assert_true(oracle_create(&options, first, &oracle));
	assert_true(oracle.failure.missing);
	oracle_write_text(&oracle, &text);
	assert_string_equal(text.text, "prints nothing more, but \"2\" should come (line 2)");
	oracle_deinit(&oracle);
	str_deinit(&text);
	assert_int_equal(judge(&options, first, exits(0, "1\n")), VERDICT_FAIL);
	assert_int_equal(judge(&options, first, exits(0, "")), VERDICT_PASS);
	str_deinit(&right);
}

/* How a person reads that `output` is not `right`. */
static void assert_words(const char *right, const char *output, const char *words)
{
	struct str expected = STR_INIT, text = STR_INIT;
	const struct oracle_options options = {.expected = &expected};
	struct oracle oracle;

	str_add(&expected, right);
	assert_true(oracle_create(&options, exits(0, output), &oracle));
	oracle_write_text(&oracle, &text);
	assert_string_equal(str_text(&text), words);
	oracle_deinit(&oracle);
	str_deinit(&text);
	str_deinit(&expected);
}

static void test_output_words(void **state)
{
	assert_words("11 14\n", "0 11\n", "prints \"0 11\", not \"11 14\" (line 1)");
	assert_words("a\nb\n", "a\n\n", "prints \"\", not \"b\" (line 2)");
	assert_words("a\n", "a\nb\n", "prints \"b\", but nothing should come there (line 2)");
	assert_words("a\n", "", "prints nothing, but \"a\" should come (line 1)");
	assert_words("abc\n", "ab", "prints \"ab\", not \"abc\" (line 1)");
	assert_words("abc\n", "abc", "prints \"abc\" without the end of line (line 1)");
	assert_words("abc", "abc\nd", "prints \"abc\" with an end of line (line 1)");
	/* What a terminal would obey, and quotes. */
	assert_words("x\n", "\x1b[2J\"\\\n", "prints \"\\033[2J\\\"\\\\\", not \"x\" (line 1)");
	/* Of long lines the part that matters. */
	assert_words("0123456789012345678901234567890123456789x\n",
	             "0123456789012345678901234567890123456789y",
	             "prints ...\"890123456789y\", not ...\"890123456789x\" (line 1)");
	assert_words("b0123456789012345678901234567890123456789\n",
	             "a0123456789012345678901234567890123456789\n",
	             "prints \"a01234567890123456789012345678\"..., not "
	             "\"b01234567890123456789012345678\"... (line 1)");
	/* Not in the middle of a character. */
	assert_words(
		"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4.,"
		"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4x\n",
		"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4.."
		","
		"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4x\n",
		"prints ...\"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4..,"
		"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4x\", not "
		"...\"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4.,"
		"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4x\" (line 1)");
}

static struct trial_result *against(struct trial_result *result, int status, const char *right)
{
	result->other.kind = OUTCOME_EXITED;
	result->other.status = status;
	str_add(&result->right, right);
	return result;
}

static void test_other(void **state)
{
	const struct oracle_options options = {.other = true};
	struct trial_result *first = against(exits(0, "5\n"), 0, "4\n"), *broken;
	struct oracle oracle;

	assert_false(oracle_create(&options, against(exits(0, "4"), 0, "4"), &oracle));
	assert_int_equal(judge(&options, first, against(exits(0, "7\n"), 0, "6\n")), VERDICT_FAIL);
	assert_int_equal(judge(&options, first, against(exits(0, "6\n"), 0, "6\n")), VERDICT_PASS);
	/* Both refuse the input. */
	assert_int_equal(judge(&options, first, against(exits(1, ""), 1, "")), VERDICT_PASS);
	assert_int_equal(judge(&options, first, against(exits(1, ""), 0, "")), VERDICT_UNRESOLVED);
	assert_int_equal(judge(&options, first, against(dies(SIGSEGV, "f", 1), 0, "6\n")),
	                 VERDICT_UNRESOLVED);
	broken = against(exits(0, "7\n"), 0, "");
	broken->other.kind = OUTCOME_SIGNALLED;
	assert_int_equal(judge(&options, first, broken), VERDICT_UNRESOLVED);
}

static void test_test(void **state)
{
	const struct oracle_options plain = {.test = true},
				    inverted = {.test = true, .invert = true};
	struct oracle oracle;

	assert_false(oracle_create(&plain, tested(0), &oracle));
	assert_false(oracle_create(&plain, tested(125), &oracle));
	assert_false(oracle_create(&plain, tested(-1), &oracle));
	assert_false(oracle_create(&inverted, tested(1), &oracle));
	assert_false(oracle_create(&inverted, tested(125), &oracle));
	assert_int_equal(judge(&plain, tested(1), tested(7)), VERDICT_FAIL);
	assert_int_equal(judge(&plain, tested(1), tested(0)), VERDICT_PASS);
	assert_int_equal(judge(&plain, tested(1), tested(125)), VERDICT_UNRESOLVED);
	assert_int_equal(judge(&plain, tested(1), tested(-1)), VERDICT_UNRESOLVED);
	assert_int_equal(judge(&plain, tested(1), hangs()), VERDICT_UNRESOLVED);
	assert_int_equal(judge(&inverted, tested(0), tested(0)), VERDICT_FAIL);
	assert_int_equal(judge(&inverted, tested(0), tested(1)), VERDICT_PASS);
	assert_int_equal(judge(&inverted, tested(0), tested(125)), VERDICT_UNRESOLVED);
}

static void check_text(const struct trial_result *first, const char *wanted, const char *kind)
{
	const struct oracle_options options = {0};
	struct oracle oracle;
	struct str text = STR_INIT;

	assert_true(oracle_create(&options, first, &oracle));
	oracle_write_text(&oracle, &text);
	assert_string_equal(text.text, wanted);
	assert_string_equal(failure_kind_name(oracle.failure.kind), kind);
	str_deinit(&text);
	oracle_deinit(&oracle);
}

static void test_text(void **state)
{
	check_text(dies(SIGSEGV, "parse", 17), "dies of SIGSEGV at a.c:17 in parse", "crash");
	check_text(dies(SIGSEGV, NULL, 0), "dies of SIGSEGV", "crash");
	check_text(asserts("p", 3), "fails the assertion 'p' at a.c:3", "assert");
	check_text(exits(2, ""), "exits with 2", "exit");
	check_text(hangs(), "does not end", "hang");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_kinds, free_all),
		cmocka_unit_test_teardown(test_crash, free_all),
		cmocka_unit_test_teardown(test_overflow, free_all),
		cmocka_unit_test_teardown(test_crash_without_source, free_all),
		cmocka_unit_test_teardown(test_assert, free_all),
		cmocka_unit_test_teardown(test_exit, free_all),
		cmocka_unit_test_teardown(test_output, free_all),
		cmocka_unit_test_teardown(test_missing_output, free_all),
		cmocka_unit_test_teardown(test_output_words, free_all),
		cmocka_unit_test_teardown(test_other, free_all),
		cmocka_unit_test_teardown(test_test, free_all),
		cmocka_unit_test_teardown(test_text, free_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
