/* Where to look first: see explain.h; docs/explain.md gives the reasons. */
#include "causes/explain.h"
#include "causes/explain_work.h"

#include "report/explanation_words.h"

#define COMPUTES 0.90 /* a transition that makes new values */
#define RECEIVES 0.60 /* the first behind it that hands them on */
#define HANDS_ON 0.45 /* one that hands on the values of the step before */
#define FARTHER                                                                                    \
	0.90 /* for each statement with a transition of its kind that comes first: nearer to
                          the failure, or of two runs with the same input nearer to the beginning */
#define USUAL     0.60 /* runs that pass differ in it as well */
#define ONE_WAY   0.90 /* proven in one of the runs only */
#define UNPROVEN  0.50
#define OTHER_END 0.95 /* for the end of a gap that the transition lies in */
#define LEAST     0.01
#define SHOWS     0.20 /* where the failure shows */
#define ALL_ALONG 0.50 /* the same, when nothing comes between it and the input */
#define MOST      5u   /* suspects */

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

static double trust(const struct explanation_step *step)
{
	if (!step->proven)
		return UNPROVEN;
	return is_proven_by(step, "failing", "pass") && is_proven_by(step, "reference", "fail")
	               ? 1
	               : ONE_WAY;
}

static bool same_place(const struct explanation_place *a, const struct explanation_place *b)
{
	return a->line == b->line && explain_same_text(a->file, b->file);
}

/* What is known of the steps. */
struct suspicion {
	struct explanation *e;
	bool *copies; /* the step hands on */
	bool *last;   /* no later transition of its kind is by the same statement */
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

static double score(const struct suspicion *s, uint32_t number)
{
	const struct explanation_step *step = &s->e->steps.at[number];
	bool receives = s->copies[number] && step[-1].transition && !s->copies[number - 1];
	double result = receives ? RECEIVES : s->copies[number] ? HANDS_ON : COMPUTES;

	if (!receives)
		result *= distance(s, number);
	if (is_assertion(s, number))
		return SHOWS;
	result *= trust(step) * (step->usual ? USUAL : 1);
	return result > LEAST ? result : LEAST;
}

/* --- the list --- */

struct explanation_place explain_copy_place(const struct explanation_place *place)
{
	return (struct explanation_place){
		.file = place->file ? mem_strdup(place->file) : NULL,
		.line = place->line,
		.column = place->column,
		.function = place->function ? mem_strdup(place->function) : NULL,
		.source = place->source ? mem_strdup(place->source) : NULL,
	};
}

/* The suspect at that line; UINT32_MAX: none. */
static uint32_t find(const struct explanation *e, const struct explanation_place *place)
{
	for (uint32_t i = 0; i < e->suspects.size; i++)
		if (e->suspects.at[i].at.line == place->line &&
		    !strcmp(e->suspects.at[i].at.file, place->file))
			return i;
	return UINT32_MAX;
}

static void drop(struct explanation *e, uint32_t number)
{
	explanation_suspect_deinit(&e->suspects.at[number]);
	e->suspects.size--;
	memmove(e->suspects.at + number, e->suspects.at + number + 1,
	        (e->suspects.size - number) * sizeof(*e->suspects.at));
}

void explain_add_suspect(struct explanation *e, const struct explanation_place *place, double value,
                         char *why)
{
	struct explanation_suspect new = {
		.at = explain_copy_place(place), .score = value, .why = why};
	uint32_t at = find(e, place);

	if (at != UINT32_MAX && e->suspects.at[at].score >= value) {
		explanation_place_deinit(&new.at);
		free(why);
		return;
	}
	if (at != UINT32_MAX)
		drop(e, at);
	for (at = 0; at < e->suspects.size && e->suspects.at[at].score >= value;)
		at++;
	vec_push(&e->suspects);
	memmove(e->suspects.at + at + 1, e->suspects.at + at,
	        (e->suspects.size - 1 - at) * sizeof(new));
	e->suspects.at[at] = new;
}

static char *reason(const struct suspicion *s, uint32_t number)
{
	const struct explanation_step *step = &s->e->steps.at[number];
	struct str text = STR_INIT;

	str_add(&text, s->copies[number] ? "hands the cause on: " : "makes the cause: ");
	explanation_add_values(&text, step->values.at, step->values.size, &explanation_unmarked);
	if (step->usual)
		str_add(&text, "; runs that pass differ in it, too");
	return str_steal(&text);
}

static char *moment_reason(const struct explanation_step *step)
{
	struct str text = STR_INIT;

	explanation_add_values(&text, step->values.at, step->values.size, &explanation_unmarked);
	str_printf(&text, " when %s", step->when);
	return str_steal(&text);
}

/* The statement; when nobody knows which it was, the last that it may have been. Where a function
   begins, its first statement: what it does with it is not told. A call that comes next, if the
   statement does not assign the variable: what lies between may be in one of the runs only. */
static void add_transition(const struct suspicion *s, uint32_t number)
{
	const struct explanation_step *step = &s->e->steps.at[number];
	double value = score(s, number);

	if (step->cause.file)
		explain_add_suspect(s->e, &step->cause, value, reason(s, number));
	if (step->until.file)
		explain_add_suspect(s->e, &step->until, value * OTHER_END, reason(s, number));
	else if (step->when && step->at.file && !(step->call && explanation_is_told(step)))
		explain_add_suspect(s->e, &step->at, value * OTHER_END, moment_reason(step));
}

void explain_cut_suspects(struct explanation *e)
{
	while (e->suspects.size > MOST)
		drop(e, e->suspects.size - 1);
}

void explain_suspects(struct explanation *e)
{
	const struct explanation_step *last =
		e->steps.size ? e->steps.at + e->steps.size - 1 : NULL;
	struct suspicion s = {.e = e,
	                      .same_input = explain_same_text(e->reference.kind, "program") ||
	                                    explain_same_text(e->reference.kind, "patched")};
	bool any = false;

	examine(&s);
	for (uint32_t i = e->steps.size; i-- > 0;) {
		if (!e->steps.at[i].transition)
			continue;
		add_transition(&s, i);
		any = true;
	}
	if (last && last->observed && last->at.file)
		explain_add_suspect(e, &last->at, any ? SHOWS : ALL_ALONG,
		                    mem_strdup(any || e->steps.size < 2
		                                       ? "the failure shows here"
		                                       : "the cause is the same from the "
		                                         "beginning up to here"));
	explain_cut_suspects(e);
	free(s.copies);
	free(s.last);
}
