/* `hence rank`: where to look first, from a test suite and the causes of its failures. See rank.h. */
#include "cli/rank.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "causes/suspects.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/record.h"

static const char help[] =
	"hence rank [OPTIONS] --tests FILE\n"
	"\n"
	"Runs the tests of a file and says where to look first: lines that failing tests execute "
	"and\n"
	"passing ones do not, joined with the causes of a failure, which is explained as hence "
	"explain\n"
	"does it, compared with tests that pass. Programs must have been built with hence cc; "
	"they\n"
	"run confined, so no file of yours is changed. A line of the file is a test:\n"
	"\n"
	"  ./prog ARGS... [< FILE] [=> EXPECTED]\n"
	"\n"
	"EXPECTED is \"the text\\n\" or @FILE with the right output, or one of the words passes "
	"and\n"
	"fails; without it a test passes if it exits with 0. Paths are relative to the folder of "
	"the\n"
	"file. '#' begins a comment.\n"
	"\n"
	"  --tests FILE        the tests\n"
	"  --formula NAME      ochiai, tarantula or dstar\n"
	"  --failing N         explain the failure of test N; otherwise the first one\n"
	"  --no-explain        only what the tests execute\n"
	"  --most N            lines that are shown (10)\n"
	"  --format FORMAT     text, json (--json for short), gcc (for editors)\n"
	"  -o FILE             write to FILE\n"
	"  --color[=WHEN]      auto, always or never\n"
	"  --models FILE       models of further outside functions (may be repeated)\n"
	"  --tape-limit SIZE   most that one process may record, like 500M (8G)\n"
	"  --timeout SECONDS   a run that takes longer hangs (10)\n"
	"  -j N                tests, and experiments, at the same time (one for each core)\n"
	"  --time SECONDS      ends the search for causes\n"
	"  --unconfined        runs may write and connect as the program may; for kernels without\n"
	"                      Landlock\n";

/* --- the command line --- */

static const char *const names[] = {
	"--tests",   "--formula", "--failing", "--no-explain", "--most",
	"--format",  "--json",    "--color",   "--models",     "--tape-limit",
	"--timeout", "--jobs",    "--time",    "--unconfined", "--help",
	"--output",  "-o",        "-h",        "-j",
};

#define NAMES (sizeof(names) / sizeof(*names))

/* Options that commands which explain one failure have, too. */
static bool is_shared(const char *name)
{
	if (!strncmp(name, "-j", 2))
		return true;
	for (size_t i = 5; i < NAMES; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static struct hence_error *take(void *context, struct words *words, const char *name)
{
	struct rank_options *o = context;
	struct hence_error *error = NULL;
	int formula;

	if (!strcmp(name, "--tests"))
		return words_value(words, name, &o->tests);
	if (!strcmp(name, "--failing"))
		return words_number(words, name, &o->failing);
	if (!strcmp(name, "--most"))
		return words_number(words, name, &o->most);
	if (!strcmp(name, "--no-explain")) {
		o->no_explain = true;
		return NULL;
	}
	if (!strcmp(name, "--formula")) {
		error = words_choice(words, name, spectra_names, SPECTRA_FORMULAS, &formula);
		if (!error)
			o->formula = (enum spectra_formula)formula;
		return error;
	}
	if (is_shared(name) && report_options_take(&o->report, words, name, &error))
		return error;
	return words_unknown(words, name, names, NAMES);
}

static struct hence_error *check(const struct rank_options *o, const struct words *words)
{
	if (o->report.help)
		return NULL;
	if (!o->tests)
		return error_create(HENCE_ERROR_INPUT,
		                    "no tests given; use 'hence rank --tests FILE', with a test in "
		                    "each line of the file");
	if (*words->at)
		return error_create(HENCE_ERROR_INPUT,
		                    "'%s': commands stand in the file of --tests, not on the "
		                    "command line",
		                    *words->at);
	return failure_options_check(&o->report.failure);
}

/* Files that the command line names are from where we are now, not from the folder of the tests. */
static void make_absolute(struct rank_options *o)
{
	o->report.out = rank_absolute(o->report.out);
	for (uint32_t i = 0; i < o->report.run.models.size; i++)
		o->report.run.models.at[i] = rank_absolute(o->report.run.models.at[i]);
}

static void release(struct rank_options *o)
{
	free((char *)o->report.out);
	for (uint32_t i = 0; i < o->report.run.models.size; i++)
		free(o->report.run.models.at[i]);
	report_options_deinit(&o->report);
}

/* --- which failure --- */

static const struct rank_test *find_failing(const struct rank_suite *s, const char *program,
                                            bool shows)
{
	for (uint32_t i = 0; i < s->tests.size; i++) {
		const struct rank_test *test = &s->tests.at[i];

		if (test->verdict == RANK_FAILS && (test->shows || !shows) &&
		    (!program || rank_is_of(test, program)))
			return test;
	}
	return NULL;
}

static struct hence_error *choose(const struct rank_options *o, const struct rank_suite *s,
                                  const struct rank_test **out)
{
	const struct rank_test *first = find_failing(s, NULL, true);

	if (o->failing > s->tests.size)
		return error_create(HENCE_ERROR_INPUT, "--failing %llu: %s has %u tests",
		                    (unsigned long long)o->failing, o->tests, s->tests.size);
	if (!first)
		first = find_failing(s, NULL, false);
	if (o->failing && first && s->tests.at[o->failing - 1].verdict != RANK_FAILS)
		return error_create(HENCE_ERROR_INPUT,
		                    "--failing %llu: that test does not fail; "
		                    "test %u does",
		                    (unsigned long long)o->failing,
		                    (unsigned)(first - s->tests.at) + 1);
	*out = o->failing && first ? &s->tests.at[o->failing - 1] : first;
	return NULL;
}

/* --- notes --- */

/* Other programs fail as well. */
static void note_others(struct rank_answer *a)
{
	for (uint32_t i = 0; i < a->suite->tests.size; i++) {
		const struct rank_test *test = &a->suite->tests.at[i];

		if (test->verdict != RANK_FAILS || rank_is_of(test, a->program))
			continue;
		*vec_push(&a->notes) =
			str_format("tests of %s fail as well: --failing %u ranks its lines",
		                   test->test->command.at[0], i + 1);
		return;
	}
}

static void note_tests(struct rank_answer *a)
{
	for (uint32_t i = 0; i < a->suite->tests.size; i++) {
		const struct rank_test *test = &a->suite->tests.at[i];

		if (test->verdict == RANK_FLAKY)
			*vec_push(&a->notes) =
				str_format("test %u is flaky: it %s, so it does not count", i + 1,
			                   test->ended);
		else if (test->verdict == RANK_UNKNOWN)
			*vec_push(&a->notes) =
				str_format("test %u could not be recorded: %s", i + 1, test->ended);
		else if (test->verdict == RANK_FAILS && test->test->expected == SUITE_PASSES)
			*vec_push(&a->notes) = str_format(
				"test %u is said to pass, but the program %s", i + 1, test->ended);
	}
	if (!a->spectra->passed)
		*vec_push(&a->notes) = str_format(
			"no test of %s passes, so what tests execute says little", a->program);
}

/* --- the whole --- */

static struct hence_error *explain(const struct rank_options *o, const struct rank_suite *s,
                                   const struct rank_test *failing, struct rank_answer *a,
                                   struct explanation *out)
{
	unsigned number = (unsigned)(failing - s->tests.at) + 1;
	struct hence_error *error;
	int code = 0;

	if (o->no_explain)
		return NULL;
	if (!failing->shows) {
		*vec_push(&a->notes) = str_format(
			"test %u fails by its word only, so its failure cannot be explained: give "
			"the right output instead, => \"TEXT\" or => @FILE",
			number);
		return NULL;
	}
	error = rank_explain(o, s, failing, a->spectra, out, &code);
	if (error && error->kind == HENCE_ERROR_INTERNAL)
		return error;
	if (error || !out->verdict)
		*vec_push(&a->notes) = str_format("test %u could not be explained%s%s", number,
		                                  error ? ": " : "", error ? error->message : "");
	else
		a->explained = failing;
	error_destroy(error);
	return NULL;
}

static struct hence_error *print(const struct rank_answer *a)
{
	const struct report_options *report = &a->options->report;
	FILE *file;
	struct hence_error *error = record_open(report->out, &file);

	if (error)
		return error;
	if (report->format == REPORT_JSON)
		rank_print_json(a, file);
	else if (report->format == REPORT_GCC)
		rank_print_gcc(a, file);
	else
		rank_print_text(a, file);
	return record_close(report->out, file);
}

static struct hence_error *rank(const struct rank_options *o, const struct rank_suite *s,
                                const struct rank_test *failing, double began, int *code)
{
	struct explanation explanation = {0};
	struct spectra spectra;
	struct rank_answer a = {.options = o,
	                        .suite = s,
	                        .spectra = &spectra,
	                        .program = failing->test->command.at[0],
	                        .explanation = &explanation,
	                        .coloured = words_use_color(o->report.color, o->report.out)};
	struct hence_error *error;

	rank_spectra(s, a.program, o->formula, &spectra);
	note_tests(&a);
	note_others(&a);
	error = explain(o, s, failing, &a, &explanation);
	if (!error) {
		rank_add_spectra(&spectra, o->formula, a.program, &explanation);
		a.seconds = progress_clock() - began;
		*code = explanation.suspects.size ? CLI_DONE : CLI_NOT_PROVEN;
		error = print(&a);
	}
	for (uint32_t i = 0; i < a.notes.size; i++)
		free(a.notes.at[i]);
	vec_deinit(&a.notes);
	explanation_deinit(&explanation);
	spectra_deinit(&spectra);
	return error;
}

/* No test fails, as far as is known. */
static int tell_none(const struct rank_options *o, const struct rank_suite *s)
{
	uint32_t passed = 0;
	bool known = true;

	for (uint32_t i = 0; i < s->tests.size; i++) {
		const struct rank_test *test = &s->tests.at[i];

		passed += test->verdict == RANK_PASSES;
		known &= test->verdict != RANK_UNKNOWN;
		if (test->verdict == RANK_FLAKY || test->verdict == RANK_UNKNOWN)
			fprintf(stderr, "hence: test %u %s %s\n", i + 1,
			        test->verdict == RANK_FLAKY ? "is flaky: it"
			                                    : "could not be recorded:",
			        test->ended);
	}
	fprintf(stderr, "hence: no test of %s %s: %u of %u pass\n", o->tests,
	        known ? "fails" : "is known to fail", passed, s->tests.size);
	return known ? CLI_DOES_NOT_FAIL : CLI_NOT_PROVEN;
}

/* No test reads what we were given. */
static void close_input(void)
{
	int none = open("/dev/null", O_RDONLY);

	if (none > 0) {
		dup2(none, 0);
		close(none);
	}
}

static struct hence_error *perform(struct rank_options *o, int *code)
{
	struct rank_suite suite = {0};
	const struct rank_test *failing = NULL;
	double began = progress_clock();
	struct hence_error *error = run_check_output(o->report.out, "-o", false);

	close_input();
	if (!error)
		error = rank_suite_read(o->tests, &suite);
	if (!error)
		error = rank_suite_run(&suite, &o->report, 0);
	if (!error)
		error = choose(o, &suite, &failing);
	if (!error && failing)
		error = rank(o, &suite, failing, began, code);
	else if (!error)
		*code = tell_none(o, &suite);
	rank_suite_deinit(&suite);
	return error;
}

int command_rank(int argc, char **argv)
{
	struct rank_options o = {
		.most = RANK_MOST,
		.report = {.run = {.tape_limit = RUN_TAPE_LIMIT, .time = RUN_TIME},
	                   .formats = 1 << REPORT_TEXT | 1 << REPORT_JSON | 1 << REPORT_GCC}};
	struct words words = {argv + 1, NULL, "rank"};
	struct hence_error *error = words_read(&words, take, &o);
	int code = 0;

	if (!error)
		error = check(&o, &words);
	make_absolute(&o);
	report_options_choose_format(&o.report);
	if (!error && o.report.help)
		fputs(help, stdout);
	else if (!error)
		error = perform(&o, &code);
	release(&o);
	return error ? cli_fail(error) : code;
}
