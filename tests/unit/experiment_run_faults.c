/* What an experiment may make of a program, and code that is elsewhere. */
#include "experiment_run.h"

#include <signal.h>
#include <sys/stat.h>

/* What the program does is chosen by an experiment, which sets `what`. */
static const char faults[] =
	"#include <fcntl.h>\n"
	"#include <signal.h>\n"
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"#include <string.h>\n"
	"#include <sys/stat.h>\n"
	"#include <sys/wait.h>\n"
	"#include <unistd.h>\n"
	"static volatile int what;\n"
	"static char block[1 << 20];\n"
	"static int deep(int n)\n"
	"{\n"
	"	volatile char room[4096];\n"
	"	room[n % 4096] = 1;\n"
	"	return deep(n + 1) + room[0];\n"
	"}\n"
	"static void act(void)\n"
	"{\n"
	"	pid_t pid;\n"
	"	switch (what) { /* act */\n"
	"	case 1: *(volatile int *)8 = 1; break;\n"
	"	case 2: while (what == 2) what = 2; break;\n"
	"	case 3: exit(9);\n"
	"	case 4: close(1); printf(\"gone\"); break;\n"
	"	case 5: for (;;) if (fwrite(block, 1, sizeof(block), stdout) == 0) abort(); "
	"break;\n"
	"	case 6: unlink(\"data\"); unlink(\"prog\"); rmdir(\"sub\"); break;\n"
	"	case 7: kill(0, SIGKILL); break;\n"
	"	case 8: raise(SIGSTOP); break;\n"
	"	case 9: deep(0); break;\n"
	"	case 10: while ((pid = fork()) >= 0) if (pid == 0) for (;;) pause(); break;\n"
	"	case 11: pid = fork(); if (!pid) { setsid(); for (;;) pause(); } break;\n"
	"	case 12: kill(-1, SIGKILL); kill(getppid(), SIGKILL); break;\n"
	"	case 13: memset(malloc(1ul << 40), 1, 1ul << 40); break;\n"
	"	case 14: for (;;) pause(); break;\n"
	"	case 15: fclose(fopen(\"data\", \"w\")); mkdir(\"new\", 0700); break;\n"
	"	case 16: pid = fork(); if (!pid) { what = 0; act(); _exit(5); }\n"
	"		waitpid(pid, NULL, 0); break;\n"
	"	}\n"
	"}\n"
	"int main(void)\n"
	"{\n"
	"	printf(\"what=%p\\n\", (void *)&what);\n"
	"	act();\n"
	"	act();\n"
	"	printf(\"end\\n\");\n"
	"	return 0;\n"
	"}\n";

static struct experiment_result act(struct lab *lab, int what)
{
	return lab_change_int(lab, lab_point(lab, "act", 1), "what", what);
}

static void dies(struct experiment_result result, int signal)
{
	assert_int_equal(result.run.outcome.kind, OUTCOME_SIGNALLED);
	assert_int_equal(result.run.outcome.signal, signal);
	assert_true(result.stops.at[0].reached);
	experiment_result_deinit(&result);
}

static void times_out(struct experiment_result result, bool cut)
{
	assert_int_equal(result.run.outcome.kind, OUTCOME_TIMED_OUT);
	assert_int_equal(result.run.cut, cut);
	assert_true(result.stops.at[0].reached);
	experiment_result_deinit(&result);
}

/* After each fault the pool is as good as before. */
static void good_again(struct lab *lab)
{
	lab_prints(act(lab, 0), "end");
}

static bool has_text(const char *path, const char *text)
{
	char bytes[64] = "";
	FILE *file = fopen(path, "r");

	if (!file)
		return false;
	bytes[fread(bytes, 1, sizeof(bytes) - 1, file)] = '\0';
	fclose(file);
	return !strcmp(bytes, text);
}

static void open_limited(struct lab *lab, double timeout, uint64_t work)
{
	FILE *file;

	*lab = lab_open(faults);
	file = fopen("data", "w");
	fputs("precious", file);
	fclose(file);
	mkdir("sub", 0700);
	lab->options.trials.timeout = timeout;
	lab->options.trials.work = work;
	lab_start(lab);
	assert_string_equal(lab_last_line(&lab->recorded), "end");
}

static void open_faults(struct lab *lab)
{
	open_limited(lab, 1, 0);
}

static void close_faults(struct lab *lab)
{
	struct stat info;

	lab_close(lab);
	assert_true(has_text("data", "precious"));
	assert_int_equal(stat("prog", &info), 0);
	assert_int_not_equal(stat("new", &info), 0);
	unlink("data");
	assert_int_equal(rmdir("sub"), 0);
}

static void test_ends(void **state)
{
	struct lab lab;
	struct experiment_result result;

	open_faults(&lab);
	dies(act(&lab, 1), SIGSEGV);
	good_again(&lab);
	result = act(&lab, 3);
	assert_int_equal(result.run.outcome.status, 9);
	experiment_result_deinit(&result);
	good_again(&lab);
	result = act(&lab, 4);
	assert_int_equal(result.run.outcome.kind, OUTCOME_EXITED);
	experiment_result_deinit(&result);
	good_again(&lab);
	dies(act(&lab, 7), SIGKILL);
	good_again(&lab);
	dies(act(&lab, 9), SIGSEGV);
	good_again(&lab);
	dies(act(&lab, 13), SIGSEGV);
	good_again(&lab);
	close_faults(&lab);
}

/* The recorded run does almost nothing, so an endless loop is cut at once, by its work. */
static void test_endless(void **state)
{
	struct lab lab;

	open_faults(&lab);
	times_out(act(&lab, 2), true);
	good_again(&lab);
	times_out(act(&lab, 8), false);
	good_again(&lab);
	times_out(act(&lab, 14), false);
	good_again(&lab);
	times_out(act(&lab, 5), false);
	good_again(&lab);
	close_faults(&lab);
}

/* A limit that is far more than the recorded run does changes nothing. */
static void test_limit(void **state)
{
	struct lab lab;

	open_limited(&lab, 60, UINT64_MAX);
	times_out(act(&lab, 2), true);
	close_faults(&lab);
}

static void test_processes(void **state)
{
	struct lab lab;
	struct experiment_result result;

	open_faults(&lab);
	times_out(act(&lab, 10), false);
	good_again(&lab);
	lab_prints(act(&lab, 11), "end");
	good_again(&lab);
	result = act(&lab, 12);
	experiment_result_deinit(&result);
	good_again(&lab);
	close_faults(&lab);
}

static void test_files(void **state)
{
	struct lab lab;
	struct experiment_result result;

	open_faults(&lab);
	lab_prints(act(&lab, 6), "end");
	good_again(&lab);
	result = act(&lab, 15);
	experiment_result_deinit(&result);
	good_again(&lab);
	close_faults(&lab);
}

/* A process that the program makes goes its own way: only the program itself stops. */
static void test_child(void **state)
{
	struct lab lab;
	const struct point *point;
	int what = 16;
	struct change change = {.size = 4, .bytes = (uint8_t *)&what};
	struct stop stops[2];
	struct experiment_result result;

	open_faults(&lab);
	point = lab_point(&lab, "act", 1);
	change.address = lab_address(&lab, "what");
	stops[0] = lab_stop(point);
	stops[0].changes = &change;
	stops[0].change_count = 1;
	stops[1] = lab_stop(point);
	stops[1].count = 2;
	/* main calls act() once more; the call in the child is not counted. */
	result = lab_run(&lab, point, stops, 2);
	assert_false(result.stops.at[1].reached);
	experiment_result_deinit(&result);
	stops[1].count = 1;
	result = lab_run(&lab, point, stops, 2);
	assert_true(result.stops.at[1].reached);
	lab_prints(result, "end");
	close_faults(&lab);
}

/* Work is counted: an endless loop ends at the same place each time, from a snapshot or not. */
static void test_cut(void **state)
{
	struct lab lab;
	struct experiment_result first, again;

	open_faults(&lab);
	first = act(&lab, 2);
	again = act(&lab, 2);
	assert_true(first.run.work > 0);
	assert_int_equal(first.run.work, again.run.work);
	experiment_result_deinit(&first);
	experiment_result_deinit(&again);
	close_faults(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends),  cmocka_unit_test(test_endless),
		cmocka_unit_test(test_limit), cmocka_unit_test(test_processes),
		cmocka_unit_test(test_files), cmocka_unit_test(test_child),
		cmocka_unit_test(test_cut),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
