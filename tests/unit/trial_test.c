/* The user's test: what it is given, what its end means, what is wrong with it. */
#include "trial/oracle.h"
#include "trial_run.h"

static void check_code(const char *test, int code)
{
	struct pool pool;

	shell(&pool, "exit 77");
	pool.options.test = test;
	start(&pool);
	assert_int_equal(pool.first.test, code);
	stop(&pool);
}

static void test_codes(void **state)
{
	check_code("true", 0);
	check_code("false", 1);
	check_code("exit 125", 125);
	check_code("exit 7", 7);
	check_code("kill -9 $$", -1);
	check_code("! false", 0);
	check_code("\"$@\"", 77); /* the program itself */
}

static void test_timeout(void **state)
{
	struct pool pool;

	shell(&pool, "");
	pool.options.test = "sleep 603";
	pool.options.timeout = 0.2;
	start(&pool);
	assert_int_equal(pool.first.test, -1);
	assert_int_equal(pool.first.outcome.kind, OUTCOME_TIMED_OUT);
	stop(&pool);
	assert_false(running("sleep 603"));
}

static void check_output(const char *test, const char *wanted)
{
	struct pool pool;

	shell(&pool, "");
	say(&pool.input, "a b");
	input_add_bytes(&pool.input, INPUT_STDIN, NULL, "in\n", 3);
	pool.options.test = test;
	start(&pool);
	assert_string_equal(str_text(&pool.first.output), wanted);
	stop(&pool);
}

static void test_given(void **state)
{
	char *program = realpath("/bin/sh", NULL);
	char *line = str_format("%s|-c||a b|\n", program), *name = str_format("%s\n", program);

	script("check.sh", "printf '%s|' \"$@\"; echo");
	/* A single word gets the command line, a longer one may use it. */
	check_output("./check.sh", line);
	check_output(" ./check.sh ", line);
	check_output("./check.sh one two", "one|two|\n");
	check_output("./check.sh \"$4\"", "a b|\n");
	check_output("cat", "");
	check_output("cat; echo end", "in\nend\n");
	check_output("cat \"$HENCE_STDIN\"; cat \"$HENCE_STDIN\"", "in\nin\n");
	check_output("tr '\\0' '|' <\"$HENCE_ARGS\"", "-c||a b|");
	check_output("echo \"$HENCE_PROGRAM\"", name);
	unlink("check.sh");
	free(program);
	free(line);
	free(name);
}

/* The test finds the varied files where the program would. */
static void test_files(void **state)
{
	struct trial_result result;
	struct pool pool;

	put("data", "real\n");
	script("check.sh", "echo leftover >>log; cat data log");
	assert_int_equal(mkdir("sub", 0700), 0);
	assert_int_equal(chdir("sub"), 0);
	put("data", "real\n");
	shell(&pool, "");
	pool.options.test = "../check.sh";
	input_add_bytes(&pool.input, INPUT_FILE, "data", "varied\n", 7);
	start(&pool);
	for (int i = 0; i < 2; i++) {
		again(&pool, &result);
		assert_string_equal(str_text(&result.output), "varied\nleftover\n");
		trial_result_deinit(&result);
	}
	has("data", "real\n");
	assert_int_equal(access("log", F_OK), -1);
	assert_int_equal(chdir(".."), 0);
	stop(&pool);
	assert_int_equal(system("rm -r data check.sh sub"), 0);
}

static void check_refused(const char *test, const char *why)
{
	struct pool pool;

	shell(&pool, "");
	pool.options.test = test;
	refused(&pool, why);
}

static void test_refused(void **state)
{
	put("plain.sh", "exit 1");
	assert_int_equal(mkdir("folder", 0700), 0);
	check_refused("./missing.sh", "cannot run the test ./missing.sh: no such file");
	check_refused("./missing.sh -v", "cannot run the test ./missing.sh: no such file");
	check_refused("./plain.sh", "chmod +x");
	check_refused("./folder", "it is a directory");
	check_refused("plain.sh", "say ./plain.sh");
	check_refused("no-such-command", "no-such-command");
	check_refused("true && no-such-command", "could not be run");
	check_refused(" ", "empty");
	unlink("plain.sh");
	rmdir("folder");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_codes),   cmocka_unit_test(test_timeout),
		cmocka_unit_test(test_given),   cmocka_unit_test(test_files),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, enter_home, leave_home);
}
