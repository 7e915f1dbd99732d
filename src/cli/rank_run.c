/* The tests of a file: read, run several at a time, told to the spectra. See rank.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "causes/suspects.h"
#include "cli/progress.h"
#include "cli/rank.h"
#include "report/source.h"
#include "run/executable.h"

/* --- reading --- */

char *rank_absolute(const char *path)
{
	char *here, *result;

	if (!path || *path == '/')
		return path ? mem_strdup(path) : NULL;
	here = getcwd(NULL, 0);
	result = str_format("%s/%s", here ? here : ".", path);
	free(here);
	return result;
}

static struct hence_error *read_text(const char *path, struct str *out)
{
	FILE *file = fopen(path, "re");
	char buffer[4096];
	size_t got;
	bool failed;

	if (!file)
		return error_from_errno(HENCE_ERROR_INPUT, "--tests: cannot read %s", path);
	while ((got = fread(buffer, 1, sizeof(buffer), file)) > 0)
		str_add_bytes(out, buffer, got);
	failed = ferror(file);
	fclose(file);
	if (failed)
		return error_from_errno(HENCE_ERROR_INPUT, "--tests: cannot read %s", path);
	return NULL;
}

/* Each must have been built with hence cc. */
static struct hence_error *check_programs(const char *path, const struct suite *suite)
{
	for (uint32_t i = 0; i < suite->tests.size; i++) {
		const struct suite_test *test = &suite->tests.at[i];
		struct executable program = {0};
		struct hence_error *error = executable_find(test->command.at[0], &program), *named;

		executable_deinit(&program);
		if (!error)
			continue;
		named = error_create(error->kind, "%s:%u: %s", path, test->line, error->message);
		error_destroy(error);
		return named;
	}
	return NULL;
}

static struct hence_error *go_to_folder(const char *path, struct rank_suite *out)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return NULL;
	out->folder = mem_strndup(path, slash == path ? 1 : (size_t)(slash - path));
	if (chdir(out->folder))
		return error_from_errno(HENCE_ERROR_INPUT, "--tests: cannot go to %s", out->folder);
	return NULL;
}

struct hence_error *rank_suite_read(const char *path, struct rank_suite *out)
{
	struct str text = STR_INIT;
	struct hence_error *error = read_text(path, &text);

	*out = (struct rank_suite){0};
	if (!error)
		error = suite_parse(path, str_text(&text), text.length, &out->suite);
	if (!error)
		error = go_to_folder(path, out);
	if (!error)
		error = suite_read_files(path, &out->suite);
	if (!error)
		error = check_programs(path, &out->suite);
	str_deinit(&text);
	return error;
}

static void test_deinit(struct rank_test *test)
{
	for (uint32_t i = 0; i < test->lines.size; i++) {
		free(test->lines.at[i].file);
		free(test->lines.at[i].function);
	}
	vec_deinit(&test->lines);
	free(test->ended);
}

void rank_suite_deinit(struct rank_suite *s)
{
	for (uint32_t i = 0; i < s->tests.size; i++)
		test_deinit(&s->tests.at[i]);
	vec_deinit(&s->tests);
	suite_deinit(&s->suite);
	free(s->folder);
}

/* --- running --- */

/* A process at work. */
struct job {
	uint32_t test;
	pid_t child;
	int pipe;
	struct str bytes;
};

struct jobs {
	struct rank_suite *suite;
	const struct report_options *report;
	VEC(struct job) running;
	uint32_t next, done;
	struct progress progress;
};

static struct hence_error *start(struct jobs *j)
{
	const struct rank_one one = {&j->suite->suite.tests.at[j->next], j->report};
	struct job *job;
	int ends[2];
	pid_t child;

	if (pipe2(ends, O_CLOEXEC))
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot make a pipe");
	fflush(stdout);
	fflush(stderr);
	child = fork();
	if (child < 0)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot start a process");
	if (!child) {
		close(ends[0]);
		rank_one_run(&one, ends[1]);
	}
	close(ends[1]);
	job = vec_push(&j->running);
	job->test = j->next++;
	job->child = child;
	job->pipe = ends[0];
	return NULL;
}

static void finish(struct jobs *j, uint32_t number)
{
	struct job *job = &j->running.at[number];
	struct rank_test *test = &j->suite->tests.at[job->test];

	close(job->pipe);
	while (waitpid(job->child, NULL, 0) < 0 && errno == EINTR)
		;
	if (!rank_one_read(&job->bytes, test)) {
		test->verdict = RANK_UNKNOWN;
		free(test->ended);
		test->ended = mem_strdup("its run was ended from outside");
	}
	str_deinit(&job->bytes);
	*job = j->running.at[--j->running.size];
	j->done++;
}

/* Takes what they have written, and sees who has ended. */
static void attend(struct jobs *j)
{
	struct pollfd *all = mem_alloc(j->running.size * sizeof(*all));
	char buffer[65536];

	for (uint32_t i = 0; i < j->running.size; i++)
		all[i] = (struct pollfd){.fd = j->running.at[i].pipe, .events = POLLIN};
	if (poll(all, j->running.size, 100) > 0)
		for (uint32_t i = j->running.size; i-- > 0;) {
			ssize_t got;

			if (!all[i].revents)
				continue;
			got = read(all[i].fd, buffer, sizeof(buffer));
			if (got > 0)
				str_add_bytes(&j->running.at[i].bytes, buffer, (size_t)got);
			else if (got == 0 || errno != EINTR)
				finish(j, i);
		}
	free(all);
}

/* Nothing more is started, and what runs is ended. */
static void end_jobs(struct jobs *j)
{
	for (uint32_t i = 0; i < j->running.size; i++)
		kill(j->running.at[i].child, SIGTERM);
	for (; j->next < j->suite->tests.size; j->next++) {
		j->suite->tests.at[j->next].verdict = RANK_UNKNOWN;
		j->suite->tests.at[j->next].ended = mem_strdup("there was no time left to run it");
		j->done++;
	}
}

struct hence_error *rank_suite_run(struct rank_suite *s, const struct report_options *report,
                                   double until)
{
	struct jobs j = {.suite = s, .report = report};
	uint64_t most = report->failure.jobs;
	struct hence_error *error = NULL;

	if (!most)
		most = trials_cores();
	for (uint32_t i = 0; i < s->suite.tests.size; i++)
		vec_push(&s->tests)->test = &s->suite.tests.at[i];
	progress_begin(&j.progress);
	while (j.done < s->tests.size && !error) {
		while (!error && j.next < s->tests.size && j.running.size < most)
			error = start(&j);
		if (progress_due(&j.progress))
			progress_show(&j.progress, "tests: %u of %u", j.done, s->tests.size);
		if (j.running.size)
			attend(&j);
		if (until > 0 && progress_clock() >= until) {
			end_jobs(&j);
			break;
		}
	}
	while (j.running.size)
		attend(&j);
	progress_end(&j.progress);
	vec_deinit(&j.running);
	return error;
}

/* --- spectra --- */

bool rank_is_of(const struct rank_test *test, const char *program)
{
	return !strcmp(test->test->command.at[0], program);
}

void rank_spectra(const struct rank_suite *s, const char *program, enum spectra_formula formula,
                  struct spectra *out)
{
	*out = (struct spectra){0};
	for (uint32_t i = 0; i < s->tests.size; i++) {
		const struct rank_test *test = &s->tests.at[i];

		if (!rank_is_of(test, program) ||
		    (test->verdict != RANK_PASSES && test->verdict != RANK_FAILS))
			continue;
		spectra_begin(out, test->verdict == RANK_FAILS);
		for (uint32_t k = 0; k < test->lines.size; k++)
			spectra_add(out, test->lines.at[k].file, test->lines.at[k].line,
			            test->lines.at[k].function);
	}
	spectra_rank(out, formula);
}

static char *reason(const struct spectra *spectra, const struct spectra_line *line,
                    enum spectra_formula formula)
{
	static const char *const names[] = {"Ochiai", "Tarantula", "DStar"};

	return str_format("executed by %u of %u failing and %u of %u passing %s (%s %.2f)",
	                  line->failed, spectra->failed, line->passed, spectra->passed,
	                  spectra->runs ? "runs" : "tests", names[formula], line->score);
}

/* --- for another explanation --- */

bool rank_is_file(const char *name, const struct stat *info)
{
	struct stat other;
	char *path = NULL;
	struct hence_error *error = executable_locate(name, &path);
	bool same = !error && !stat(path, &other) && other.st_dev == info->st_dev &&
	            other.st_ino == info->st_ino;

	error_destroy(error);
	free(path);
	return same;
}

/* The name by which tests call the program; NULL: none does. */
static const char *find_program(const struct rank_suite *s, const struct stat *info)
{
	for (uint32_t i = 0; i < s->tests.size; i++)
		if (rank_is_file(s->tests.at[i].test->command.at[0], info))
			return s->tests.at[i].test->command.at[0];
	return NULL;
}

static struct hence_error *find_out(const char *path, const struct stat *info,
                                    const struct report_options *report,
                                    enum spectra_formula formula, double until, struct spectra *out,
                                    uint32_t *missed)
{
	struct rank_suite suite = {0};
	struct hence_error *error = rank_suite_read(path, &suite);
	const char *program = NULL;

	if (!error)
		error = rank_suite_run(&suite, report, until);
	if (!error)
		program = find_program(&suite, info);
	if (!error && !program)
		error = error_create(HENCE_ERROR_INPUT,
		                     "--tests: no test in %s runs the program that is to be "
		                     "explained",
		                     path);
	if (!error)
		rank_spectra(&suite, program, formula, out);
	for (uint32_t i = 0; i < suite.tests.size && !error && progress_clock() >= until; i++)
		*missed += suite.tests.at[i].verdict == RANK_UNKNOWN;
	rank_suite_deinit(&suite);
	return error;
}

/* Models are named from where we are. Caller frees them. */
static struct report_options copy_options(const struct report_options *report)
{
	struct report_options copy = *report;

	memset(&copy.run.models, 0, sizeof(copy.run.models));
	for (uint32_t i = 0; i < report->run.models.size; i++)
		*vec_push(&copy.run.models) = rank_absolute(report->run.models.at[i]);
	return copy;
}

struct hence_error *rank_find_spectra(const char *path, const char *program,
                                      const struct report_options *report,
                                      enum spectra_formula formula, double until,
                                      struct spectra *out, uint32_t *missed)
{
	struct report_options options = copy_options(report);
	int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	char *located = NULL;
	struct hence_error *error = executable_locate(program, &located);
	struct stat info;

	if (!error && (here < 0 || stat(located, &info)))
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot look at %s", program);
	if (!error)
		error = find_out(path, &info, &options, formula, until, out, missed);
	if (here >= 0 && fchdir(here) && !error)
		error = error_from_errno(HENCE_ERROR_INTERNAL, "cannot go back");
	if (here >= 0)
		close(here);
	for (uint32_t i = 0; i < options.run.models.size; i++)
		free(options.run.models.at[i]);
	vec_deinit(&options.run.models);
	free(located);
	return error;
}

/* --- as evidence --- */

/* The text of the line, where a suspect does not have it. */
static void add_source(struct explanation_place *at, const char *program)
{
	struct source source;
	const char *text;

	if (at->source)
		return;
	source_init(&source, ".", at->file, program);
	text = source_line(&source, at->line);
	at->source = text ? mem_strdup(text) : NULL;
	source_deinit(&source);
}

void rank_add_spectra(const struct spectra *spectra, enum spectra_formula formula,
                      const char *program, struct explanation *out)
{
	for (uint32_t i = 0; i < spectra->lines.size; i++) {
		const struct spectra_line *line = &spectra->lines.at[i];
		const struct explanation_place at = {
			.file = line->file, .line = line->line, .function = line->function};
		const struct spectra_counts counts = {line->failed, line->passed, spectra->failed,
		                                      spectra->passed};

		/* With one or two runs, what they all execute is next to nothing, and not worth a word. */
		if (spectra->runs && line->passed == spectra->passed)
			continue;
		suspects_add(out, &at, SUSPECT_SPECTRA, spectra_evidence(formula, &counts),
		             reason(spectra, line, formula));
	}
	suspects_settle(out);
	suspects_cut(out);
	for (uint32_t i = 0; i < out->suspects.size; i++)
		add_source(&out->suspects.at[i].at, program);
}
