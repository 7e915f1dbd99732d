/* The tables of an evaluation, as Markdown, from its results alone: see eval.h. */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "research/eval.h"
#include "research/score_graph.h"
#include "research/metrics.h"

/* --- reading results --- */

/* A member of an object; 0 or "" when it is not there. */
static double eval_number(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

static const char *eval_text(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static bool eval_state_is(const json_t *object, const char *state)
{
	return !strcmp(eval_text(object, "state"), state);
}

/* The row of a method in a case; NULL: it was not asked. */
static const json_t *eval_row(const json_t *one, const char *method)
{
	return json_object_get(json_object_get(one, "methods"), method);
}

/* Does the row count? It does not if the program did not fail, or the evaluation was interrupted. */
static bool eval_counts(const json_t *row)
{
	return row && !eval_state_is(row, "does-not-fail") && !eval_state_is(row, "interrupted");
}

/* A text so that it stays in its cell, and is nothing but text. */
static void eval_print_cell(FILE *file, const char *text)
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

/* --- chops and slices --- */

struct lines_row {
	const char *title, *method;
	const char *size; /* of the object 'sizes'; NULL: the listed lines, with their statements */
};

static const struct lines_row lines_rows[] = {
	{"executed", "slice", "executed"},
	{"backward slice", "slice", NULL},
	{"relevant slice", "relevant", NULL},
	{"executed, reduced input", "chop", "executed"},
	{"backward slice, reduced input", "chop", "backward"},
	{"chop", "chop", NULL},
	{"of it: from the input to the failure", "chop", "chop"},
};

static bool has_row(const json_t *cases, const char *method)
{
	const json_t *one;
	size_t i;

	json_array_foreach(cases, i, one) if (eval_counts(eval_row(one, method))) return true;
	return false;
}

static void eval_print_chops(const json_t *cases, FILE *file)
{
	if (!has_row(cases, "chop") && !has_row(cases, "slice") && !has_row(cases, "relevant"))
		return;
	fputs("\n### Slices and chops\n\n"
	      "| | cases | lines | % of the executed | statements | with the fault |\n"
	      "|---|---:|---:|---:|---:|---:|\n",
	      file);
	for (size_t i = 0; i < sizeof(lines_rows) / sizeof(*lines_rows); i++) {
		const struct lines_row *kind = &lines_rows[i];
		struct metrics_mean lines = {0}, part = {0}, statements = {0};
		unsigned count = 0, has = 0;
		const json_t *one;
		double size;
		size_t j;

		json_array_foreach(cases, j, one)
		{
			const json_t *row = eval_row(one, kind->method),
				     *sizes = json_object_get(row, "sizes");

			if (!eval_counts(row))
				continue;
			count++;
			has += json_is_true(json_object_get(row, "has_fault"));
			if (!sizes)
				continue;
			size = kind->size ? eval_number(sizes, kind->size)
			                  : eval_number(row, "listed");
			metrics_mean_add(&lines, size);
			metrics_mean_add(&part,
			                 metrics_percent(size, eval_number(sizes, "executed")));
			metrics_mean_add(&statements, eval_number(row, "statements"));
		}
		if (!count)
			continue;
		fprintf(file, "| %s | %u | %.1f | %.1f |", kind->title, count,
		        metrics_mean_of(&lines), metrics_mean_of(&part));
		if (!kind->size)
			fprintf(file, " %.1f | %u (%.0f %%) |\n", metrics_mean_of(&statements), has,
			        metrics_percent(has, count));
		else
			fputs(" | |\n", file);
	}
}

/* --- chains against the ideal ones --- */

struct chain_sums {
	unsigned cases, none, roots, compared;
	struct metrics_mean coverage, relevance, distance, steps, experiments, seconds;
};

static void add_chain(struct chain_sums *sums, const json_t *row, bool ideal)
{
	const json_t *quality = json_object_get(row, "quality");

	if (!eval_state_is(row, "done")) {
		sums->none++;
		return;
	}
	sums->cases++;
	metrics_mean_add(&sums->steps, eval_number(row, "steps"));
	metrics_mean_add(&sums->experiments, eval_number(row, "experiments"));
	metrics_mean_add(&sums->seconds, eval_number(row, "seconds"));
	if (ideal) {
		sums->compared++;
		sums->roots += json_is_true(json_object_get(row, "begins_at_fault"));
	}
	if (!quality)
		return;
	sums->compared++;
	sums->roots += json_is_true(json_object_get(quality, "root"));
	metrics_mean_add(&sums->coverage, eval_number(quality, "coverage"));
	metrics_mean_add(&sums->relevance, eval_number(quality, "relevance"));
	metrics_mean_add(&sums->distance, eval_number(quality, "edit_distance"));
}

/* The reference of a chain: a passing command if the case has one. */
static bool is_about(const json_t *one, const char *method, const char *reference)
{
	bool passing = json_is_true(json_object_get(one, "passing"));

	if (!strcmp(reference, "ideal"))
		return !strcmp(method, "ideal");
	if (!strcmp(reference, "passing input"))
		return !strcmp(method, "chain") && passing;
	return !strcmp(method, "patched") || (!strcmp(method, "chain") && !passing);
}

static void print_chain(const json_t *cases, const char *reference, FILE *file)
{
	static const char *const methods[] = {"ideal", "chain", "patched"};
	bool ideal = !strcmp(reference, "ideal");
	struct chain_sums sums = {0};
	const json_t *one;
	size_t i;

	json_array_foreach(cases, i, one) for (unsigned m = 0; m < 3; m++)
	{
		const json_t *row = eval_row(one, methods[m]);

		if (eval_counts(row) && is_about(one, methods[m], reference))
			add_chain(&sums, row, ideal);
	}
	if (!sums.cases && !sums.none)
		return;
	fprintf(file, "| %s | %u | %u |", reference, sums.cases, sums.none);
	if (sums.coverage.count)
		fprintf(file, " %.2f | %.2f | %.1f |", metrics_mean_of(&sums.coverage),
		        metrics_mean_of(&sums.relevance), metrics_mean_of(&sums.distance));
	else
		fputs(" | | |", file);
	fprintf(file, " %u of %u (%.0f %%) | %.1f | %.0f | %.2f |\n", sums.roots, sums.compared,
	        metrics_percent(sums.roots, sums.compared), metrics_mean_of(&sums.steps),
	        metrics_mean_of(&sums.experiments), metrics_mean_of(&sums.seconds));
}

static void eval_print_chains(const json_t *cases, FILE *file)
{
	if (!has_row(cases, "chain") && !has_row(cases, "patched"))
		return;
	fputs("\n### Chains against the ideal ones\n\n"
	      "| reference | chains | none | coverage | relevance | edit distance | root captured "
	      "| steps | experiments | seconds |\n"
	      "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
	      file);
	print_chain(cases, "ideal", file);
	print_chain(cases, "passing input", file);
	print_chain(cases, "patched run", file);
}

/* --- trees --- */

static void eval_print_trees(const json_t *cases, FILE *file)
{
	struct metrics_mean level = {0}, nodes = {0}, proven = {0}, inside = {0}, looked = {0},
			    lines = {0}, calls = {0}, experiments = {0}, seconds = {0};
	unsigned count = 0, has = 0;
	const json_t *one;
	size_t i;

	json_array_foreach(cases, i, one)
	{
		const json_t *row = eval_row(one, "tree");
		double whole = eval_number(row, "instances");

		if (!eval_counts(row))
			continue;
		count++;
		if (!json_object_get(row, "nodes"))
			continue;
		has += json_is_true(json_object_get(row, "has_fault"));
		if (json_object_get(row, "level"))
			metrics_mean_add(&level, eval_number(row, "level"));
		metrics_mean_add(&nodes, eval_number(row, "nodes"));
		metrics_mean_add(&proven, eval_number(row, "proven_nodes"));
		metrics_mean_add(&inside, metrics_percent(eval_number(row, "inside"), whole));
		metrics_mean_add(&looked, metrics_percent(eval_number(row, "read"), whole));
		metrics_mean_add(&lines, eval_number(row, "tree_lines"));
		metrics_mean_add(&calls, eval_number(row, "solver_calls"));
		metrics_mean_add(&experiments, eval_number(row, "experiments"));
		metrics_mean_add(&seconds, eval_number(row, "seconds"));
	}
	if (!count)
		return;
	fputs("\n### Cause trees\n\n"
	      "| cases | trees | with the fault | its level | nodes | proven | % of executed "
	      "instances | % read until the fault | lines | solver calls | experiments | seconds "
	      "|\n"
	      "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
	      file);
	fprintf(file,
	        "| %u | %u | %u (%.0f %%) | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.0f "
	        "| %.2f |\n",
	        count, nodes.count, has, metrics_percent(has, count), metrics_mean_of(&level),
	        metrics_mean_of(&nodes), metrics_mean_of(&proven), metrics_mean_of(&inside),
	        metrics_mean_of(&looked), metrics_mean_of(&lines), metrics_mean_of(&calls),
	        metrics_mean_of(&experiments), metrics_mean_of(&seconds));
}

/* --- edits --- */

static void eval_print_edits(const json_t *cases, FILE *file)
{
	static const unsigned tops[] = {1, 3, 5};
	struct metrics_mean lines = {0}, generated = {0}, tried = {0}, rate = {0};
	unsigned count = 0, found = 0, at_fault[3] = {0}, judged = 0, first = 0, any = 0;
	const json_t *one, *word;
	size_t i, k;

	json_array_foreach(cases, i, one)
	{
		const json_t *row = eval_row(one, "fix"),
			     *repairs = json_object_get(row, "repairs");
		double rank = eval_number(row, "edit_rank");

		if (!eval_counts(row))
			continue;
		count++;
		for (unsigned n = 0; n < 3; n++)
			at_fault[n] += rank > 0 && rank <= tops[n];
		judged += repairs != NULL;
		json_array_foreach(repairs, k, word)
		{
			bool right = !strcmp(json_string_value(word) ? json_string_value(word) : "",
			                     "right");

			first += right && !k;
			any += right;
		}
		if (!json_object_get(row, "edits"))
			continue;
		if (eval_number(row, "edit_lines") > 0) {
			found++;
			metrics_mean_add(&lines, eval_number(row, "edit_lines"));
		}
		metrics_mean_add(&generated, eval_number(row, "edits"));
		metrics_mean_add(&tried, eval_number(row, "edits_tried"));
		metrics_mean_add(&rate, eval_number(row, "edits_per_second"));
	}
	if (!count)
		return;
	fputs("\n### Edits\n\n"
	      "The place of the first faulty line among the lines with a plausible edit; and "
	      "whether the patch of the first edit, or of one of the first five, makes the program "
	      "do as the corrected one.\n\n"
	      "| cases | with an edit | faulty line first | in 3 | in 5 | lines with an edit | "
	      "right repair first | in 5 | edits | tried | per second |\n"
	      "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
	      file);
	fprintf(file, "| %u | %u (%.0f %%) |", count, found, metrics_percent(found, count));
	for (unsigned n = 0; n < 3; n++)
		fprintf(file, " %u (%.0f %%) |", at_fault[n], metrics_percent(at_fault[n], count));
	fprintf(file, " %.1f |", metrics_mean_of(&lines));
	if (judged)
		fprintf(file, " %u of %u (%.0f %%) | %u of %u (%.0f %%) |", first, judged,
		        metrics_percent(first, judged), any, judged, metrics_percent(any, judged));
	else
		fputs(" | |", file);
	fprintf(file, " %.0f | %.0f | %.0f |\n", metrics_mean_of(&generated),
	        metrics_mean_of(&tried), metrics_mean_of(&rate));
}

/* --- cases --- */

static void print_optional(const json_t *object, const char *key, const char *format, double factor,
                           FILE *file)
{
	if (json_object_get(object, key))
		fprintf(file, format, factor * eval_number(object, key));
	fputs(" |", file);
}

static void print_flag(const json_t *row, const char *key, FILE *file)
{
	const json_t *flag = json_object_get(row, key);

	fprintf(file, "%s |", !flag ? "" : json_is_true(flag) ? " yes" : " no");
}

static void print_case(const json_t *one, FILE *file)
{
	const json_t *explain = eval_row(one, "explain"), *score = json_object_get(one, "score");
	const json_t *quality = json_object_get(eval_row(one, "chain"), "quality");
	const char *text;

	fputs("| ", file);
	eval_print_cell(file, eval_text(one, "name"));
	fputs(" |", file);
	print_optional(one, "lines", " %.0f", 1, file);
	/* A state in a few letters; what it found when it is done. */
	text = eval_text(explain, "state");
	if (!strcmp(text, "done") && json_object_get(explain, "verdict"))
		text = eval_text(explain, "verdict");
	fputs(explain ? " " : "", file);
	eval_print_cell(file, text);
	fputs(" |", file);
	print_optional(explain, "rank", " %.0f", 1, file);
	print_optional(explain, "experiments", " %.0f", 1, file);
	print_optional(explain, "seconds", " %.2f", 1, file);
	for (unsigned s = 0; s < SCORE_STRATEGIES; s++)
		print_optional(json_object_get(score, score_strategy_names[s]), "score", " %.0f %%",
		               100, file);
	print_optional(quality, "coverage", " %.2f", 1, file);
	print_optional(quality, "relevance", " %.2f", 1, file);
	print_optional(eval_row(one, "tree"), "level", " %.0f", 1, file);
	print_flag(eval_row(one, "tree"), "has_fault", file);
	print_flag(eval_row(one, "chop"), "has_fault", file);
	fputc('\n', file);
}

/* --- trouble --- */

static void print_wrong(const char *name, const char *what, const char *state, const char *message,
                        FILE *file)
{
	fputs("| ", file);
	eval_print_cell(file, name);
	fprintf(file, " | %s | ", what);
	eval_print_cell(file, state);
	fputs(" | ", file);
	eval_print_cell(file, message);
	fputs(" |\n", file);
}

/* A method that has an answer is no trouble, even if that is not proven. */
static bool is_trouble(const json_t *row)
{
	return !eval_state_is(row, "done") && !(eval_state_is(row, "not-proven") &&
	                                        json_is_true(json_object_get(row, "answered")));
}

/* Methods with the same trouble share a line: that of the first. */
static unsigned print_methods_trouble(const json_t *one, FILE *file)
{
	struct str names = STR_INIT;
	unsigned count = 0;

	for (unsigned m = 0; m < EVAL_METHODS; m++) {
		const json_t *row = eval_row(one, eval_method_names[m]), *other;
		bool first = row && is_trouble(row);

		for (unsigned k = 0; first && k < EVAL_METHODS; k++) {
			other = eval_row(one, eval_method_names[k]);
			if (!other || !is_trouble(other) ||
			    strcmp(eval_text(row, "state"), eval_text(other, "state")) ||
			    strcmp(eval_text(row, "message"), eval_text(other, "message")))
				continue;
			first = k >= m;
			str_printf(&names, "%s%s", names.length ? ", " : "", eval_method_names[k]);
		}
		if (first) {
			print_wrong(eval_text(one, "name"), str_text(&names),
			            eval_text(row, "state"), eval_text(row, "message"), file);
			count++;
		}
		str_deinit(&names);
	}
	return count;
}

static unsigned print_case_trouble(const json_t *one, FILE *file)
{
	const char *name = eval_text(one, "name");
	unsigned count = 0;

	if (!eval_state_is(one, "done")) {
		print_wrong(name, "the case", eval_text(one, "state"), eval_text(one, "message"),
		            file);
		count++;
	}
	if (json_object_get(one, "corrected_message")) {
		print_wrong(name, "corrected program", "not-built",
		            eval_text(one, "corrected_message"), file);
		count++;
	}
	if (json_object_get(one, "graph_message")) {
		print_wrong(name, "dependence graph", "none", eval_text(one, "graph_message"),
		            file);
		count++;
	}
	if (json_object_get(eval_row(one, "fix"), "repair_message")) {
		print_wrong(name, "repairs", "not-built",
		            eval_text(eval_row(one, "fix"), "repair_message"), file);
		count++;
	}
	return count + print_methods_trouble(one, file);
}

static void eval_print_trouble(const json_t *cases, FILE *file)
{
	unsigned count = 0;
	const json_t *one;
	size_t i;

	fputs("\n### What went wrong\n\n| case | what | state | message |\n|---|---|---|---|\n",
	      file);
	json_array_foreach(cases, i, one) count += print_case_trouble(one, file);
	if (!count)
		fputs("| nothing | | | |\n", file);
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

static void print_methods(const json_t *cases, FILE *file)
{
	fputs("### Methods\n\n"
	      "| method | cases | done | not proven | do not fail | timed out | went wrong | steps "
	      "| experiments | seconds | slowest |\n"
	      "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
	      file);
	for (unsigned m = 0; m < EVAL_METHODS; m++) {
		struct metrics_mean steps = {0}, experiments = {0}, seconds = {0};
		unsigned count = 0, done = 0, unproven = 0, fine = 0, late = 0, wrong = 0;
		const json_t *one;
		size_t i;

		json_array_foreach(cases, i, one)
		{
			const json_t *row = eval_row(one, eval_method_names[m]);

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
			continue;
		fprintf(file, "| %s | %u | %u | %u | %u | %u | %u |", eval_method_names[m], count,
		        done, unproven, fine, late, wrong - late);
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
}

/* --- suspects --- */

static bool ranks(enum eval_method method)
{
	return method == EVAL_EXPLAIN || method == EVAL_TRANSITIONS || method == EVAL_CHAIN ||
	       method == EVAL_PATCHED || method == EVAL_COMPARE;
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
		if (ranks((enum eval_method)m)) {
			struct metrics_mean suspects = {0}, examined = {0};
			unsigned count = 0, tops[METRICS_TOPS] = {0}, none = 0;
			const json_t *one;
			size_t i;

			json_array_foreach(cases, i, one)
			{
				const json_t *row = eval_row(one, eval_method_names[m]);
				double rank = eval_number(row, "rank");

				if (!eval_counts(row))
					continue;
				count++;
				none += rank == 0;
				for (unsigned k = 0; k < METRICS_TOPS; k++)
					tops[k] += rank > 0 && rank <= metrics_tops[k];
				metrics_mean_add(&suspects, eval_number(row, "suspects"));
				metrics_mean_add(&examined,
				                 json_object_get(row, "examined_percent")
				                         ? eval_number(row, "examined_percent")
				                         : 100);
			}
			if (!count)
				continue;
			fprintf(file, "| %s | %u |", eval_method_names[m], count);
			for (unsigned k = 0; k < METRICS_TOPS; k++)
				fprintf(file, " %u (%.0f %%) |", tops[k],
				        metrics_percent(tops[k], count));
			fprintf(file, " %u | %.1f | %.1f |\n", none, metrics_mean_of(&suspects),
			        metrics_mean_of(&examined));
		}
}

/* --- scores --- */

struct distribution {
	unsigned cases, classes[METRICS_CLASSES], none, exact;
	struct metrics_mean score;
};

static void print_part(FILE *file, unsigned part, unsigned whole)
{
	fprintf(file, " %.1f %% (%u) |", metrics_percent(part, whole), part);
}

static void print_scores(const json_t *cases, FILE *file)
{
	struct distribution d[SCORE_STRATEGIES];

	for (unsigned s = 0; s < SCORE_STRATEGIES; s++) {
		/* All cases in which the method could have found something. */
		struct distribution *out = &d[s];
		const json_t *one;
		size_t i;

		*out = (struct distribution){0};
		json_array_foreach(cases, i, one)
		{
			const json_t *scores = json_object_get(one, "score");
			const json_t *score;
			double value;

			if (!eval_counts(eval_row(one, "transitions")) ||
			    !json_object_get(one, "lines"))
				continue;
			if (s == SCORE_INFECTED &&
			    (!scores || !json_is_true(json_object_get(scores, "infected_known"))))
				continue;
			score = json_object_get(scores, score_strategy_names[s]);
			/* Results may come from anywhere. */
			value = fmax(0, fmin(1, eval_number(score, "score")));
			out->cases++;
			if (!score) {
				out->none++;
				continue;
			}
			out->classes[metrics_class(value)]++;
			out->exact += json_object_get(score, "distance") &&
			              eval_number(score, "distance") == 0;
			metrics_mean_add(&out->score, value);
		}
	}
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
	const json_t *one;
	size_t i;

	print_methods(cases, file);
	print_ranks(cases, file);
	print_scores(cases, file);
	eval_print_chops(cases, file);
	eval_print_chains(cases, file);
	eval_print_trees(cases, file);
	eval_print_edits(cases, file);
	/* A line for each case; and one for each thing that went wrong. */
	fputs("\n### Cases\n\n"
	      "Rank 0: no fault is among the suspects.\n\n"
	      "| case | lines | explain | rank | experiments | seconds | plain | relevant | "
	      "infected | coverage | relevance | level | in the tree | in the chop |\n"
	      "|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|---|\n",
	      file);
	json_array_foreach(cases, i, one) print_case(one, file);
	eval_print_trouble(cases, file);
}
