/*
 * Sites of branches and results: the program goes by what the register has behind them. And how far a run may
 * be forked.
 */
#include "point_native.h"

/* Runs the program, and at a site puts another value into the register. Gives its exit status. */
static int run_changed(const struct point_sites *sites, const struct site *site,
                       enum hence_site_kind kind, uint64_t value, uint64_t *was)
{
	char *argv[] = {"./prog", "word", NULL};
	struct user_regs_struct registers;
	uint64_t places[8];
	uint32_t count = point_sites_find(sites, site, kind, places, 8);
	pid_t child = native_start(argv);
	int status;

	assert_in_range(count, 1, 8);
	for (uint32_t i = 0; i < count; i++)
		native_trap(child, places[i]);
	for (;;) {
		ptrace(PTRACE_CONT, child, NULL, NULL);
		assert_int_equal(waitpid(child, &status, 0), child);
		if (!WIFSTOPPED(status))
			break;
		assert_int_equal(WSTOPSIG(status), SIGTRAP);
		ptrace(PTRACE_GETREGS, child, NULL, &registers);
		*was = registers.rax;
		registers.rax = value;
		registers.rip += HENCE_SITE_NOP_SIZE - 1;
		ptrace(PTRACE_SETREGS, child, NULL, &registers);
	}
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static const char chooser[] =
	"#include <string.h>\nint main(int argc, char **argv)\n{\n	int n = 1;\n"
	"	if (argc > 5)\n		n = 50;\n"
	"	switch ((signed char)argc) { case -3: n += 1; break; case 2: n += 2; break; case "
	"7: n += 3; }\n"
	"	n += 10 * (int)strlen(argv[1]);\n	return n;\n}\n";

/* The only branch (or switch) of main with so many successors. */
static struct site find_branch(const struct point_sites *sites, const struct plan_function *f,
                               uint32_t successors)
{
	uint32_t count;
	const struct site_place *all = point_sites_all(sites, HENCE_SITE_BRANCH, &count);

	for (uint32_t i = 0; i < count; i++)
		if (f->blocks.at[all[i].site.block].successors == successors)
			return all[i].site;
	fail_msg("no branch with %u ways", successors);
	return (struct site){0};
}

static void check_branch(const struct point_sites *sites, const struct plan_function *f,
                         const uint64_t *leads, uint32_t ways, uint32_t usual)
{
	struct site site = find_branch(sites, f, ways);
	uint64_t value, was;

	for (uint32_t k = 0; k < ways; k++) {
		assert_true(point_sites_value(sites, &site, k, &value));
		assert_int_equal(point_sites_successor(sites, &site, value), k);
		assert_int_equal(run_changed(sites, &site, HENCE_SITE_BRANCH, value, &was),
		                 leads[k]);
		assert_int_equal(point_sites_successor(sites, &site, was), usual);
	}
	assert_false(point_sites_value(sites, &site, ways, &value));
}

/* Branches, switches and results of calls go by what the register has behind the site. */
static void goes_by_the_register(void **state)
{
	static const uint64_t branch[] = {92, 43}, cases_[] = {41, 42, 43, 44};
	struct decoded d = decoded_all(chooser);
	struct recording run = {.modules = d.modules, .folder = decoded_session.path};
	const struct plan_function *f = execution_code_table(d.e)->functions.at[0]->plan;
	const struct site_place *result;
	struct point_sites *sites;
	uint64_t was;
	uint32_t count;

	(void)state;
	native_must(point_sites_create(&run, &sites));
	check_branch(sites, f, branch, 2, 1);
	check_branch(sites, f, cases_, 4, 2);
	result = point_sites_all(sites, HENCE_SITE_RESULT, &count);
	assert_int_equal(count, 1);
	assert_int_equal(run_changed(sites, &result->site, HENCE_SITE_RESULT, 9, &was), 93);
	assert_int_equal(was, 4);
	point_sites_destroy(sites);
	decoded_free(&d);
}

/* --- forks --- */

/* The line of the last statement at which the run may be forked; 0: it always may. */
static uint32_t last_line(const char *source)
{
	struct decoded d = decoded_all(source);
	struct recording run = {
		.modules = d.modules, .folder = decoded_session.path, .table = decoded_models};
	struct point point;
	uint32_t line = 0;
	uint64_t time;

	native_must(points_last_fork(&run, &time));
	if (time != UINT64_MAX) {
		const struct plan_function *f;

		native_must(points_find(&run, &time, 1, &point));
		f = program_function(
			walk_program(execution_walk(d.e)),
			(struct program_place){point.site.module, point.site.function, 0});
		line = LLVMGetDebugLocLine(
			f->statements
				.at[f->blocks.at[point.site.block].first_statement +
		                    point.site.statement]
				.begin);
	}
	decoded_free(&d);
	return line;
}

#define HEAD                                                                                       \
	"#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n"         \
	"#include <unistd.h>\nint main(int argc, char **argv)\n{\n"

static void forks_until_it_shares(void **state)
{
	(void)state;
	/* Reading and writing to the standard streams, time, and files that are only read. */
	assert_int_equal(last_line(HEAD "	char b[9]; FILE *f = fopen(\"prog.c\", "
	                                "\"r\");\n	fgets(b, 9, f);\n"
	                                "	int fd = open(\"prog.c\", O_RDONLY);\n	read(fd, "
	                                "b, 5);\n	close(fd);\n"
	                                "	fclose(f);\n	printf(\"%ld\", time(NULL));\n	"
	                                "exit(getchar() == 3);\n}\n"),
	                 0);
	/* Line 9 opens for writing. */
	assert_int_equal(last_line(HEAD
	                           "	puts(\"a\");\n	FILE *f = fopen(\"/dev/null\", \"w\");\n"
	                           "	fputs(\"b\", f);\n	return 0;\n}\n"),
	                 9);
	assert_int_equal(
		last_line(HEAD
	                  "	int fd = open(\"/dev/null\", O_RDWR);\n	return fd < 0;\n}\n"),
		8);
	assert_int_equal(last_line(HEAD "	open(\"/dev/null\", O_RDONLY | O_CREAT, "
	                                "0600);\n	return 0;\n}\n"),
	                 8);
	/* What a variable says is not known: no promise. */
	assert_int_equal(last_line(HEAD "	const char *how = \"r\";\n	fopen(\"prog.c\", "
	                                "how);\n	return 0;\n}\n"),
	                 9);
	/* Processes and pipes. */
	assert_int_equal(
		last_line(HEAD
	                  "	int p[2];\n	p[0] = 1;\n	pipe(p);\n	return 0;\n}\n"),
		10);
	assert_int_equal(last_line(HEAD "	system(\"true\");\n	return 0;\n}\n"), 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(goes_by_the_register),
		cmocka_unit_test(forks_until_it_shares),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
