/* Outcomes: their texts, their bytes, and the parsing of libc's message of a failed assert. */
#include <signal.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "run/crash.h"
#include "run/outcome.h"

static struct outcome segfault(void)
{
	struct outcome outcome = {.kind = OUTCOME_SIGNALLED, .signal = SIGSEGV};

	outcome.detail = strdup("invalid address 0x0");
	outcome.place = (struct place){strdup("find"), strdup("list.c"), 42, 9, strdup("/x/prog")};
	return outcome;
}

static void check_texts(const struct outcome *outcome, const char *text, const char *key)
{
	struct str s = STR_INIT;

	outcome_write_text(outcome, &s);
	assert_string_equal(str_text(&s), text);
	str_deinit(&s);
	outcome_write_key(outcome, &s);
	assert_string_equal(str_text(&s), key);
	str_deinit(&s);
}

static void test_texts(void **state)
{
	struct outcome outcome = {.kind = OUTCOME_EXITED, .status = 3};

	check_texts(&outcome, "exited with status 3", "exit 3");
	assert_int_equal(outcome_exit_code(&outcome), 3);

	outcome = segfault();
	check_texts(&outcome,
	            "was killed by SIGSEGV (invalid address 0x0) at list.c:42:9 in find()",
	            "signal SIGSEGV at list.c:42:9 in find");
	assert_int_equal(outcome_exit_code(&outcome), 139);

	outcome.innermost.elf = strdup("/lib/libc.so.6");
	check_texts(&outcome,
	            "was killed by SIGSEGV (invalid address 0x0) at list.c:42:9 in find(), inside "
	            "libc.so.6",
	            "signal SIGSEGV at list.c:42:9 in find");

	outcome.assertion.text = strdup("n > 0");
	outcome.assertion.file = strdup("a.c");
	outcome.assertion.line = 7;
	outcome.assertion.function = strdup("f");
	check_texts(&outcome, "failed the assertion 'n > 0' at a.c:7 in f()",
	            "assert n > 0 at a.c:7 in f");
	outcome_deinit(&outcome);
	assert_int_equal(outcome.kind, OUTCOME_UNKNOWN);
}

static void test_signal_names(void **state)
{
	assert_string_equal(outcome_signal_name(SIGKILL), "SIGKILL");
	assert_string_equal(outcome_signal_name(SIGRTMIN + 2), "SIGRTMIN+2");
	assert_string_equal(outcome_signal_name(200), "signal 200");
}

static void test_bytes(void **state)
{
	struct outcome outcome = segfault(), back;
	struct str bytes = STR_INIT;

	outcome_bytes_write(&outcome, &bytes);
	assert_true(outcome_bytes_read(bytes.text, bytes.length, &back));
	assert_int_equal(back.kind, OUTCOME_SIGNALLED);
	assert_string_equal(back.place.file, "list.c");
	assert_int_equal(back.place.column, 9);
	assert_null(back.innermost.elf);
	outcome_deinit(&back);
	/* No part of it is a whole one, and neither is it with more behind it. */
	for (size_t size = 0; size < bytes.length; size++)
		assert_false(outcome_bytes_read(bytes.text, size, &back));
	assert_false(outcome_bytes_read(bytes.text, bytes.length + 1, &back));
	str_deinit(&bytes);
	outcome_deinit(&outcome);
}

static void check_assert(const char *message, const char *text, const char *file, int line,
                         const char *function)
{
	struct outcome_assert out;

	assert_true(abort_message_parse(message, &out));
	assert_string_equal(out.text, text);
	assert_string_equal(out.file, file);
	assert_int_equal(out.line, line);
	assert_string_equal(out.function, function);
	free(out.text);
	free(out.file);
	free(out.function);
}

static void test_asserts(void **state)
{
	struct outcome_assert out;

	check_assert("prog: dir/list.c:42: int find(const char *): Assertion `n > 0' failed.",
	             "n > 0", "dir/list.c", 42, "find");
	check_assert("p: a.c:1: main: Assertion `x == ':' && \"a: b\"' failed.",
	             "x == ':' && \"a: b\"", "a.c", 1, "main");
	assert_false(abort_message_parse("free(): invalid pointer", &out));
	assert_false(abort_message_parse("Assertion `", &out));
	assert_false(abort_message_parse("Assertion `x' failed.", &out));
	assert_false(abort_message_parse("", &out));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_signal_names),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_asserts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
