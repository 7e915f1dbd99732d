/* How suspicious lines are by the tests that execute them: see spectra.h. */
#include "spectra/spectra.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

const char *const spectra_names[SPECTRA_FORMULAS] = {"ochiai", "tarantula", "dstar"};

/* --- formulas --- */

static double ochiai(const struct spectra_counts *c)
{
	return c->failed / sqrt((double)c->all_failed * ((double)c->failed + c->passed));
}

static double tarantula(const struct spectra_counts *c)
{
	double failed = (double)c->failed / c->all_failed;
	double passed = c->all_passed ? (double)c->passed / c->all_passed : 0;

	return failed / (failed + passed);
}

static double dstar(const struct spectra_counts *c)
{
	double square = (double)c->failed * c->failed;

	return square / (square + c->passed + (c->all_failed - c->failed));
}

double spectra_score(enum spectra_formula formula, const struct spectra_counts *c)
{
	assert(c->failed <= c->all_failed && c->passed <= c->all_passed);
	if (!c->failed)
		return 0;
	switch (formula) {
	case SPECTRA_TARANTULA: return tarantula(c);
	case SPECTRA_DSTAR: return dstar(c);
	default: return ochiai(c);
	}
}

double spectra_evidence(enum spectra_formula formula, const struct spectra_counts *c)
{
	const struct spectra_counts all = {c->all_failed, c->all_passed, c->all_failed,
	                                   c->all_passed};
	double score = spectra_score(formula, c), usual = spectra_score(formula, &all);
	double above = score > usual ? (score - usual) / (1 - usual) : 0;

	return 0.1 * score + 0.9 * above;
}

/* --- lines --- */

void spectra_begin(struct spectra *s, bool failed)
{
	s->failing = failed;
	s->failed += failed;
	s->passed += !failed;
}

void spectra_add(struct spectra *s, const char *file, unsigned number, const char *function)
{
	char *key = str_format("%s:%u", file, number);
	uint32_t *found = spectra_index_find(&s->index, key);
	struct spectra_line *new;
	struct spectra_line *line;
	uint32_t test = s->failed + s->passed;

	if (found) {
		free(key);
		line = &s->lines.at[*found - 1];
	} else {
		new = vec_push(&s->lines);
		new->file = mem_strdup(file);
		new->line = number;
		new->function = function ? mem_strdup(function) : NULL;
		*spectra_index_put(&s->index, key) = s->lines.size;
		line = new;
	}
	assert(test);
	if (line->last == test)
		return;
	line->last = test;
	line->failed += s->failing;
	line->passed += !s->failing;
}

const struct spectra_line *spectra_find(const struct spectra *s, const char *file, unsigned line)
{
	for (uint32_t i = 0; i < s->lines.size; i++)
		if (s->lines.at[i].line == line && !strcmp(s->lines.at[i].file, file))
			return &s->lines.at[i];
	return NULL;
}

static int by_score(const void *a, const void *b)
{
	const struct spectra_line *x = a, *y = b;
	int order = strcmp(x->file, y->file);

	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	return order ? order : x->line < y->line ? -1 : x->line > y->line;
}

/* Lines with the same score share the places that they take. */
static void number(struct spectra *s)
{
	for (uint32_t i = 0, end; i < s->lines.size; i = end) {
		for (end = i;
		     end < s->lines.size && s->lines.at[end].score == s->lines.at[i].score;)
			end++;
		for (uint32_t k = i; k < end; k++) {
			s->lines.at[k].best = i + 1;
			s->lines.at[k].worst = end;
		}
	}
}

static void drop_index(struct spectra *s)
{
	map_each(&s->index, i) free((char *)s->index.at[i].key);
	spectra_index_deinit(&s->index);
}

void spectra_rank(struct spectra *s, enum spectra_formula formula)
{
	drop_index(s);
	for (uint32_t i = 0; i < s->lines.size; i++) {
		struct spectra_line *line = &s->lines.at[i];
		const struct spectra_counts counts = {line->failed, line->passed, s->failed,
		                                      s->passed};

		line->score = spectra_score(formula, &counts);
	}
	if (s->lines.size)
		qsort(s->lines.at, s->lines.size, sizeof(*s->lines.at), by_score);
	number(s);
}

void spectra_deinit(struct spectra *s)
{
	for (uint32_t i = 0; i < s->lines.size; i++) {
		free(s->lines.at[i].file);
		free(s->lines.at[i].function);
	}
	vec_deinit(&s->lines);
	drop_index(s);
}
