/* One test, recorded in a process of its own: see rank.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <signal.h>
#include <unistd.h>

#include "cli/rank.h"
#include "cli/record.h"
#include "spectra/executed.h"
#include "trial/oracle.h"

#define HANG_TAPE (1ull << 20) /* bytes that are recorded of a run that does not end */

/* What is made of a test. What is written is a list of texts, each with a zero byte behind it: a letter says what
   it is. */
struct one {
	const struct suite_test *test;
	const struct report_options *report;
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

/* --- the run --- */

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

/* --- the verdict --- */

static void write_ended(struct one *o, const struct outcome *outcome)
{
	struct str text = STR_INIT;

	outcome_write_text(outcome, &text);
	write_text(o, 'e', str_text(&text));
	str_deinit(&text);
}

static bool died(const struct outcome *outcome)
{
	return outcome->kind != OUTCOME_EXITED;
}

/* Is it as the test says? */
static bool fails(const struct one *o, const struct trial_result *result)
{
	struct oracle oracle;

	if (o->test->expected == SUITE_FAILS)
		return true;
	if (o->test->expected == SUITE_PASSES)
		return died(&result->outcome);
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

static void judge(struct one *o)
{
	bool failed = fails(o, &o->first);
	char status[32];

	if (failed != fails(o, &o->second)) {
		write_text(o, 'v', "flaky");
		write_text(o, 'e', "passes and fails by turns");
	} else if (failed) {
		write_text(o, 'v', "fails");
		write_failure(o);
	} else {
		write_text(o, 'v', "passes");
		write_ended(o, &o->first.outcome);
		snprintf(status, sizeof(status), "%d", o->first.outcome.status);
		write_text(o, 'x', status);
	}
}

/* --- its lines --- */

static void tell(void *context, const char *file, unsigned line, const char *function)
{
	struct one *o = context;
	char number[32];

	write_text(o, 'f', file);
	write_text(o, 'n', function);
	snprintf(number, sizeof(number), "%u", line);
	write_text(o, 'l', number);
}

/* All processes of the test are asked. */
static struct hence_error *list_lines(struct one *o)
{
	struct modules *modules = modules_create();
	struct hence_error *error = NULL;

	for (uint32_t i = 0; i < o->run.recorded.size && !error; i++) {
		struct walk_place death;
		struct recording tape;

		if (o->run.recorded.at[i].tape->condition != TAPE_GOOD)
			continue;
		tape = record_slice_run(&o->run, &o->run.recorded.at[i], modules, &death);
		error = executed_lines(&tape, tell, o);
	}
	modules_destroy(modules);
	return error;
}

/* --- the whole --- */

static void init(struct one *o, const struct rank_one *one)
{
	double timeout = one->report->failure.timeout;

	*o = (struct one){.test = one->test,
	                  .report = one->report,
	                  .run_options = one->report->run,
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
	                                    .unconfined = one->report->failure.unconfined};
	if (one->test->expected == SUITE_OUTPUT)
		o->oracle.expected = &one->test->output;
	o->oracle.has_status = suite_has_status(one->test);
	o->oracle.status = one->test->status;
	o->oracle.line = !one->test->output_file;
}

static void write_all(const struct str *bytes, int pipe)
{
	for (size_t at = 0; at < bytes->length;) {
		ssize_t put = write(pipe, bytes->text + at, bytes->length - at);

		if (put <= 0)
			_exit(1);
		at += (size_t)put;
	}
}

void rank_one_run(const struct rank_one *one, int pipe)
{
	struct one o;
	struct hence_error *error;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	init(&o, one);
	error = run(&o);
	if (!error) {
		judge(&o);
		error = list_lines(&o);
	}
	if (error) {
		str_deinit(&o.out);
		write_text(&o, 'v', "unknown");
		write_text(&o, 'e', error->message);
	}
	write_text(&o, '.', "");
	run_deinit(&o.run);
	write_all(&o.out, pipe);
	_exit(0);
}

/* --- who reads it --- */

static enum rank_verdict verdict_of(const char *name)
{
	return !strcmp(name, "passes")  ? RANK_PASSES
	       : !strcmp(name, "fails") ? RANK_FAILS
	       : !strcmp(name, "flaky") ? RANK_FLAKY
	                                : RANK_UNKNOWN;
}

bool rank_one_read(const struct str *bytes, struct rank_test *out)
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
