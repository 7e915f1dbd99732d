/* Memory graphs of steps: see explain_memory.h. */
#include "explain/explain_memory.h"

#include "state/picture.h"

#define MOST_STATEMENTS 16000000u     /* of both runs together: some 2 seconds */
#define MOST_MEMORY     (16ull << 20) /* bytes of one state */

/* A point at which the memory is drawn. */
struct moment {
	uint32_t step;
	uint64_t failing, reference; /* times; 0: the reference has none */
	struct state *state;         /* of the failing run, until the other is there */
};

struct work {
	const struct explain_memory_options *options;
	struct explanation *e;
	VEC(struct moment) moments; /* in the order of the run that is decoded */
	bool second;
	bool stopped;
};

/* --- the graph --- */

/* Names and values are handed over. */
static void convert(struct picture *from, struct explanation_memory *to)
{
	to->more = from->more;
	for (uint32_t i = 0; i < from->boxes.size; i++) {
		struct picture_box *box = &from->boxes.at[i];
		struct explanation_box *out = vec_push(&to->boxes);

		out->name = box->name;
		out->type = box->type;
		out->where = box->where;
		out->more = box->more;
		for (uint32_t k = 0; k < box->cells.size; k++) {
			const struct picture_cell *cell = &box->cells.at[k];

			*vec_push(&out->cells) =
				(struct explanation_cell){.name = cell->name,
			                                  .value = cell->value,
			                                  .reference = cell->reference,
			                                  .target = cell->target,
			                                  .decides = cell->decides};
		}
		vec_deinit(&box->cells);
	}
	vec_deinit(&from->boxes);
}

static void draw(struct work *w, const struct moment *moment, const struct state *other)
{
	struct explanation_step *step = &w->e->steps.at[moment->step];
	VEC(struct picture_variable) variables = VEC_INIT;
	struct picture picture;

	for (uint32_t i = 0; i < step->values.size; i++)
		*vec_push(&variables) = (struct picture_variable){step->values.at[i].name,
		                                                  step->values.at[i].function};
	picture_init(&picture, moment->state, other, w->options->alignment, variables.at,
	             variables.size);
	convert(&picture, &step->memory);
	vec_deinit(&variables);
}

/* --- the states --- */

static bool is_stopped(struct work *w)
{
	w->stopped |= budget_is_over(w->options->budget);
	return w->stopped;
}

static bool is_over(void *context)
{
	return is_stopped(context);
}

static bool take(void *context, uint32_t index, struct state *state)
{
	struct work *w = context;
	struct moment *moment = &w->moments.at[index];

	if (is_stopped(w)) {
		state_destroy(state);
		return false;
	}
	if (w->second) {
		draw(w, moment, state);
		state_destroy(state);
		return true;
	}
	moment->state = state;
	if (!moment->reference) {
		draw(w, moment, NULL);
		state_destroy(state);
		moment->state = NULL;
	}
	return true;
}

static int by_failing(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	return x->failing < y->failing ? -1 : x->failing > y->failing;
}

/* Those that still wait come first. */
static int by_reference(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	if (!x->state != !y->state)
		return x->state ? -1 : 1;
	return x->reference < y->reference ? -1 : x->reference > y->reference;
}

static struct hence_error *decode(struct work *w, const struct recording *run)
{
	const uint64_t room = mem_available() / 8 / (w->moments.size + 1);
	const struct state_options options = {
		.memory = room < MOST_MEMORY ? room : MOST_MEMORY, .stop = is_over, .context = w};
	VEC(uint64_t) times = VEC_INIT;
	struct hence_error *error;

	qsort(w->moments.at, w->moments.size, sizeof(*w->moments.at),
	      w->second ? by_reference : by_failing);
	for (uint32_t i = 0; i < w->moments.size; i++)
		if (!w->second || w->moments.at[i].state)
			*vec_push(&times) =
				w->second ? w->moments.at[i].reference : w->moments.at[i].failing;
	error = states_take(run, times.at, times.size, &options, take, w);
	vec_deinit(&times);
	return error;
}

/* --- the moments --- */

static void find_moments(struct work *w)
{
	const struct explain_memory_options *o = w->options;

	for (uint32_t i = 0; i < w->e->steps.size; i++) {
		const struct explanation_step *step = &w->e->steps.at[i];
		bool end = step->observed && !step->time;
		struct moment moment = {.step = i,
		                        .failing = end ? o->failing_time : step->time,
		                        .reference =
		                                end ? o->reference_time : step->reference_time};

		if (!moment.failing || step->memory.boxes.size)
			continue;
		if (!o->reference)
			moment.reference = 0;
		*vec_push(&w->moments) = moment;
	}
}

/* How many statements must be decoded. */
static uint64_t cost(const struct work *w)
{
	uint64_t failing = 0, reference = 0;

	for (uint32_t i = 0; i < w->moments.size; i++) {
		const struct moment *moment = &w->moments.at[i];

		failing = moment->failing > failing ? moment->failing : failing;
		reference = moment->reference > reference ? moment->reference : reference;
	}
	return failing + reference;
}

/* What was not drawn since it was ended early. */
static void note_missing(struct work *w)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < w->moments.size; i++)
		count += !w->e->steps.at[w->moments.at[i].step].memory.boxes.size;
	if (w->stopped && count)
		*vec_push(&w->e->notes) = str_format(
			"%u of the steps %s no memory graph: the search was ended before that",
			count, count == 1 ? "has" : "have");
}

struct hence_error *explain_memory(const struct explain_memory_options *options,
                                   struct explanation *out)
{
	struct work w = {.options = options, .e = out};
	uint64_t most = options->most ? options->most : MOST_STATEMENTS;
	struct hence_error *error = NULL;

	find_moments(&w);
	if (cost(&w) > most)
		*vec_push(&out->notes) = str_format(
			"memory graphs are left out: the steps lie within %llu statements, and "
			"only runs of up to %llu are decoded for them",
			(unsigned long long)cost(&w), (unsigned long long)most);
	else if (w.moments.size && !is_stopped(&w))
		error = decode(&w, options->failing);
	w.second = true;
	if (!error && options->reference && w.moments.size && !w.stopped)
		error = decode(&w, options->reference);
	note_missing(&w);
	for (uint32_t i = 0; i < w.moments.size; i++)
		state_destroy(w.moments.at[i].state);
	vec_deinit(&w.moments);
	return error;
}
