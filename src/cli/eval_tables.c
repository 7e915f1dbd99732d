/* The tables of an evaluation, as Markdown, from its results alone: see eval.h. */
#include <math.h>
#include <string.h>

#include "cli/eval.h"
#include "cli/eval_tables.h"
#include "score/graph.h"
#include "score/metrics.h"

/* --- reading results --- */

double eval_number(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

const char *eval_text(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

bool eval_state_is(const json_t *object, const char *state)
{
	return !strcmp(eval_text(object, "state"), state);
}

const json_t *eval_row(const json_t *one, const char *method)
{
	return json_object_get(json_object_get(one, "methods"), method);
}

bool eval_counts(const json_t *row)
{
	return row && !eval_state_is(row, "does-not-fail") && !eval_state_is(row, "interrupted");
}

void eval_print_cell(FILE *file, const char *text)
{
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		if (*c < ' ' || *c == 127)
			fputc('?', file);
		else if (strchr("|\\`*_<>[]#&", *c))
			fprintf(file, "\\%c", *c);
		else
			fputc(*c, file);
	}
}

/* --- methods: what came of them, and what they cost --- */

static const char *const broken[] = {"refused", "error", "crashed", "bad-output", "timed-out"};

static bool is_broken(const json_t *row)
{
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++)
		if (eval_state_is(row, broken[i]))
			return true;
	return false;
}

static void print_method(const json_t *cases, const char *method, FILE *file)
{
	struct metrics_mean steps = {0}, experiments = {0}, seconds = {0};
	unsigned count = 0, done = 0, unproven = 0, fine = 0, late = 0, wrong = 0;
	const json_t *one;
	size_t i;

	json_array_foreach(cases, i, one)
	{
		const json_t *row = eval_row(one, method);

		if (!row || eval_state_is(row, "interrupted"))
			continue;
		count++;
		done += eval_state_is(row, "done");
		unproven += eval_state_is(row, "not-proven");
		fine += eval_state_is(row, "does-not-fail");
		late += eval_state_is(row, "timed-out");
		wrong += is_broken(row);
		metrics_mean_add(&seconds, eval_number(row, "seconds"));
		if (json_object_get(row, "steps"))
			metrics_mean_add(&steps, eval_number(row, "steps"));
		if (json_object_get(row, "experiments"))
			metrics_mean_add(&experiments, eval_number(row, "experiments"));
	}
	if (!count)
		return;
	fprintf(file, "| %s | %u | %u | %u | %u | %u | %u |", method, count, done, unproven, fine,
	        late, wrong - late);
	if (steps.count)
		fprintf(file, " %.1f |", metrics_mean_of(&steps));
	else
		fputs(" |", file);
	if (experiments.count)
		fprintf(file, " %.0f |", metrics_mean_of(&experiments));
	else
		fputs(" |", file);
	fprintf(file, " %.2f | %.2f |\n", metrics_mean_of(&seconds), seconds.most);
}

static void print_methods(const json_t *cases, FILE *file)
{
	fputs("### Methods\n\n"
	      "| method | cases | done | not proven | do not fail | timed out | went wrong | steps "
	      "| experiments | seconds | slowest |\n"
	      "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
	      file);
	for (unsigned m = 0; m < EVAL_METHODS; m++)
		print_method(cases, eval_method_names[m], file);
}

/* --- suspects --- */

static bool ranks(enum eval_method method)
{
	return method == EVAL_EXPLAIN || method == EVAL_TRANSITIONS || method == EVAL_CHAIN ||
	       method == EVAL_PATCHED || method == EVAL_COMPARE;
}

static void print_rank(const json_t *cases, const char *method, FILE *file)
{
	struct metrics_mean suspects = {0}, examined = {0};
	unsigned count = 0, tops[METRICS_TOPS] = {0}, none = 0;
	const json_t *one;
	size_t i;

	json_array_foreach(cases, i, one)
	{
		const json_t *row = eval_row(one, method);
		double rank = eval_number(row, "rank");

		if (!eval_counts(row))
			continue;
		count++;
		none += rank == 0;
		for (unsigned k = 0; k < METRICS_TOPS; k++)
			tops[k] += rank > 0 && rank <= metrics_tops[k];
		metrics_mean_add(&suspects, eval_number(row, "suspects"));
		metrics_mean_add(&examined, json_object_get(row, "examined_percent")
		                                    ? eval_number(row, "examined_percent")
		                                    : 100);
	}
	if (!count)
		return;
	fprintf(file, "| %s | %u |", method, count);
	for (unsigned k = 0; k < METRICS_TOPS; k++)
		fprintf(file, " %u (%.0f %%) |", tops[k], metrics_percent(tops[k], count));
	fprintf(file, " %u | %.1f | %.1f |\n", none, metrics_mean_of(&suspects),
	        metrics_mean_of(&examined));
}

static bool has_ranks(const json_t *cases)
{
	const json_t *one;
	size_t i;

	json_array_foreach(
		cases, i,
		one) for (unsigned m = 0; m < EVAL_CHOSEN;
	                  m++) if (ranks((enum eval_method)m) &&
	                           eval_counts(eval_row(one, eval_method_names[m]))) return true;
	return false;
}

static void print_ranks(const json_t *cases, FILE *file)
{
	if (!has_ranks(cases))
		return;
	fputs("\n### Where to look first\n\n"
	      "The place of the first faulty line among the suspects; and the part of the "
	      "executable lines that was looked at by then (100 % when "
	      "it is not among them).\n\n| method | cases |",
	      file);
	for (unsigned k = 0; k < METRICS_TOPS; k++)
		fprintf(file, " top %u |", metrics_tops[k]);
	fputs(" not among them | suspects | % of lines "
	      "|\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
	      file);
	for (unsigned m = 0; m < EVAL_CHOSEN; m++)
		if (ranks((enum eval_method)m))
			print_rank(cases, eval_method_names[m], file);
}

/* --- scores --- */

struct distribution {
	unsigned cases, classes[METRICS_CLASSES], none, exact;
	struct metrics_mean score;
};

static void add_score(struct distribution *d, const json_t *score)
{
	/* Results may come from anywhere. */
	double value = fmax(0, fmin(1, eval_number(score, "score")));

	d->cases++;
	if (!score) {
		d->none++;
		return;
	}
	d->classes[metrics_class(value)]++;
	d->exact += json_object_get(score, "distance") && eval_number(score, "distance") == 0;
	metrics_mean_add(&d->score, value);
}

/* All cases in which the method could have found something. */
static void distribute(const json_t *cases, enum score_strategy strategy, struct distribution *out)
{
	const json_t *one;
	size_t i;

	*out = (struct distribution){0};
	json_array_foreach(cases, i, one)
	{
		const json_t *scores = json_object_get(one, "score");

		if (!eval_counts(eval_row(one, "transitions")) || !json_object_get(one, "lines"))
			continue;
		if (strategy == SCORE_INFECTED &&
		    (!scores || !json_is_true(json_object_get(scores, "infected_known"))))
			continue;
		add_score(out, json_object_get(scores, score_strategy_names[strategy]));
	}
}

static void print_part(FILE *file, unsigned part, unsigned whole)
{
	fprintf(file, " %.1f %% (%u) |", metrics_percent(part, whole), part);
}

static void print_scores(const json_t *cases, FILE *file)
{
	struct distribution d[SCORE_STRATEGIES];

	for (unsigned s = 0; s < SCORE_STRATEGIES; s++)
		distribute(cases, (enum score_strategy)s, &d[s]);
	if (!d[SCORE_PLAIN].cases)
		return;
	fputs("\n### Cause transitions: scores over the program dependence graph\n\n"
	      "| score | plain | relevant | infected |\n|---|---:|---:|---:|\n",
	      file);
	for (unsigned k = 0; k < METRICS_CLASSES; k++) {
		fprintf(file, "| %s |", metrics_class_name(k));
		for (unsigned s = 0; s < SCORE_STRATEGIES; s++)
			print_part(file, d[s].classes[k], d[s].cases);
		fputc('\n', file);
	}
	fputs("| nothing is blamed |", file);
	for (unsigned s = 0; s < SCORE_STRATEGIES; s++)
		print_part(file, d[s].none, d[s].cases);
	fputs("\n| the fault itself is blamed |", file);
	for (unsigned s = 0; s < SCORE_STRATEGIES; s++)
		print_part(file, d[s].exact, d[s].cases);
	fputs("\n| average of those with a score |", file);
	for (unsigned s = 0; s < SCORE_STRATEGIES; s++)
		fprintf(file, " %.1f %% |", 100 * metrics_mean_of(&d[s].score));
	fprintf(file, "\n| runs | %u | %u | %u |\n", d[0].cases, d[1].cases, d[2].cases);
}

void eval_print_tables(const json_t *results, FILE *file)
{
	const json_t *cases = json_object_get(results, "cases");

	print_methods(cases, file);
	print_ranks(cases, file);
	print_scores(cases, file);
	eval_print_chops(cases, file);
	eval_print_chains(cases, file);
	eval_print_trees(cases, file);
	eval_print_edits(cases, file);
	eval_print_cases(cases, file);
	eval_print_trouble(cases, file);
}
