/* The process that makes experiments is killed at random moments: nothing is left, and the user's files are as
   they were. */
#include "experiment_run.h"

#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>

#define ROUNDS 40

static const char source[] = "#include <stdio.h>\n"
			     "#include <stdlib.h>\n"
			     "#include <string.h>\n"
			     "int main(void)\n"
			     "{\n"
			     "	char *block = malloc(1 << 20);\n"
			     "	int total = 0;\n"
			     "	FILE *file = fopen(\"data\", \"r+\");\n"
			     "	memset(block, 1, 1 << 20);\n"
			     "	fprintf(file, \"x\");\n"
			     "	fclose(file);\n"
			     "	for (int i = 0; i < 300; i++)\n"
			     "		total += block[i];\n"
			     "	printf(\"%d\\n\", total);\n"
			     "	return 0;\n"
			     "}\n";

/* Makes experiments until it is killed. */
static void work_for_ever(void)
{
	struct lab lab = {.source = source, .options = {.trials = {.workers = 2}}};
	uint32_t next = 0;

	lab_start(&lab);
	for (uint64_t id = 0;; id++) {
		const struct point *point = &lab.points.at[next++ % lab.points.size];
		struct stop stop = lab_stop(point);
		struct experiment experiment = {
			.time = point->time, .stops = &stop, .stop_count = 1};
		struct experiment_result result;
		uint64_t ended;

		while (!experiments_ready(lab.pool)) {
			lab_must(experiments_wait(lab.pool, &ended, &result));
			experiment_result_deinit(&result);
		}
		lab_must(experiments_start(lab.pool, &experiment, id));
	}
}

/* Processes that run the program. */
static uint32_t count_processes(void)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	uint32_t count = 0;
	char *program = str_format("%s/prog", decoded_folder);

	while ((entry = readdir(dir))) {
		char link[300], name[1024];
		ssize_t length;

		snprintf(link, sizeof(link), "/proc/%s/exe", entry->d_name);
		length = readlink(link, name, sizeof(name) - 1);
		name[length > 0 ? length : 0] = '\0';
		count += !strcmp(name, program);
	}
	closedir(dir);
	free(program);
	return count;
}

static uint32_t count_folders(void)
{
	DIR *dir = opendir(".");
	struct dirent *entry;
	uint32_t count = 0;

	while ((entry = readdir(dir)))
		count += !strncmp(entry->d_name, "hence-", 6);
	closedir(dir);
	return count;
}

static bool is_clean(void)
{
	for (int tries = 0; tries < 500; tries++) {
		if (!count_processes() && !count_folders())
			return true;
		usleep(10000);
	}
	print_message("%u processes, %u folders are left\n", count_processes(), count_folders());
	return false;
}

static void test_killed(void **state)
{
	static const int signals[] = {SIGKILL, SIGINT, SIGTERM};
	uint32_t random = 1, worked = 0;
	char text[16] = "";
	FILE *file = fopen("data", "w");

	fputs("precious", file);
	fclose(file);
	decoded_build(source);
	for (int i = 0; i < ROUNDS; i++) {
		int number = signals[i % 3], status;
		pid_t pid = fork();

		if (!pid) {
			signal(SIGINT, SIG_DFL);
			work_for_ever();
			_exit(0);
		}
		/* In every other round experiments are under way, however slow the machine is. */
		for (int tries = 0; i % 2 && count_processes() < 2 && tries < 3000; tries++)
			usleep(10000);
		random = random * 1103515245 + 12345;
		usleep(random / 65536 % 400 * 1000);
		worked += count_processes() > 1;
		assert_int_equal(kill(pid, number), 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == number);
		assert_true(is_clean());
	}
	/* It was killed at work, not only before. */
	assert_true(worked > ROUNDS / 4);
	file = fopen("data", "r");
	assert_non_null(fgets(text, sizeof(text), file));
	fclose(file);
	assert_string_equal(text, "precious");
	unlink("data");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_killed),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
