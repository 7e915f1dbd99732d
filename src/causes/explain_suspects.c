/* Where to look first: see explain.h; docs/explain.md gives the reasons. */
#include "causes/explain.h"

#include "report/explanation_words.h"

#define COMPUTES  0.90 /* a transition that makes new values */
#define HANDS_ON  0.45 /* one that hands on those of the step before */
#define EARLIER   0.90 /* for each transition of its kind between it and the failure */
#define ONE_WAY   0.90 /* proven in one of the runs only */
#define UNPROVEN  0.50
#define SHOWS     0.20 /* where the failure shows */
#define ALL_ALONG 0.50 /* the same, when nothing comes between it and the input */

/* --- what a transition does --- */

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool has_values(const struct explanation_step *step, const struct explanation_value *value)
{
	for (uint32_t i = 0; i < step->values.size; i++)
		if (same_text(step->values.at[i].failing, value->failing) &&
		    same_text(step->values.at[i].reference, value->reference))
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

static double score(const struct explanation *e, uint32_t number)
{
	bool copies = hands_on(e, number);
	double result = copies ? HANDS_ON : COMPUTES;

	for (uint32_t i = number + 1; i < e->steps.size; i++)
		if (e->steps.at[i].transition && hands_on(e, i) == copies)
			result *= EARLIER;
	return result * trust(&e->steps.at[number]);
}

/* --- the list --- */

static struct explanation_place copy_place(const struct explanation_place *place)
{
	return (struct explanation_place){
		.file = mem_strdup(place->file),
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
	explanation_place_deinit(&e->suspects.at[number].at);
	free(e->suspects.at[number].why);
	e->suspects.size--;
	memmove(e->suspects.at + number, e->suspects.at + number + 1,
	        (e->suspects.size - number) * sizeof(*e->suspects.at));
}

/* Puts it behind all that are as good; of two on a line the better one stays. Takes `why`. */
static void add(struct explanation *e, const struct explanation_place *place, double value,
                char *why)
{
	struct explanation_suspect new = {copy_place(place), value, why};
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

static char *reason(const struct explanation *e, uint32_t number)
{
	const struct explanation_step *step = &e->steps.at[number];
	struct str text = STR_INIT;

	str_add(&text, hands_on(e, number) ? "hands the cause on: " : "makes the cause: ");
	explanation_add_values(&text, step->values.at, step->values.size, &explanation_unmarked);
	return str_steal(&text);
}

static char *call_reason(const struct explanation_step *step)
{
	struct str text = STR_INIT;

	explanation_add_step(&text, step, &explanation_unmarked);
	return str_steal(&text);
}

static void add_transition(struct explanation *e, uint32_t number)
{
	const struct explanation_step *step = &e->steps.at[number];

	/* What lies between the cause and the call may be in one of the runs only. */
	if (step->call && step->at.file)
		add(e, &step->at, score(e, number), call_reason(step));
	if (step->cause.file)
		add(e, &step->cause, score(e, number), reason(e, number));
}

void explain_suspects(struct explanation *e)
{
	const struct explanation_step *last =
		e->steps.size ? e->steps.at + e->steps.size - 1 : NULL;
	bool any = false;

	for (uint32_t i = e->steps.size; i-- > 0;) {
		if (!e->steps.at[i].transition)
			continue;
		add_transition(e, i);
		any = true;
	}
	if (last && last->observed && last->at.file)
		add(e, &last->at, any ? SHOWS : ALL_ALONG,
		    mem_strdup(any || e->steps.size < 2 ? "the failure shows here"
		                                        : "the cause is the same from the "
		                                          "beginning up to here"));
}
