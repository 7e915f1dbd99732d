/* `hence rank`: where to look first, from a test suite and the causes of its failures. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/guard.h"
#include "explain/suspects.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/explain.h"
#include "cli/progress.h"
#include "explain/rank_suite.h"
#include "cli/record.h"
#include "report/explanation.h"
#include "report/explanation_words.h"
#include "report/json.h"
#include "spectra/spectra.h"
#include "spectra/suite.h"

#define MOST_SHOWN 10u /* suspects, if nothing else is said */

struct rank_answer {
	const struct options *options;
	const struct rank_suite *suite;
	const struct spectra *spectra;
	const char *program;
	const struct rank_test *explained; /* NULL: none */
	const struct explanation *explanation;
	double seconds;
	VEC(char *) notes;
	bool coloured;
};

/* --- the failure of a test, explained against tests that pass --- */

#define MOST_PASSING 50u /* tests that are tried as references: each is run once more */

static bool same_input(const struct suite_test *a, const struct suite_test *b)
{
	if (a->command.size != b->command.size ||
	    !(a->input && b->input ? !strcmp(a->input, b->input) : a->input == b->input))
		return false;
	for (uint32_t i = 0; i < a->command.size; i++)
		if (strcmp(a->command.at[i], b->command.at[i]))
			return false;
	return true;
}

/* The question for the methods of `hence explain`, with the texts that its options point to. */
struct question {
	struct explain_command command;
	VEC(char *) texts;
	VEC(const struct suite_test *) known;
};

static void add_passing(struct question *q, const struct suite_test *test, bool inputs)
{
	struct failure_options *failure = &q->command.report.failure;
	struct str words = STR_INIT;

	for (uint32_t i = 1; i < test->command.size; i++) {
		str_add(&words, i > 1 ? " " : "");
		str_add_quoted(&words, test->command.at[i]);
	}
	*vec_push(&q->texts) = str_steal(&words);
	*vec_push(&failure->pass) = q->texts.at[q->texts.size - 1];
	if (inputs)
		*vec_push(&failure->pass_inputs) = test->input ? test->input : "/dev/null";
}

/* Does one of them read standard input? Then what each reads is printed. */
static bool have_inputs(const struct rank_suite *suite, const struct rank_test *failing)
{
	for (uint32_t i = 0; i < suite->tests.size; i++)
		if (rank_is_of(&suite->tests.at[i], failing->test->command.at[0]) &&
		    suite->tests.at[i].test->input)
			return true;
	return false;
}

static void ask(struct question *q, const struct options *options, const struct rank_suite *suite,
                const struct rank_test *failing)
{
	const struct suite_test *test = failing->test;
	bool inputs = have_inputs(suite, failing);
	struct failure_options *failure;

	*q = (struct question){.command = {.report = options->report}};
	failure = &q->command.report.failure;
	failure->command = test->command.at;
	failure->input = test->input;
	failure->fixed = true;
	failure->has_status = suite_has_status(test);
	failure->status = test->status;
	if (test->output_file)
		failure->expect = test->output_file;
	else if (test->expected == SUITE_OUTPUT)
		failure->expect_text = str_text(&test->output);
	for (uint32_t i = 0; i < suite->tests.size && failure->pass.size < MOST_PASSING; i++) {
		const struct rank_test *other = &suite->tests.at[i];

		/* What is right for the failing test to exit with is all that the oracle knows. */
		if (other->verdict == RANK_PASSES && rank_is_of(other, test->command.at[0]) &&
		    other->status == test->status && !same_input(other->test, test))
			add_passing(q, other->test, inputs);
	}
	/* Changes of the code are tried on all tests. */
	for (uint32_t i = 0; i < suite->tests.size; i++) {
		const struct rank_test *other = &suite->tests.at[i];

		if (rank_is_of(other, test->command.at[0]) && other != failing &&
		    (other->verdict == RANK_PASSES || other->verdict == RANK_FAILS))
			*vec_push(&q->known) = other->test;
	}
	q->command.question.known = q->known.at;
	q->command.question.known_count = q->known.size;
}

#define MOST_SCORE    0.99 /* that is printed: nothing is certain */
#define MOST_REASONS  4u
#define MOST_FAILURES 5u /* tests that fail and are told one by one */

static const char *const verdicts[] = {
	[RANK_PASSES] = "passes",
	[RANK_FAILS] = "fails",
	[RANK_FLAKY] = "flaky",
	[RANK_UNKNOWN] = "unknown",
};

/* The command of a test, as the file may have it. */
static void add_command(struct str *out, const struct suite_test *test)
{
	for (uint32_t i = 0; i < test->command.size; i++) {
		str_add(out, i ? " " : "");
		failure_words_quote(test->command.at[i], strlen(test->command.at[i]), out);
	}
	if (test->input) {
		str_add(out, " < ");
		failure_words_quote(test->input, strlen(test->input), out);
	}
}

/* --- printing: text --- */

static void print_counts(const struct rank_answer *a, FILE *file)
{
	const struct spectra *s = a->spectra;
	struct str text GUARD(str_deinit) = STR_INIT;

	explanation_add_safe(&text, a->program);
	fprintf(file, "%u test%s of %s: %u fail%s, %u pass%s\n", s->failed + s->passed,
	        s->failed + s->passed == 1 ? "" : "s", str_text(&text), s->failed,
	        s->failed == 1 ? "s" : "", s->passed, s->passed == 1 ? "es" : "");
}

static void print_failures(const struct rank_answer *a, FILE *file)
{
	uint32_t told = 0;

	for (uint32_t i = 0; i < a->suite->tests.size; i++) {
		const struct rank_test *test = &a->suite->tests.at[i];
		struct str text = STR_INIT;

		if (test->verdict != RANK_FAILS || !rank_is_of(test, a->program))
			continue;
		if (told++ >= MOST_FAILURES)
			continue;
		add_command(&text, test->test);
		str_add(&text, ": ");
		explanation_add_safe(&text, test->ended);
		fprintf(file, "  test %u (line %u): %s\n", i + 1, test->test->line,
		        str_text(&text));
		str_deinit(&text);
	}
	if (told > MOST_FAILURES)
		fprintf(file, "  and %u more\n", told - MOST_FAILURES);
}

static void print_place(const struct rank_answer *a, const struct explanation_suspect *s,
                        FILE *file)
{
	const char *bold = a->coloured ? "\033[1m" : "", *plain = a->coloured ? "\033[0m" : "";
	struct str text = STR_INIT;

	explanation_add_place(&text, &s->at);
	fprintf(file, "%s%s%s", bold, str_text(&text), plain);
	str_deinit(&text);
	if (s->at.function) {
		explanation_add_safe(&text, s->at.function);
		fprintf(file, " in %s()", str_text(&text));
		str_deinit(&text);
	}
	fprintf(file, "  (%.2f)\n", fmin(s->score, MOST_SCORE));
	if (s->at.source) {
		explanation_add_safe(&text, s->at.source + strspn(s->at.source, " \t"));
		fprintf(file, "      %s\n", str_text(&text));
		str_deinit(&text);
	}
}

/* What the test was compared with. */
static void add_reference(struct str *out, const struct explanation *e)
{
	if (!e->reference.command.size || e->reference.kind != RECIPE_INPUT) {
		explanation_add_safe(out, e->reference.text ? e->reference.text : "no other run");
		return;
	}
	for (uint32_t i = 0; i < e->reference.command.size; i++) {
		const char *word = e->reference.command.at[i];

		str_add(out, i ? " " : "");
		failure_words_quote(word, strlen(word), out);
	}
	if (e->reference.stdin_file) {
		str_add(out, " < ");
		failure_words_quote(e->reference.stdin_file, strlen(e->reference.stdin_file), out);
	}
}

static void print_explained(const struct rank_answer *a, FILE *file)
{
	const struct explanation *e = a->explanation;
	struct str text = STR_INIT;

	if (!a->explained)
		return;
	add_reference(&text, e);
	fprintf(file, "\ntest %u %s, compared with %s: %llu experiments\n",
	        (unsigned)(a->explained - a->suite->tests.at) + 1,
	        e->verdict == EXPLANATION_EXPLAINED ? "was explained" : "was not fully explained",
	        str_text(&text), (unsigned long long)e->stats.experiments);
	str_deinit(&text);
}

static void rank_print_text(const struct rank_answer *a, FILE *file)
{
	const struct explanation_style style = report_options_style(&a->options->report);

	print_counts(a, file);
	print_failures(a, file);
	explanation_print_text_defect(a->explanation, &style, file);
	if (a->explanation->suspects.size) {
		const struct explanation *e = a->explanation;

		fprintf(file, "\nlook first at\n");
		for (uint32_t i = 0; i < e->suspects.size && i < a->options->most; i++) {
			const struct explanation_suspect *s = &e->suspects.at[i];

			fprintf(file, "%2u. ", i + 1);
			print_place(a, s, file);
			for (uint32_t k = 0; k < s->words.size && k < MOST_REASONS; k++) {
				struct str text = STR_INIT;

				explanation_add_safe(&text, s->words.at[k]);
				fprintf(file, "    - %s\n", str_text(&text));
				str_deinit(&text);
			}
		}
	} else
		fprintf(file, "\nnothing is known of the lines that they execute\n");
	print_explained(a, file);
	if (a->notes.size)
		fprintf(file, "\nto be known\n");
	for (uint32_t i = 0; i < a->notes.size; i++) {
		struct str text = STR_INIT;

		explanation_add_safe(&text, a->notes.at[i]);
		fprintf(file, "- %s\n", str_text(&text));
		str_deinit(&text);
	}
	fprintf(file, "\n%.2f seconds\n", a->seconds);
}

/* --- printing: JSON --- */

static void open_object(struct str *out, uint32_t number)
{
	str_add(out, number ? ",{" : "{");
}

static void add_line(struct str *out, const struct spectra_line *line)
{
	json_add_number(out, "failed", line->failed);
	json_add_number(out, "passed", line->passed);
	json_add_fraction(out, "score", line->score, 4);
	json_add_number(out, "best", line->best);
	json_add_number(out, "worst", line->worst);
}

static void add_evidence(struct str *out, const struct explanation_suspect *s)
{
	json_add_key(out, "evidence");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < s->evidence.size; i++) {
		open_object(out, i);
		json_add_member(out, "kind", suspect_row_names[s->evidence.at[i].kind]);
		json_add_fraction(out, "weight", s->evidence.at[i].weight, 3);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}

static void add_suspects(struct str *out, const struct rank_answer *a)
{
	json_add_key(out, "suspects");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < a->explanation->suspects.size; i++) {
		const struct explanation_suspect *s = &a->explanation->suspects.at[i];
		const struct spectra_line *line = spectra_find(a->spectra, s->at.file, s->at.line);

		open_object(out, i);
		explanation_add_place_json(out, &s->at);
		json_add_fraction(out, "score", s->score, 2);
		json_add_known(out, "why", s->why);
		json_add_known(out, "source", s->at.source);
		add_evidence(out, s);
		if (line) {
			json_add_key(out, "spectra");
			str_add_char(out, '{');
			add_line(out, line);
			str_add_char(out, '}');
		}
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}

static void add_explained(struct str *out, const struct rank_answer *a)
{
	const struct explanation *e = a->explanation;
	struct str reference = STR_INIT;

	if (!a->explained)
		return;
	add_reference(&reference, e);
	json_add_key(out, "explained");
	str_add_char(out, '{');
	json_add_number(out, "test", (unsigned)(a->explained - a->suite->tests.at) + 1);
	json_add_member(out, "verdict", explanation_verdict_names[e->verdict]);
	json_add_member(out, "reference", str_text(&reference));
	str_deinit(&reference);
	json_add_number(out, "experiments", e->stats.experiments);
	str_add_char(out, '}');
}

static void rank_print_json(const struct rank_answer *a, FILE *file)
{
	struct str out GUARD(str_deinit) = STR_INIT;

	str_add_char(&out, '{');
	json_add_number(&out, "hence", EXPLANATION_VERSION);
	json_add_member(&out, "program", a->program);
	json_add_member(&out, "formula", spectra_names[a->options->formula]);
	json_add_number(&out, "failing", a->spectra->failed);
	json_add_number(&out, "passing", a->spectra->passed);
	add_suspects(&out, a);
	add_explained(&out, a);
	if (explanation_sought_fixes(a->explanation))
		explanation_add_fixes_json(&out, a->explanation);
	json_add_key(&out, "tests");
	str_add_char(&out, '[');
	for (uint32_t i = 0; i < a->suite->tests.size; i++) {
		const struct rank_test *test = &a->suite->tests.at[i];

		open_object(&out, i);
		json_add_number(&out, "number", i + 1);
		json_add_number(&out, "line", test->test->line);
		json_add_texts(&out, "command", test->test->command.at, test->test->command.size);
		json_add_known(&out, "stdin", test->test->input);
		json_add_member(&out, "verdict", verdicts[test->verdict]);
		json_add_known(&out, "ended", test->ended);
		str_add_char(&out, '}');
	}
	str_add_char(&out, ']');
	json_add_key(&out, "spectra");
	str_add_char(&out, '[');
	for (uint32_t i = 0; i < a->spectra->lines.size; i++) {
		const struct spectra_line *line = &a->spectra->lines.at[i];

		open_object(&out, i);
		json_add_member(&out, "file", line->file);
		json_add_number(&out, "line", line->line);
		json_add_known(&out, "function", line->function);
		add_line(&out, line);
		str_add_char(&out, '}');
	}
	str_add_char(&out, ']');
	json_add_texts(&out, "notes", a->notes.at, a->notes.size);
	json_add_fraction(&out, "seconds", a->seconds, 2);
	str_add(&out, "}\n");
	fputs(str_text(&out), file);
}

/* --- which failure is explained --- */

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

static struct hence_error *choose(const struct options *o, const struct rank_suite *s,
                                  const struct rank_test **out)
{
	const struct rank_test *first = find_failing(s, NULL, true);

	if (o->failing > s->tests.size)
		return error_create(HENCE_ERROR_INPUT, "--failing %llu: %s has %u tests",
		                    (unsigned long long)o->failing, o->tests, s->tests.size);
	if (!first)
		first = find_failing(s, NULL, false);
	if (o->failing && first && s->tests.at[o->failing - 1].verdict != RANK_FAILS)
		return error_create(
			HENCE_ERROR_INPUT, "--failing %llu: that test does not fail; test %u does",
			(unsigned long long)o->failing, (unsigned)(first - s->tests.at) + 1);
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

/* --- the command --- */

static struct hence_error *explain(const struct options *o, const struct rank_suite *s,
                                   const struct rank_test *failing, struct rank_answer *a,
                                   struct explanation *out)
{
	unsigned number = (unsigned)(failing - s->tests.at) + 1;
	struct hence_error *error;
	int code = 0;
	struct question q;

	if (o->no_explain)
		return NULL;
	if (!failing->shows) {
		*vec_push(&a->notes) =
			str_format("only the file says that test %u fails, so its failure cannot "
		                   "be explained: give "
		                   "the right output instead, => \"TEXT\" or => @FILE",
		                   number);
		return NULL;
	}
	/* Explains the failure of a test, compared with tests of the same program that pass. *code is the exit code. Caller frees
	   with explanation_deinit(). */
	ask(&q, o, s, failing);
	q.command.question.spectra = a->spectra;
	explain_command_ready(&q.command);
	error = explain_ask(&q.command, out, &code);
	vec_deinit(&q.command.report.failure.pass);
	vec_deinit(&q.command.report.failure.pass_inputs);
	vec_free(&q.texts);
	vec_deinit(&q.known);
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
	else if (report->format == REPORT_GCC) {
		for (uint32_t i = 0; i < a->explanation->suspects.size && i < a->options->most;
		     i++) {
			const struct explanation_suspect *s = &a->explanation->suspects.at[i];
			struct str text = STR_INIT;

			explanation_add_place(&text, &s->at);
			str_printf(&text, ": warning: suspect %u (%.2f): ", i + 1,
			           fmin(s->score, MOST_SCORE));
			explanation_add_safe(&text, s->why);
			fprintf(file, "%s\n", str_text(&text));
			str_deinit(&text);
		}
	} else
		rank_print_text(a, file);
	return record_close(report->out, file);
}

static struct hence_error *rank(const struct options *o, const struct rank_suite *s,
                                const struct rank_test *failing, double began, int *code)
{
	struct explanation explanation = {0};
	struct spectra spectra;
	struct rank_answer a = {.options = o,
	                        .suite = s,
	                        .spectra = &spectra,
	                        .program = failing->test->command.at[0],
	                        .explanation = &explanation,
	                        .coloured = report_use_color(o->report.color, o->report.out)};
	struct hence_error *error;

	rank_spectra(s, a.program, (enum spectra_formula)o->formula, &spectra);
	note_tests(&a);
	note_others(&a);
	error = explain(o, s, failing, &a, &explanation);
	if (!error) {
		rank_add_spectra(&spectra, (enum spectra_formula)o->formula, a.program,
		                 &explanation);
		a.seconds = budget_clock() - began;
		*code = explanation.suspects.size ? CLI_DONE : CLI_NOT_PROVEN;
		error = print(&a);
	}
	vec_free(&a.notes);
	explanation_deinit(&explanation);
	spectra_deinit(&spectra);
	return error;
}

/* No test fails, as far as is known. */
static int tell_none(const struct options *o, const struct rank_suite *s)
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

static struct hence_error *rank_tests(struct options *o, int *code)
{
	struct search search = {0};
	const struct suite_how how = {&o->report.failure, &o->report.run, &search.budget};
	struct rank_suite suite = {0};
	const struct rank_test *failing = NULL;
	double began = budget_clock();
	struct hence_error *error;
	int none;

	if (!o->tests)
		return error_create(HENCE_ERROR_INPUT,
		                    "no tests given; use 'hence rank --tests FILE', with a test in "
		                    "each line of the file");
	if (*o->words)
		return error_create(
			HENCE_ERROR_INPUT,
			"'%s': commands stand in the file of --tests, not on the command line",
			*o->words);
	/* Files that the command line names are from where we are now, not from the folder of the tests. */
	if (o->report.out)
		o->report.out = *vec_push(&o->texts) = rank_absolute(o->report.out);
	for (uint32_t i = 0; i < o->report.run.models.size; i++)
		o->report.run.models.at[i] = *vec_push(&o->texts) =
			rank_absolute(o->report.run.models.at[i]);
	if (!o->most)
		o->most = MOST_SHOWN;
	error = run_check_output(o->report.out, "-o", false);
	/* No test reads what we were given. */
	none = open("/dev/null", O_RDONLY);
	if (none > 0) {
		dup2(none, 0);
		close(none);
	}
	progress_watch(&search);
	if (!error)
		error = rank_suite_read(o->tests, &suite);
	if (!error)
		error = rank_suite_run(&suite, &how, 0);
	if (!error)
		error = choose(o, &suite, &failing);
	if (!error && failing)
		error = rank(o, &suite, failing, began, code);
	else if (!error)
		*code = tell_none(o, &suite);
	rank_suite_deinit(&suite);
	return error;
}

const struct command command_rank = {
	.name = "rank",
	.bit = COMMAND_RANK,
	.formats = REPORT_LISTS,
	.usage = "hence rank [OPTIONS] --tests FILE",
	.summary = "say where to look first, from a test suite and the causes of its failures",
	.about = "Runs the tests of a file and says where to look first: lines that failing tests "
		 "execute and passing ones do not, joined with the causes of a failure, which is "
		 "explained as hence explain does it, compared with tests that pass. Programs must "
		 "have been built with hence cc; they run confined, so no file of yours is "
		 "changed. A line of the file is a test:\n"
		 "\n"
		 "  ./prog ARGS... [< FILE] [=> EXPECTED]\n"
		 "\n"
		 "EXPECTED is \"the text\\n\" or @FILE with the right output, or one of the words "
		 "passes and fails; without it a test passes if it exits with 0. Paths are "
		 "relative to the folder of the file. '#' begins a comment.",
	.run = rank_tests,
};
