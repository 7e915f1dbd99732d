/* An experiment that changes nothing is the recorded run once more: same addresses, same answers. */
#include "experiment_run.h"

static void same_output(const struct lab *lab, struct experiment_result result)
{
	assert_false(result.diverged);
	assert_string_equal(str_text(&result.run.output), str_text(&lab->recorded.output));
	assert_int_equal(result.run.outcome.kind, lab->recorded.outcome.kind);
	assert_int_equal(result.run.outcome.status, lab->recorded.outcome.status);
	assert_int_equal(result.run.outcome.signal, lab->recorded.outcome.signal);
	experiment_result_deinit(&result);
}

/* At the first, some middle and the last point. */
static void same_everywhere(struct lab *lab)
{
	uint32_t last = lab->points.size - 1, step = last / 7 + 1;

	for (uint32_t i = 0; i < last + step; i += step) {
		const struct point *point = &lab->points.at[i < last ? i : last];
		struct stop stop = lab_stop(point);

		/* The second time it is a snapshot that was there. */
		same_output(lab, lab_run(lab, point, &stop, 1));
		same_output(lab, lab_run(lab, point, &stop, 1));
	}
}

static const char addresses[] =
	"#include <dlfcn.h>\n"
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"#include <string.h>\n"
	"#include <sys/mman.h>\n"
	"#include <unistd.h>\n"
	"extern char **environ;\n"
	"static int global;\n"
	"static void deep(int n, void *above)\n"
	"{\n"
	"	char local[100];\n"
	"	local[0] = n;\n"
	"	if (n)\n"
	"		deep(n - 1, local);\n"
	"	else\n"
	"		printf(\"%p %p %p\\n\", (void *)local, above, (void *)&n);\n"
	"}\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	char *small = malloc(10), *large = malloc(1 << 20), *huge = malloc(300 << 20);\n"
	"	void *mapped = mmap(NULL, 12345, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);\n"
	"	char **e = environ;\n"
	"	printf(\"%p %p %p %p %p\\n\", small, large, huge, mapped, sbrk(0));\n"
	"	printf(\"%p %p %p %p\\n\", (void *)argv, argv[0], argv[argc - 1], (void "
	"*)environ);\n"
	"	for (; *e; e++)\n"
	"		printf(\"%p \", *e);\n"
	"	printf(\"%p %p %p\\n\", (void *)&global, (void *)main, (void *)printf);\n"
	"	printf(\"%p %p\\n\", (void *)stdout, dlopen(\"libm.so.6\", RTLD_NOW));\n"
	"	printf(\"%p\\n\", mmap(NULL, 1 << 16, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, "
	"0));\n"
	"	deep(5, &e);\n"
	"	small = realloc(small, 100000);\n"
	"	printf(\"%p %p\\n\", small, strdup(\"x\"));\n"
	"	return 3;\n"
	"}\n";

static void test_addresses(void **state)
{
	struct lab lab = lab_open(addresses);

	input_add_bytes(&lab.input, INPUT_ARGUMENT, NULL, "word", 4);
	lab_start(&lab);
	assert_int_equal(lab.recorded.outcome.status, 3);
	same_everywhere(&lab);
	lab_close(&lab);
}

static const char varying[] =
	"#include <stdio.h>\n"
	"#include <stdlib.h>\n"
	"#include <sys/time.h>\n"
	"#include <time.h>\n"
	"#include <unistd.h>\n"
	"int main(void)\n"
	"{\n"
	"	time_t (*clock_of)(time_t *) = time;\n"
	"	struct timespec now;\n"
	"	struct timeval day;\n"
	"	for (int i = 0; i < 5; i++) {\n"
	"		clock_gettime(CLOCK_REALTIME, &now);\n"
	"		gettimeofday(&day, NULL);\n"
	"		printf(\"%ld.%09ld %ld.%06ld %ld %ld\\n\", (long)now.tv_sec, now.tv_nsec,\n"
	"		       (long)day.tv_sec, (long)day.tv_usec, (long)time(NULL),\n"
	"		       (long)clock_of(NULL));\n"
	"		usleep(1000);\n"
	"	}\n"
	"	return 0;\n"
	"}\n";

static void test_varying(void **state)
{
	struct lab lab = lab_open(varying);

	lab_start(&lab);
	same_everywhere(&lab);
	lab_close(&lab);
}

static const char reading[] = "#include <stdio.h>\n"
			      "#include <string.h>\n"
			      "#include <fcntl.h>\n"
			      "#include <unistd.h>\n"
			      "int main(void)\n"
			      "{\n"
			      "	char line[100], bytes[4];\n"
			      "	FILE *file = fopen(\"data\", \"r\");\n"
			      "	int fd = open(\"data\", O_RDONLY);\n"
			      "	setvbuf(file, NULL, _IOFBF, 7);\n"
			      "	while (fgets(line, sizeof(line), stdin)) {\n"
			      "		printf(\"%s\", line);\n"
			      "		if (fgets(line, sizeof(line), file))\n"
			      "			printf(\"  %s\", line);\n"
			      "		ssize_t got = read(fd, bytes, sizeof(bytes));\n"
			      "		printf(\"%.*s\\n\", (int)got, bytes);\n"
			      "		if (strlen(line) > 6)\n"
			      "			fflush(stdout);\n"
			      "	}\n"
			      "	fclose(file);\n"
			      "	return 0;\n"
			      "}\n";

static void test_reading(void **state)
{
	struct lab lab = lab_open(reading);
	FILE *file = fopen("data", "w");

	for (int i = 0; i < 30; i++)
		fprintf(file, "%d\n", i * i * i);
	fclose(file);
	input_add_bytes(&lab.input, INPUT_STDIN, NULL, "one\ntwo\nthree\nfour\nfive\n", 24);
	lab_start(&lab);
	assert_true(lab.recorded.output.length > 50);
	same_everywhere(&lab);
	assert_true(experiments_counts(lab.pool).snapshots >= 7);
	assert_int_equal(experiments_counts(lab.pool).executed, 0);
	lab_close(&lab);
	unlink("data");
}

static const char writing[] = "#include <stdio.h>\n"
			      "#include <unistd.h>\n"
			      "int main(void)\n"
			      "{\n"
			      "	int i = 0; /* before */\n"
			      "	FILE *file = fopen(\"out\", \"w\");\n"
			      "	char line[100] = \"\";\n"
			      "	for (i = 0; i < 5; i++) {\n"
			      "		fprintf(file, \"%d\\n\", i);\n"
			      "		fflush(file); /* flush */\n"
			      "	}\n"
			      "	fclose(file);\n"
			      "	file = fopen(\"out\", \"r\");\n"
			      "	while (file && fgets(line, sizeof(line), file))\n"
			      "		printf(\"%s\", line);\n"
			      "	printf(\"end\\n\"); /* end */\n"
			      "	return 0;\n"
			      "}\n";

/* Behind the opening of the file there are no snapshots. */
static void test_writing(void **state)
{
	struct lab lab = lab_open(writing);

	lab_start(&lab);
	assert_string_equal(str_text(&lab.recorded.output), "0\n1\n2\n3\n4\nend\n");
	same_everywhere(&lab);
	assert_true(experiments_counts(lab.pool).executed > 0);
	assert_int_not_equal(access("out", F_OK), 0);
	lab_close(&lab);
}

static const char rewriting[] =
	"#include <stdio.h>\n"
	"#include <string.h>\n"
	"int main(void)\n"
	"{\n"
	"	char line[100];\n"
	"	FILE *file = fopen(\"data\", \"r\"), *again;\n"
	"	setvbuf(file, NULL, _IONBF, 0);\n"
	"	for (int i = 0; i < 5 && fgets(line, sizeof(line), file); i++)\n"
	"		printf(\"%s\", line);\n"
	"	again = fopen(\"data\", \"r+\");\n"
	"	for (int i = 0; i < 10; i++)\n"
	"		fprintf(again, \"changed\\n\");\n"
	"	fclose(again);\n"
	"	while (fgets(line, sizeof(line), file))\n"
	"		printf(\"%s\", line);\n"
	"	return 0;\n"
	"}\n";

/* Each run changes a file that snapshots have open: the next run finds it as it was. */
static void test_rewriting(void **state)
{
	struct lab lab = lab_open(rewriting);
	FILE *file = fopen("data", "w");

	for (int i = 0; i < 30; i++)
		fprintf(file, "%d\n", i * i * i);
	fclose(file);
	lab_start(&lab);
	assert_non_null(strstr(str_text(&lab.recorded.output), "64\nged\nchanged\n"));
	same_everywhere(&lab);
	assert_true(experiments_counts(lab.pool).snapshots > 0);
	lab_close(&lab);
	unlink("data");
}

static const char dying[] = "#include <stdio.h>\n"
			    "int main(void)\n"
			    "{\n"
			    "	int *where = NULL;\n"
			    "	printf(\"lost\");\n"
			    "	*where = 1;\n"
			    "	return 0;\n"
			    "}\n";

static void test_dying(void **state)
{
	struct lab lab = lab_open(dying);

	lab_start(&lab);
	assert_int_equal(lab.recorded.outcome.signal, 11);
	same_everywhere(&lab);
	lab_close(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses), cmocka_unit_test(test_varying),
		cmocka_unit_test(test_reading),   cmocka_unit_test(test_writing),
		cmocka_unit_test(test_rewriting), cmocka_unit_test(test_dying),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
