/* The tests of a file, run and recorded: see rank_suite.h. */
#include "explain/rank_suite.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/guard.h"
#include "explain/suspects.h"
#include "explain/recorded.h"
#include "report/source.h"
#include "run/executable.h"
#include "spectra/executed.h"
#include "trial/oracle.h"

#define RANK_TIMEOUT 10.0 /* seconds for a run of a test, if nothing else is said */

/* Runs a test in a process of its own, which writes to `pipe` what rank_one_read() reads, and ends. */
struct rank_one {
	const struct suite_test *test;
	const struct suite_how *how;
};

/* --- one test, recorded in a process of its own --- */

#define HANG_TAPE (1ull << 20) /* bytes that are recorded of a run that does not end */

/* What is made of a test. What is written is a list of texts, each with a zero byte after it: a letter says what
   it is. */
struct one {
	const struct suite_test *test;
	const struct suite_how *how;
	struct input input;
	struct trials_options trials;
	struct oracle_options oracle;
	struct trial_result first, second;
	struct run_options run_options;
	struct run run;
	struct str out;
};

static void write_text(struct one *o, char letter, const char *text)
{
	str_add_char(&o->out, letter);
	str_add(&o->out, text);
	str_add_char(&o->out, '\0');
}

/* --- one test: the run --- */

static struct hence_error *make_input(struct one *o)
{
	for (uint32_t i = 1; i < o->test->command.size; i++) {
		const char *word = o->test->command.at[i];

		input_add_bytes(&o->input, INPUT_ARGUMENT, NULL, word, strlen(word));
	}
	if (!o->test->input)
		return NULL;
	return input_add_file(&o->input, INPUT_STDIN, NULL, o->test->input);
}

static struct hence_error *record(struct one *o)
{
	struct trials *trials;
	struct hence_error *error = trials_create(&o->trials, &trials, &o->first);

	if (error)
		return error;
	if (o->first.outcome.kind == OUTCOME_TIMED_OUT)
		error = session_limit(&o->run.session, HANG_TAPE);
	if (!error)
		error = trials_record(trials, &o->input, o->run.session.path, &o->second);
	trials_destroy(trials);
	return error;
}

static struct hence_error *run(struct one *o)
{
	const struct run_end end = {0, &o->second.outcome};
	struct hence_error *error = make_input(o);

	if (!error)
		error = run_begin(&o->run);
	o->trials.program = o->run.program.path;
	if (!error)
		error = record(o);
	return error ? error : run_finish(&o->run, &end, 1);
}

/* --- one test: the verdict --- */

static void write_ended(struct one *o, const struct outcome *outcome)
{
	struct str text GUARD(str_deinit) = STR_INIT;

	outcome_write_text(outcome, &text);
	write_text(o, 'e', str_text(&text));
}

/* Is it as the test says? */
static bool fails(const struct one *o, const struct trial_result *result)
{
	struct oracle oracle;

	if (o->test->expected == SUITE_FAILS)
		return true;
	if (o->test->expected == SUITE_PASSES)
		return result->outcome.kind != OUTCOME_EXITED;
	if (!oracle_create(&o->oracle, result, &oracle))
		return false;
	oracle_deinit(&oracle);
	return true;
}

static void write_failure(struct one *o)
{
	struct oracle oracle;
	struct str text = STR_INIT;

	if (!oracle_create(&o->oracle, &o->first, &oracle)) {
		write_ended(o, &o->first.outcome);
		return;
	}
	oracle_write_text(&oracle, &text);
	write_text(o, 'e', str_text(&text));
	write_text(o, 's', "");
	str_deinit(&text);
	oracle_deinit(&oracle);
}

/* --- one test: its lines --- */

static void write_line(void *context, const char *file, unsigned line, const char *function)
{
	struct one *o = context;
	char number[32];

	write_text(o, 'f', file);
	write_text(o, 'n', function);
	snprintf(number, sizeof(number), "%u", line);
	write_text(o, 'l', number);
}

/* --- one test: all of it, written to a pipe --- */

static void init(struct one *o, const struct rank_one *one)
{
	double timeout = one->how->failure->timeout;

	*o = (struct one){.test = one->test,
	                  .how = one->how,
	                  .run_options = *one->how->run,
	                  .first = {.test = -1},
	                  .second = {.test = -1},
	                  .run = {.input = -1, .output = -1}};
	o->run_options.command = one->test->command.at;
	o->run.options = &o->run_options;
	o->trials = (struct trials_options){.name = one->test->command.at[0],
	                                    .input = &o->input,
	                                    .workers = 1,
	                                    .timeout = timeout > 0 ? timeout : RANK_TIMEOUT,
	                                    .plain = true,
	                                    .unconfined = one->how->failure->unconfined};
	if (one->test->expected == SUITE_OUTPUT)
		o->oracle.expected = &one->test->output;
	o->oracle.has_status = suite_has_status(one->test);
	o->oracle.status = one->test->status;
	o->oracle.line = !one->test->output_file;
}

static void rank_one_run(const struct rank_one *one, int pipe)
{
	struct one o;
	struct hence_error *error;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	init(&o, one);
	error = run(&o);
	if (!error) {
		bool failed;
		char status[32];
		struct modules *modules;

		failed = fails(&o, &o.first);
		if (failed != fails(&o, &o.second)) {
			write_text(&o, 'v', "flaky");
			write_text(&o, 'e', "passes and fails by turns");
		} else if (failed) {
			write_text(&o, 'v', "fails");
			write_failure(&o);
		} else {
			write_text(&o, 'v', "passes");
			write_ended(&o, &o.first.outcome);
			snprintf(status, sizeof(status), "%d", o.first.outcome.status);
			write_text(&o, 'x', status);
		}
		/* All processes of the test are asked. */
		modules = modules_create();
		for (uint32_t i = 0; i < o.run.recorded.size && !error; i++) {
			struct walk_place death;
			struct recording tape;

			if (o.run.recorded.at[i].tape->condition != TAPE_GOOD)
				continue;
			tape = record_slice_run(&o.run, &o.run.recorded.at[i], modules, &death);
			error = executed_lines(&tape, write_line, &o);
		}
		modules_destroy(modules);
	}
	if (error) {
		str_deinit(&o.out);
		write_text(&o, 'v', "unknown");
		write_text(&o, 'e', error->message);
	}
	write_text(&o, '.', "");
	run_deinit(&o.run);
	for (size_t at = 0; at < o.out.length;) {
		ssize_t put = write(pipe, o.out.text + at, o.out.length - at);

		if (put <= 0)
			_exit(1);
		at += (size_t)put;
	}
	_exit(0);
}

/* --- one test: reading what was written --- */

static enum rank_verdict verdict_of(const char *name)
{
	return !strcmp(name, "passes")  ? RANK_PASSES
	       : !strcmp(name, "fails") ? RANK_FAILS
	       : !strcmp(name, "flaky") ? RANK_FLAKY
	                                : RANK_UNKNOWN;
}

/* Takes what it has written. False: that is not complete; it died. */
static bool rank_one_read(const struct str *bytes, struct rank_test *out)
{
	struct rank_line line = {0};
	size_t size;

	for (size_t at = 0; at < bytes->length; at += size) {
		const char *text = bytes->text + at + 1;

		size = strlen(bytes->text + at) + 1;
		switch (bytes->text[at]) {
		case 'v': out->verdict = verdict_of(text); break;
		case 's': out->shows = true; break;
		case 'e': out->ended = mem_strdup(text); break;
		case 'x': out->status = atoi(text); break;
		case 'f': line.file = mem_strdup(text); break;
		case 'n': line.function = mem_strdup(text); break;
		case 'l':
			line.line = (unsigned)strtoul(text, NULL, 10);
			*vec_push(&out->lines) = line;
			line = (struct rank_line){0};
			break;
		case '.': return true;
		}
	}
	free(line.file);
	free(line.function);
	return false;
}

/* --- a suite: reading its file --- */

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
	struct str text GUARD(str_deinit) = STR_INIT;
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

/* --- a suite: running it --- */

/* A process at work. */
struct job {
	uint32_t test;
	pid_t child;
	int pipe;
	struct str bytes;
};

struct jobs {
	struct rank_suite *suite;
	const struct suite_how *how;
	VEC(struct job) running;
	uint32_t next, done;
};

static struct hence_error *start(struct jobs *j)
{
	const struct rank_one one = {&j->suite->suite.tests.at[j->next], j->how};
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
			else if (got == 0 || errno != EINTR) {
				struct job *job = &j->running.at[i];
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
		}
	free(all);
}

struct hence_error *rank_suite_run(struct rank_suite *s, const struct suite_how *how, double until)
{
	struct jobs j = {.suite = s, .how = how};
	uint64_t most = how->failure->jobs;
	char phase[64];
	struct hence_error *error = NULL;

	if (!most)
		most = trials_cores();
	for (uint32_t i = 0; i < s->suite.tests.size; i++)
		vec_push(&s->tests)->test = &s->suite.tests.at[i];
	while (j.done < s->tests.size && !error) {
		while (!error && j.next < s->tests.size && j.running.size < most)
			error = start(&j);
		snprintf(phase, sizeof(phase), "tests: %u of %u", j.done, s->tests.size);
		budget_show(how->budget, 0, phase);
		if (j.running.size)
			attend(&j);
		if (until > 0 && budget_clock() >= until) {
			/* Nothing more is started, and what runs is ended. */
			for (uint32_t i = 0; i < j.running.size; i++)
				kill(j.running.at[i].child, SIGTERM);
			for (; j.next < j.suite->tests.size; j.next++) {
				j.suite->tests.at[j.next].verdict = RANK_UNKNOWN;
				j.suite->tests.at[j.next].ended =
					mem_strdup("there was no time left to run it");
				j.done++;
			}
			break;
		}
	}
	while (j.running.size)
		attend(&j);
	budget_hide(how->budget);
	vec_deinit(&j.running);
	return error;
}

/* --- spectra of its tests --- */

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

	if (spectra->runs && line->passed)
		return str_format("only %u of %u passing runs execute it", line->passed,
		                  spectra->passed);
	if (spectra->runs)
		return mem_strdup(spectra->passed == 1 ? "the passing run does not execute it"
		                                       : "no passing run executes it");
	return str_format("executed by %u of %u failing and %u of %u passing tests (%s %.2f)",
	                  line->failed, spectra->failed, line->passed, spectra->passed,
	                  names[formula], line->score);
}

/* --- spectra for an explanation --- */

bool rank_is_file(const char *name, const struct stat *info)
{
	struct stat other;
	char *path GUARD_FREE = NULL;
	struct hence_error *error = executable_locate(name, &path);
	bool same = !error && !stat(path, &other) && other.st_dev == info->st_dev &&
	            other.st_ino == info->st_ino;

	error_destroy(error);
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
                                    const struct suite_how *how, enum spectra_formula formula,
                                    double until, struct spectra *out, uint32_t *missed)
{
	struct rank_suite suite = {0};
	struct hence_error *error = rank_suite_read(path, &suite);
	const char *program = NULL;

	if (!error)
		error = rank_suite_run(&suite, how, until);
	if (!error)
		program = find_program(&suite, info);
	if (!error && !program)
		error = error_create(HENCE_ERROR_INPUT,
		                     "--tests: no test in %s runs the program that is to be "
		                     "explained",
		                     path);
	if (!error)
		rank_spectra(&suite, program, formula, out);
	for (uint32_t i = 0; i < suite.tests.size && !error && budget_clock() >= until; i++)
		*missed += suite.tests.at[i].verdict == RANK_UNKNOWN;
	rank_suite_deinit(&suite);
	return error;
}

struct hence_error *rank_find_spectra(const char *path, const char *program,
                                      const struct suite_how *how, enum spectra_formula formula,
                                      double until, struct spectra *out, uint32_t *missed)
{
	struct run_options run = *how->run;
	const struct suite_how from_there = {how->failure, &run, how->budget};
	int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	char *located GUARD_FREE = NULL;
	struct hence_error *error = executable_locate(program, &located);
	struct stat info;

	if (!error && (here < 0 || stat(located, &info)))
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot look at %s", program);
	/* Models are named from where we are. */
	memset(&run.models, 0, sizeof(run.models));
	for (uint32_t i = 0; i < how->run->models.size; i++)
		*vec_push(&run.models) = rank_absolute(how->run->models.at[i]);
	if (!error)
		error = find_out(path, &info, &from_there, formula, until, out, missed);
	if (here >= 0 && fchdir(here) && !error)
		error = error_from_errno(HENCE_ERROR_INTERNAL, "cannot go back");
	if (here >= 0)
		close(here);
	vec_free(&run.models);
	return error;
}

/* --- lines that tests execute, as evidence --- */

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
		double evidence = spectra_evidence(formula, &counts);

		/* Given runs are few: one that passes says half as much as many. What all execute is not worth a word. */
		if (spectra->runs && line->passed == spectra->passed)
			continue;
		if (spectra->runs)
			evidence *= spectra->passed / (spectra->passed + 1.0);
		suspects_add(out, &at, SUSPECT_SPECTRA, evidence, reason(spectra, line, formula));
	}
	suspects_settle(out);
	suspects_cut(out);
	for (uint32_t i = 0; i < out->suspects.size; i++)
		add_source(&out->suspects.at[i].at, program);
}
