/* How `hence rank` answers: see rank.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/rank.h"
#include "report/explanation_words.h"
#include "report/json.h"

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

static const char *plural(uint32_t count)
{
	return count == 1 ? "" : "s";
}

/* --- text --- */

static void print_counts(const struct rank_answer *a, FILE *file)
{
	const struct spectra *s = a->spectra;
	struct str text = STR_INIT;

	explanation_add_safe(&text, a->program);
	fprintf(file, "%u test%s of %s: %u fail%s, %u pass%s\n", s->failed + s->passed,
	        plural(s->failed + s->passed), str_text(&text), s->failed,
	        s->failed == 1 ? "s" : "", s->passed, s->passed == 1 ? "es" : "");
	str_deinit(&text);
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

static void print_suspects(const struct rank_answer *a, FILE *file)
{
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
}

/* What the test was compared with. */
static void add_reference(struct str *out, const struct explanation *e)
{
	if (!e->reference.command.size || strcmp(e->reference.kind, "input")) {
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
	        !strcmp(e->verdict, "explained") ? "was explained" : "was not fully explained",
	        str_text(&text), (unsigned long long)e->stats.experiments);
	str_deinit(&text);
}

void rank_print_text(const struct rank_answer *a, FILE *file)
{
	const struct explanation_style style = report_options_style(&a->options->report);

	print_counts(a, file);
	print_failures(a, file);
	explanation_print_text_defect(a->explanation, &style, file);
	if (a->explanation->suspects.size)
		print_suspects(a, file);
	else
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

/* --- for editors --- */

void rank_print_gcc(const struct rank_answer *a, FILE *file)
{
	for (uint32_t i = 0; i < a->explanation->suspects.size && i < a->options->most; i++) {
		const struct explanation_suspect *s = &a->explanation->suspects.at[i];
		struct str text = STR_INIT;

		explanation_add_place(&text, &s->at);
		str_printf(&text, ": warning: suspect %u (%.2f): ", i + 1,
		           fmin(s->score, MOST_SCORE));
		explanation_add_safe(&text, s->why);
		fprintf(file, "%s\n", str_text(&text));
		str_deinit(&text);
	}
}

/* --- JSON --- */

static void open(struct str *out, uint32_t number)
{
	str_add(out, number ? ",{" : "{");
}

static void add_tests(struct str *out, const struct rank_answer *a)
{
	json_add_key(out, "tests");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < a->suite->tests.size; i++) {
		const struct rank_test *test = &a->suite->tests.at[i];

		open(out, i);
		json_add_number(out, "number", i + 1);
		json_add_number(out, "line", test->test->line);
		json_add_texts(out, "command", test->test->command.at, test->test->command.size);
		json_add_known(out, "stdin", test->test->input);
		json_add_member(out, "verdict", verdicts[test->verdict]);
		json_add_known(out, "ended", test->ended);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}

static void add_line(struct str *out, const struct spectra_line *line)
{
	json_add_number(out, "failed", line->failed);
	json_add_number(out, "passed", line->passed);
	json_add_fraction(out, "score", line->score, 4);
	json_add_number(out, "best", line->best);
	json_add_number(out, "worst", line->worst);
}

static void add_spectra(struct str *out, const struct rank_answer *a)
{
	json_add_key(out, "spectra");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < a->spectra->lines.size; i++) {
		const struct spectra_line *line = &a->spectra->lines.at[i];

		open(out, i);
		json_add_member(out, "file", line->file);
		json_add_number(out, "line", line->line);
		json_add_known(out, "function", line->function);
		add_line(out, line);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}

static void add_evidence(struct str *out, const struct explanation_suspect *s)
{
	json_add_key(out, "evidence");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < s->evidence.size; i++) {
		open(out, i);
		json_add_member(out, "kind", s->evidence.at[i].kind);
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

		open(out, i);
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
	json_add_member(out, "verdict", e->verdict);
	json_add_member(out, "reference", str_text(&reference));
	str_deinit(&reference);
	json_add_number(out, "experiments", e->stats.experiments);
	str_add_char(out, '}');
}

void rank_print_json(const struct rank_answer *a, FILE *file)
{
	struct str out = STR_INIT;

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
	add_tests(&out, a);
	add_spectra(&out, a);
	json_add_texts(&out, "notes", a->notes.at, a->notes.size);
	json_add_fraction(&out, "seconds", a->seconds, 2);
	str_add(&out, "}\n");
	fputs(str_text(&out), file);
	str_deinit(&out);
}
