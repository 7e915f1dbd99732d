/* Trials: what a program finds, how its end is told, what is left of it. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "trial_run.h"

static void test_exit(void **state)
{
	struct trial_result result;
	struct pool pool;

	shell(&pool, "echo out; echo err >&2; exit 3");
	start(&pool);
	assert_int_equal(pool.first.outcome.kind, OUTCOME_EXITED);
	assert_int_equal(pool.first.outcome.status, 3);
	assert_string_equal(str_text(&pool.first.output), "out\n");
	assert_int_equal(pool.first.test, -1);
	again(&pool, &result);
	assert_int_equal(result.outcome.status, 3);
	assert_string_equal(str_text(&result.output), "out\n");
	trial_result_deinit(&result);
	stop(&pool);
}

static void test_signal(void **state)
{
	struct pool pool;

	shell(&pool, "kill -SEGV $$");
	start(&pool);
	assert_int_equal(pool.first.outcome.kind, OUTCOME_SIGNALLED);
	assert_int_equal(pool.first.outcome.signal, SIGSEGV);
	assert_true(pool.first.pc != 0);
	stop(&pool);
}

/* Each trial has what its own input says, from the beginning. */
static void test_input(void **state)
{
	struct trial_result result;
	struct pool pool;

	shell(&pool, "cat; echo \"$0|$1|$MODE\"");
	say(&pool.input, "zero");
	say(&pool.input, "a b");
	input_add_bytes(&pool.input, INPUT_STDIN, NULL, "line\n", 5);
	input_add_bytes(&pool.input, INPUT_VARIABLE, "MODE", "fast", 4);
	start(&pool);
	assert_string_equal(str_text(&pool.first.output), "line\nzero|a b|fast\n");
	str_deinit(&pool.input.parts.at[4].bytes);
	str_add(&pool.input.parts.at[4].bytes, "other\n");
	str_deinit(&pool.input.parts.at[5].bytes);
	for (int i = 0; i < 3; i++) {
		again(&pool, &result);
		assert_string_equal(str_text(&result.output), "other\nzero|a b|\n");
		trial_result_deinit(&result);
	}
	stop(&pool);
}

static void test_no_stdin(void **state)
{
	struct pool pool;

	shell(&pool, "cat; echo end");
	start(&pool);
	assert_string_equal(str_text(&pool.first.output), "end\n");
	stop(&pool);
}

static void test_hang(void **state)
{
	struct pool pool;

	shell(&pool, "echo begun; while :; do :; done");
	pool.options.timeout = 0.3;
	start(&pool);
	assert_int_equal(pool.first.outcome.kind, OUTCOME_TIMED_OUT);
	assert_string_equal(str_text(&pool.first.output), "begun\n");
	assert_true(pool.first.seconds >= 0.3);
	stop(&pool);
}

static void test_endless_output(void **state)
{
	struct pool pool;

	shell(&pool, "exec yes");
	pool.options.timeout = 0.3;
	start(&pool);
	assert_int_equal(pool.first.outcome.kind, OUTCOME_TIMED_OUT);
	assert_true(pool.first.output.length <= 16u << 20);
	stop(&pool);
}

/* Whatever a program starts ends with it, also what leaves its group and its session. */
static void test_tree(void **state)
{
	struct pool pool;
	char *line = str_format("(sleep 321 & echo $! >$TMPDIR/pid; wait) & "
	                        "setsid sleep 322 & sleep 0.1; echo done; exit 0");

	shell(&pool, line);
	start(&pool);
	assert_string_equal(str_text(&pool.first.output), "done\n");
	assert_false(running("sleep 321"));
	assert_false(running("sleep 322"));
	stop(&pool);
	free(line);
}

/* Not many more than 256 processes at a time. */
static void test_too_many(void **state)
{
	struct pool pool;

	shell(&pool, "i=0; while [ $i -lt 600 ]; do sleep 605 & i=$((i + 1)); done; wait");
	pool.options.timeout = 20;
	start(&pool);
	assert_int_equal(pool.first.outcome.kind, OUTCOME_TIMED_OUT);
	assert_true(pool.first.seconds < 15);
	stop(&pool);
	assert_false(running("sleep 605"));
}

static void test_cancel(void **state)
{
	struct trial_result result;
	struct pool pool;
	uint64_t id;

	shell(&pool, "[ \"$0\" = short ] || sleep 600; echo $0");
	say(&pool.input, "short");
	start(&pool);
	pool.input.parts.at[2].bytes.text[0] = 'l';
	assert_true(trials_ready(pool.trials));
	assert_null(trials_start(pool.trials, &pool.input, 1));
	assert_false(trials_ready(pool.trials));
	usleep(50000);
	trials_cancel(pool.trials, 1);
	assert_true(trials_ready(pool.trials));
	pool.input.parts.at[2].bytes.text[0] = 's';
	assert_null(trials_start(pool.trials, &pool.input, 2));
	assert_null(trials_wait(pool.trials, &id, &result));
	assert_int_equal(id, 2);
	assert_string_equal(str_text(&result.output), "short\n");
	assert_false(running("sleep 600"));
	trial_result_deinit(&result);
	stop(&pool);
}

static void test_many(void **state)
{
	bool seen[40] = {false};
	uint32_t started = 0;
	struct pool pool;

	shell(&pool, "echo $0; exit 1");
	say(&pool.input, "x");
	pool.options.workers = 3;
	start(&pool);
	for (uint32_t done = 0; done < 40; done++) {
		struct trial_result result;
		char text[16];
		uint64_t id;

		while (started < 40 && trials_ready(pool.trials)) {
			struct str *bytes = &pool.input.parts.at[2].bytes;

			str_deinit(bytes);
			str_printf(bytes, "%u", started);
			assert_null(trials_start(pool.trials, &pool.input, started++));
		}
		assert_null(trials_wait(pool.trials, &id, &result));
		snprintf(text, sizeof(text), "%lu\n", id);
		assert_string_equal(str_text(&result.output), text);
		assert_false(seen[id]);
		seen[id] = true;
		trial_result_deinit(&result);
	}
	stop(&pool);
}

/* The first child of this process: a worker. */
static pid_t a_child(void)
{
	char *path = str_format("/proc/self/task/%d/children", getpid()), *text = get(path);
	pid_t pid = atoi(text);

	free(path);
	free(text);
	return pid;
}

static void test_dead_worker(void **state)
{
	struct trial_result result;
	struct hence_error *error;
	struct pool pool;
	uint64_t id;

	shell(&pool, "[ $0 = short ] || sleep 601");
	say(&pool.input, "short");
	start(&pool);
	pool.input.parts.at[2].bytes.text[0] = 'l';
	assert_null(trials_start(pool.trials, &pool.input, 1));
	usleep(50000);
	assert_int_equal(kill(a_child(), SIGKILL), 0);
	error = trials_wait(pool.trials, &id, &result);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "SIGKILL"));
	error_destroy(error);
	stop(&pool);
	/* The kernel kills what the worker traced, in a moment. */
	for (int i = 0; i < 100 && running("sleep 601"); i++)
		usleep(50000);
	assert_false(running("sleep 601"));
}

/* However hence goes, nothing stays. */
static void check_killed(int number)
{
	pid_t pid = fork();

	if (!pid) {
		struct pool pool;

		signal(number, SIG_DFL);
		shell(&pool, "[ $0 = short ] || { setsid sleep 602 & sleep 602; }");
		say(&pool.input, "short");
		pool.options.workers = 2;
		start(&pool);
		pool.input.parts.at[2].bytes.text[0] = 'l';
		assert_null(trials_start(pool.trials, &pool.input, 1));
		assert_null(trials_start(pool.trials, &pool.input, 2));
		usleep(100000);
		kill(getpid(), number);
		pause();
	}
	waitpid(pid, NULL, 0);
	for (int i = 0; i < 100 && entries(tapes) != 2; i++)
		usleep(50000);
	assert_int_equal(entries(tapes), 2);
	assert_false(running("sleep 602"));
}

static void test_killed(void **state)
{
	check_killed(SIGKILL);
	check_killed(SIGTERM);
	check_killed(SIGINT);
}

static void test_bad_program(void **state)
{
	struct pool pool;

	shell(&pool, "");
	pool.options.program = "./nothing";
	refused(&pool, "cannot run ./nothing: no such file");
	put("plain", "text");
	shell(&pool, "");
	pool.options.program = "plain";
	refused(&pool, "no permission to execute it");
	unlink("plain");
	put("broken", "\177ELF nonsense");
	chmod("broken", 0755);
	shell(&pool, "");
	pool.options.program = "./broken";
	pool.input.parts.size = 0;
	start(&pool); /* the shell reads it, as execvp() has it */
	assert_int_not_equal(pool.first.outcome.status, 0);
	pool.input.parts.size = 2;
	stop(&pool);
	unlink("broken");
}

static void test_bad_folder(void **state)
{
	struct pool pool;

	setenv("HENCE_TAPE_DIR", "/nonexistent", 1);
	shell(&pool, "");
	refused(&pool, "HENCE_TAPE_DIR");
	setenv("HENCE_TAPE_DIR", tapes, 1);
}

/* What is left by a hence that was killed with all its workers goes with the next one. */
static void test_stale(void **state)
{
	struct trial_scratch alive_one;
	char *dead = str_format("%s/hence-trials-dead00", tapes);
	char *lock = str_format("%s/lock", dead), *deep = str_format("%s/0/dir", dead);
	char *part = str_format("%s/0", dead);
	struct pool pool;

	assert_null(trial_scratch_create(&alive_one));
	assert_true(!mkdir(dead, 0700) && !mkdir(part, 0700) && !mkdir(deep, 0));
	put(lock, "");
	shell(&pool, "exit 1");
	start(&pool);
	assert_int_equal(access(dead, F_OK), -1);
	assert_int_equal(access(alive_one.path, F_OK), 0);
	trials_destroy(pool.trials);
	trial_result_deinit(&pool.first);
	input_deinit(&pool.input);
	trial_scratch_destroy(&alive_one);
	free(dead);
	free(lock);
	free(deep);
	free(part);
}

static void test_other(void **state)
{
	struct trial_result result;
	struct pool pool;

	script("bad", "read x; echo $((x + 2)); [ $x -lt 9 ]");
	script("good", "read x; echo $((x + 1))");
	pool = (struct pool){.options = {.program = "./bad", .name = "./bad", .other = "./good"}};
	pool.options.input = &pool.input;
	pool.options.workers = 2;
	input_add_bytes(&pool.input, INPUT_STDIN, NULL, "5\n", 2);
	start(&pool);
	assert_string_equal(str_text(&pool.first.output), "7\n");
	assert_string_equal(str_text(&pool.first.right), "6\n");
	pool.input.parts.at[0].bytes.text[0] = '9';
	again(&pool, &result);
	assert_string_equal(str_text(&result.output), "11\n");
	assert_string_equal(str_text(&result.right), "10\n");
	assert_int_equal(result.outcome.status, 1);
	assert_int_equal(result.other.status, 0);
	trial_result_deinit(&result);
	stop(&pool);
	unlink("bad");
	unlink("good");
}

/* Makes one system call fail in this process and all that come from it. */
static void forbid(uint32_t call, int reason)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)reason),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {4, filter};

	assert_int_equal(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	assert_int_equal(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

/* Calls `check` in a process that may not make one system call. */
static void without(uint32_t call, int reason, void (*check)(void))
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		forbid(call, reason);
		check();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
}

static void check_no_landlock(void)
{
	struct pool pool;

	shell(&pool, "exit 3");
	refused(&pool, "this kernel has no Landlock");
}

static void check_no_ptrace(void)
{
	struct pool pool;

	shell(&pool, "setsid sleep 604 & kill -SEGV $$");
	start(&pool);
	assert_int_equal(pool.first.outcome.kind, OUTCOME_SIGNALLED);
	assert_int_equal(pool.first.outcome.signal, SIGSEGV);
	assert_int_equal(pool.first.pc, 0);
	stop(&pool);
	assert_false(running("sleep 604"));
}

/* Systems that do not let us confine or trace. */
static void test_poor_system(void **state)
{
	without(SYS_landlock_create_ruleset, ENOSYS, check_no_landlock);
	without(SYS_landlock_create_ruleset, EOPNOTSUPP, check_no_landlock);
	without(SYS_ptrace, EPERM, check_no_ptrace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exit),        cmocka_unit_test(test_signal),
		cmocka_unit_test(test_input),       cmocka_unit_test(test_no_stdin),
		cmocka_unit_test(test_hang),        cmocka_unit_test(test_endless_output),
		cmocka_unit_test(test_tree),        cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_cancel),      cmocka_unit_test(test_many),
		cmocka_unit_test(test_dead_worker), cmocka_unit_test(test_killed),
		cmocka_unit_test(test_bad_program), cmocka_unit_test(test_bad_folder),
		cmocka_unit_test(test_stale),       cmocka_unit_test(test_other),
		cmocka_unit_test(test_poor_system),
	};

	return cmocka_run_group_tests(tests, enter_home, leave_home);
}
