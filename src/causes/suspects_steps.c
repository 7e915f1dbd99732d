/* What the steps of a chain tell about where to look first: see suspects.h; docs/explain.md gives the reasons. */
#include "causes/explain.h"
#include "causes/explain_work.h"
#include "causes/suspects.h"

#include "report/explanation_words.h"

/* Factors of the rows. */
#define FARTHER                                                                                    \
	0.97 /* for each statement with a transition of its kind that comes first: nearer to
                          the failure, or of two runs with the same input nearer to the beginning */
#define USUAL     0.60 /* runs that pass differ in it as well */
#define ONE_WAY   0.90 /* proven in one of the runs only */
#define UNPROVEN  0.50
#define OTHER_END 0.95 /* for the end of a gap that the transition lies in */
#define LEAST     0.01

/* --- what a transition does --- */

/* Are they the same value, or is one a text that the other was read from: "n=12" and 12? */
static bool same_value(const char *a, const char *b)
{
	if (!a || !b)
		return a == b;
	if (*a == '"' && *b && *b != '"')
		return strstr(a, b);
	if (*b == '"' && *a && *a != '"')
		return strstr(b, a);
	return !strcmp(a, b);
}

static bool has_values(const struct explanation_step *step, const struct explanation_value *value)
{
	for (uint32_t i = 0; i < step->values.size; i++)
		if (same_value(step->values.at[i].failing, value->failing) &&
		    same_value(step->values.at[i].reference, value->reference))
			return true;
	return false;
}

/* Has every variable the values of one of the step before? */
static bool hands_on(const struct explanation *e, uint32_t number)
{
	const struct explanation_step *step = &e->steps.at[number];

	if (!number)
		return false;
	for (uint32_t i = 0; i < step->values.size; i++)
		if (!has_values(&e->steps.at[number - 1], &step->values.at[i]))
			return false;
	return true;
}

static bool is_proven_by(const struct explanation_step *step, const char *in, const char *outcome)
{
	for (uint32_t i = 0; i < step->proofs.size; i++)
		if (!strcmp(step->proofs.at[i].in, in) &&
		    !strcmp(step->proofs.at[i].outcome, outcome))
			return true;
	return false;
}

static bool is_proven_twice(const struct explanation_step *step)
{
	return step->proven && is_proven_by(step, "failing", "pass") &&
	       is_proven_by(step, "reference", "fail");
}

static double trust(const struct explanation_step *step)
{
	if (!step->proven)
		return UNPROVEN;
	return is_proven_twice(step) ? 1 : ONE_WAY;
}

static bool same_place(const struct explanation_place *a, const struct explanation_place *b)
{
	return a->line == b->line && explain_same_text(a->file, b->file);
}

/* What is known of the steps. */
struct suspicion {
	struct explanation *e;
	bool *copies;   /* the step hands on */
	bool *last;     /* no later transition of its kind is by the same statement */
	uint32_t first; /* the first transition; UINT32_MAX: there is none */
	/* Both runs had the same input: nothing that differs is as it should be, and what comes first is
	   where they part. */
	bool same_input;
};

static void examine(struct suspicion *s)
{
	const struct explanation_step *steps = s->e->steps.at;
	uint32_t count = s->e->steps.size;

	s->copies = mem_alloc(count + 1);
	s->last = mem_alloc(count + 1);
	for (uint32_t i = count; i-- > 0;) {
		s->copies[i] = hands_on(s->e, i);
		s->last[i] = steps[i].transition;
		if (steps[i].transition)
			s->first = i;
		for (uint32_t j = i + 1; j < count && s->last[i]; j++)
			s->last[i] = !s->last[j] || s->copies[i] != s->copies[j] ||
			             !same_place(&steps[i].cause, &steps[j].cause);
	}
}

/* The condition of the assertion that failed only tells of it. */
static bool is_assertion(const struct suspicion *s, uint32_t number)
{
	const struct explanation_step *last = &s->e->steps.at[s->e->steps.size - 1];

	return last->observed && explain_same_text(last->kind, "assert") &&
	       same_place(&last->at, &s->e->steps.at[number].cause);
}

/* For each statement whose transition is of the same kind and comes before it in the order. */
static double distance(const struct suspicion *s, uint32_t number)
{
	const struct explanation_step *steps = s->e->steps.at;
	uint32_t from = s->same_input ? 0 : number + 1;
	uint32_t to = s->same_input ? number : s->e->steps.size;
	double result = 1;

	for (uint32_t i = from; i < to; i++)
		if (s->last[i] && s->copies[i] == s->copies[number] &&
		    !same_place(&steps[i].cause, &steps[number].cause))
			result *= FARTHER;
	return result;
}

/* Do both runs part here? */
static bool is_root(const struct suspicion *s, uint32_t number)
{
	return s->same_input && s->e->steps.at[number].proven && number == s->first;
}

static enum suspect_row row_of(const struct suspicion *s, uint32_t number)
{
	const struct explanation_step *step = &s->e->steps.at[number];

	if (is_assertion(s, number))
		return SUSPECT_SHOWS;
	if (is_root(s, number))
		return SUSPECT_ROOT;
	if (!s->copies[number])
		return SUSPECT_MAKES;
	return step[-1].transition && !s->copies[number - 1] ? SUSPECT_RECEIVES : SUSPECT_HANDS_ON;
}

static double factor_of(const struct suspicion *s, uint32_t number, enum suspect_row row)
{
	const struct explanation_step *step = &s->e->steps.at[number];
	double result = trust(step) * (step->usual ? USUAL : 1);

	if (row == SUSPECT_SHOWS)
		return 1;
	if (row != SUSPECT_RECEIVES && row != SUSPECT_ROOT)
		result *= distance(s, number);
	return result > LEAST ? result : LEAST;
}

/* --- in words --- */

static char *reason(const struct suspicion *s, uint32_t number)
{
	const struct explanation_step *step = &s->e->steps.at[number];
	struct str text = STR_INIT;

	/* Of two inputs nobody knows whether it is wrong. */
	str_printf(&text, "%s the %s: ", s->copies[number] ? "propagates" : "introduces",
	           s->same_input ? "wrong value" : "difference");
	explanation_add_values(&text, step->values.at, step->values.size, &explanation_unmarked);
	if (step->usual)
		str_add(&text, "; runs that pass differ in it, too");
	else if (is_proven_twice(step))
		str_add(&text, "; proven both ways");
	return str_steal(&text);
}

static char *moment_reason(const struct explanation_step *step)
{
	struct str text = STR_INIT;

	explanation_add_values(&text, step->values.at, step->values.size, &explanation_unmarked);
	str_printf(&text, " when %s", step->when);
	return str_steal(&text);
}

/* --- the whole --- */

/* The statement; when nobody knows which it was, the last that it may have been. Where a function
   begins, its first statement: what it does with it is not told. A call that comes next, if the
   statement does not assign the variable: what lies between may be in one of the runs only. */
static void add_transition(const struct suspicion *s, uint32_t number)
{
	const struct explanation_step *step = &s->e->steps.at[number];
	enum suspect_row row = row_of(s, number);
	double factor = factor_of(s, number, row);

	suspects_add(s->e, &step->cause, row, factor, reason(s, number));
	if (step->until.file)
		suspects_add(s->e, &step->until, row, factor * OTHER_END, reason(s, number));
	else if (step->when && step->at.file && !(step->call && explanation_is_told(step)))
		suspects_add(s->e, &step->at, row, factor * OTHER_END, moment_reason(step));
}

/* The branch that was turned round so that the run passes. */
static void add_switched(const struct suspicion *s, uint32_t number)
{
	const struct explanation_step *step = &s->e->steps.at[number];

	if (explain_same_text(step->method, "switch"))
		suspects_add(s->e, step->cause.file ? &step->cause : &step->at, SUSPECT_SWITCH, 1,
		             mem_strdup("turned round, the run passes"));
}

static void add_end(const struct suspicion *s, bool any)
{
	const struct explanation_step *last = &s->e->steps.at[s->e->steps.size - 1];

	if (!last->observed)
		return;
	if (any || s->e->steps.size < 2)
		suspects_add(s->e, &last->at, any ? SUSPECT_SHOWS : SUSPECT_ALL_ALONG, 1,
		             mem_strdup("the failure shows here"));
	else
		suspects_add(s->e, &last->at, SUSPECT_ALL_ALONG, 1,
		             mem_strdup("the cause is the same from the beginning up to here"));
}

void suspects_add_steps(struct explanation *e)
{
	struct suspicion s = {.e = e,
	                      .first = UINT32_MAX,
	                      .same_input = explain_same_text(e->reference.kind, "program") ||
	                                    explain_same_text(e->reference.kind, "patched") ||
	                                    explain_same_text(e->reference.kind, "edit")};
	bool any = false;

	examine(&s);
	for (uint32_t i = e->steps.size; i-- > 0;) {
		add_switched(&s, i);
		if (!e->steps.at[i].transition)
			continue;
		add_transition(&s, i);
		any = true;
	}
	if (e->steps.size)
		add_end(&s, any);
	free(s.copies);
	free(s.last);
}

void explain_suspects(struct explanation *e)
{
	suspects_add_steps(e);
	suspects_settle(e);
}
