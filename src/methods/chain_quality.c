/* How good a chain is: see chain_quality.h. */
#include "methods/chain_work.h"

#include <stdlib.h>
#include <string.h>

#include "report/json.h"

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

void chain_statements_add(struct chain_statements *statements, const char *file, unsigned line,
                          const char *function)
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
