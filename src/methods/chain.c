/* Failure-inducing chains: see chain.h. */
#include "methods/chain.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "report/json.h"

struct hence_error *chain_find(const struct comparison *pair, enum backward_algorithm algorithm,
                               struct causes *out)
{
	const struct backward_options options = {.algorithm = algorithm,
	                                         .infer = {.way = HYBRID_REFERENCE}};

	return backward_find(pair, &options, out);
}

/* --- statements of a chain --- */

void chain_statements_deinit(struct chain_statements *statements)
{
	for (uint32_t i = 0; i < statements->all.size; i++) {
		free(statements->all.at[i].file);
		free(statements->all.at[i].function);
	}
	vec_deinit(&statements->all);
}

static bool same_statement(const struct chain_statement *a, const struct chain_statement *b)
{
	return a->line == b->line && !strcmp(a->file, b->file) &&
	       (!a->function || !b->function || !strcmp(a->function, b->function));
}

/* Adds a statement, unless it is the last one. */
static void chain_statements_add(struct chain_statements *statements, const char *file,
                                 unsigned line, const char *function)
{
	struct chain_statement new = {(char *)file, (char *)function, line};
	uint32_t size = statements->all.size;

	if (size && same_statement(&statements->all.at[size - 1], &new))
		return;
	new.file = mem_strdup(file);
	new.function = function ? mem_strdup(function) : NULL;
	*vec_push(&statements->all) = new;
}

void chain_statements_of(const struct explanation *explanation, struct chain_statements *out)
{
	for (uint32_t i = 0; i < explanation->steps.size; i++) {
		const struct explanation_place *cause = &explanation->steps.at[i].cause;

		if (explanation->steps.at[i].transition && cause->file)
			chain_statements_add(out, cause->file, cause->line, cause->function);
	}
}

/* --- measures --- */

static bool has(const struct chain_statements *in, uint32_t until,
                const struct chain_statement *statement)
{
	for (uint32_t i = 0; i < until; i++)
		if (same_statement(&in->all.at[i], statement))
			return true;
	return false;
}

/* How many different statements there are, and how many of them are in the other chain. */
static uint32_t count_different(const struct chain_statements *in,
                                const struct chain_statements *other, uint32_t *common)
{
	uint32_t count = 0;

	*common = 0;
	for (uint32_t i = 0; i < in->all.size; i++) {
		if (has(in, i, &in->all.at[i]))
			continue;
		count++;
		*common += has(other, other->all.size, &in->all.at[i]);
	}
	return count;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* One row of the table after the other. */
static uint32_t edit_distance(const struct chain_statements *a, const struct chain_statements *b)
{
	uint32_t *row = mem_alloc((b->all.size + 1) * sizeof(*row)), result;

	for (uint32_t k = 0; k <= b->all.size; k++)
		row[k] = k;
	for (uint32_t i = 1; i <= a->all.size; i++) {
		uint32_t diagonal = row[0];

		row[0] = i;
		for (uint32_t k = 1; k <= b->all.size; k++) {
			uint32_t above = row[k];
			bool same = same_statement(&a->all.at[i - 1], &b->all.at[k - 1]);

			row[k] = least(diagonal + !same, least(above, row[k - 1]) + 1);
			diagonal = above;
		}
	}
	result = row[b->all.size];
	free(row);
	return result;
}

void chain_quality_of(const struct chain_statements *ideal, const struct chain_statements *own,
                      struct chain_quality *out)
{
	uint32_t common;

	*out = (struct chain_quality){0};
	out->own = count_different(own, ideal, &common);
	out->relevance = out->own ? (double)common / out->own : 0;
	out->ideal = count_different(ideal, own, &out->common);
	out->coverage = out->ideal ? (double)out->common / out->ideal : 0;
	out->edit_distance = edit_distance(ideal, own);
	out->root = ideal->all.size && has(own, own->all.size, &ideal->all.at[0]);
}

/* --- how it is told --- */

/* JSON has points, whatever the user's language has. */
static void add_part(struct str *out, const char *key, double part)
{
	unsigned percent = (unsigned)(part * 100 + 0.5);

	json_add_key(out, key);
	str_printf(out, "%u.%02u", percent / 100, percent % 100);
}

void chain_quality_add_json(const struct chain_quality *q, struct str *out)
{
	str_add_char(out, '{');
	add_part(out, "coverage", q->coverage);
	add_part(out, "relevance", q->relevance);
	json_add_number(out, "edit_distance", q->edit_distance);
	json_add_key(out, "root");
	str_add(out, q->root ? "true" : "false");
	json_add_number(out, "ideal_statements", q->ideal);
	json_add_number(out, "statements", q->own);
	json_add_number(out, "common", q->common);
	str_add_char(out, '}');
}

void chain_quality_add_text(const struct chain_quality *q, struct str *out)
{
	str_printf(
		out,
		"coverage %.0f %% (%u of %u), relevance %.0f %% (%u of %u), edit distance %u, root "
		"%s",
		q->coverage * 100, q->common, q->ideal, q->relevance * 100, q->common, q->own,
		q->edit_distance, q->root ? "captured" : "not captured");
}

/* --- the chain of a saved report --- */

static struct hence_error *no_report(const char *path, const char *why)
{
	return error_create(
		HENCE_ERROR_INPUT,
		"%s is no report of hence: %s; save one with 'hence chain --json -o FILE'", path,
		why);
}

/* The statement that made a step: what the chain is compared by. */
static void add_step(const json_t *step, struct chain_statements *out)
{
	const json_t *cause = json_object_get(step, "cause");
	const char *file = json_string_value(json_object_get(cause, "file"));

	if (json_is_true(json_object_get(step, "transition")) && file)
		chain_statements_add(out, file,
		                     (unsigned)json_integer_value(json_object_get(cause, "line")),
		                     json_string_value(json_object_get(cause, "function")));
}

static struct hence_error *read_steps(const char *path, const json_t *report,
                                      struct chain_statements *out)
{
	const json_t *steps = json_object_get(report, "steps");

	if (!json_is_integer(json_object_get(report, "hence")))
		return no_report(path, "it has no version ('hence')");
	if (json_integer_value(json_object_get(report, "hence")) != EXPLANATION_VERSION)
		return error_create(HENCE_ERROR_INPUT,
		                    "%s is a report of another version of hence; make it again",
		                    path);
	if (!json_is_array(steps))
		return no_report(path, "it has no steps");
	for (size_t i = 0; i < json_array_size(steps); i++)
		add_step(json_array_get(steps, i), out);
	if (out->all.size)
		return NULL;
	return error_create(
		HENCE_ERROR_INPUT,
		"%s has no step that a statement made: there is nothing to compare with", path);
}

struct hence_error *chain_statements_read(const char *path, struct chain_statements *out)
{
	struct chain_statements found = {0};
	FILE *file = fopen(path, "r");
	struct hence_error *error;
	json_error_t reason;
	json_t *report;

	if (!file)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", path);
	report = json_loadf(file, JSON_REJECT_DUPLICATES, &reason);
	fclose(file);
	if (!report)
		return no_report(path, reason.text);
	error = read_steps(path, report, &found);
	json_decref(report);
	if (error)
		chain_statements_deinit(&found);
	else
		*out = found;
	return error;
}
