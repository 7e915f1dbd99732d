/* The failure of a test, explained against tests that pass: see rank.h. */
#include <stdlib.h>
#include <string.h>

#include "cli/rank.h"

#define MOST_PASSING 50u /* tests that are tried as references: each is run once more */

/* A word for `--pass`, which knows single quotes. */
static void add_quoted(struct str *out, const char *word)
{
	str_add(out, out->length ? " '" : "'");
	for (; *word; word++)
		if (*word == '\'')
			str_add(out, "'\\''");
		else
			str_add_char(out, *word);
	str_add_char(out, '\'');
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_input(const struct suite_test *a, const struct suite_test *b)
{
	if (a->command.size != b->command.size || !same_text(a->input, b->input))
		return false;
	for (uint32_t i = 0; i < a->command.size; i++)
		if (strcmp(a->command.at[i], b->command.at[i]))
			return false;
	return true;
}

/* What `hence explain` is asked, with the texts that options point to. */
struct question {
	struct explain_command command;
	VEC(char *) texts;
	VEC(const struct suite_test *) known;
};

static void add_passing(struct question *q, const struct suite_test *test, bool inputs)
{
	struct failure_options *failure = &q->command.report.failure;
	struct str words = STR_INIT;

	for (uint32_t i = 1; i < test->command.size; i++)
		add_quoted(&words, test->command.at[i]);
	*vec_push(&q->texts) = str_steal(&words);
	*vec_push(&failure->pass) = q->texts.at[q->texts.size - 1];
	if (inputs)
		*vec_push(&failure->pass_inputs) = test->input ? test->input : "/dev/null";
}

/* Does one of them read standard input? Then what each reads is told. */
static bool have_inputs(const struct rank_suite *suite, const struct rank_test *failing)
{
	for (uint32_t i = 0; i < suite->tests.size; i++)
		if (rank_is_of(&suite->tests.at[i], failing->test->command.at[0]) &&
		    suite->tests.at[i].test->input)
			return true;
	return false;
}

static void ask(struct question *q, const struct rank_options *options,
                const struct rank_suite *suite, const struct rank_test *failing)
{
	const struct suite_test *test = failing->test;
	bool inputs = have_inputs(suite, failing);
	struct failure_options *failure;

	*q = (struct question){.command = {.method = EXPLAIN_ALL, .report = options->report}};
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
	q->command.known = q->known.at;
	q->command.known_count = q->known.size;
}

struct hence_error *rank_explain(const struct rank_options *options, const struct rank_suite *suite,
                                 const struct rank_test *failing, const struct spectra *spectra,
                                 struct explanation *out, int *code)
{
	struct question q;
	struct hence_error *error;

	ask(&q, options, suite, failing);
	q.command.spectra = spectra;
	error = explain_find(&q.command, out, code);
	vec_deinit(&q.command.report.failure.pass);
	vec_deinit(&q.command.report.failure.pass_inputs);
	for (uint32_t i = 0; i < q.texts.size; i++)
		free(q.texts.at[i]);
	vec_deinit(&q.texts);
	vec_deinit(&q.known);
	return error;
}
