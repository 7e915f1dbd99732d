/* Differences that runs which pass have among each other as well: see explain.h. */
#include <stdlib.h>
#include <string.h>

#include "causes/explain.h"
#include "causes/explain_work.h"

/* The two runs that pass at the points of the steps. */
struct usual {
	struct explanation *e;
	const struct alignment *alignment; /* the reference is the first */
	VEC(uint32_t) steps; /* numbers of those that both runs have, in order of time */
	VEC(uint64_t) times[2];
	VEC(struct state *) states; /* of the reference, in that order */
	bool second;
};

/* --- the variables --- */

static bool is_difference(const struct explanation_value *value, const struct difference *d)
{
	const struct explanation_value other = {.name = d->name, .function = d->function};

	return explain_same_variable(value, &other);
}

static bool differs(const struct explanation_value *value, const struct difference *all,
                    uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (is_difference(value, &all[i]))
			return true;
	return false;
}

static void judge(struct usual *u, uint32_t index, struct state *other)
{
	struct explanation_step *step = &u->e->steps.at[u->steps.at[index]];
	struct state_diff *diff = states_compare(u->states.at[index], other, u->alignment);
	uint32_t count;
	const struct difference *all = state_diff_all(diff, &count);
	bool usual = step->values.size > 0;

	for (uint32_t i = 0; i < step->values.size; i++)
		usual &= differs(&step->values.at[i], all, count);
	step->usual |= usual;
	state_diff_destroy(diff);
}

/* --- the states --- */

static bool take(void *context, uint32_t index, struct state *state)
{
	struct usual *u = context;

	if (!u->second) {
		*vec_push(&u->states) = state;
		return true;
	}
	judge(u, index, state);
	state_destroy(state);
	return true;
}

static int by_reference_time(const void *a, const void *b, void *context)
{
	const struct explanation *e = context;
	uint64_t x = e->steps.at[*(const uint32_t *)a].reference_time;
	uint64_t y = e->steps.at[*(const uint32_t *)b].reference_time;

	return x < y ? -1 : x > y;
}

static void list_steps(struct usual *u)
{
	for (uint32_t i = 0; i < u->e->steps.size; i++) {
		uint64_t time = u->e->steps.at[i].reference_time;

		if (time && u->e->steps.at[i].values.size && alignment_of_a(u->alignment, time))
			*vec_push(&u->steps) = i;
	}
	if (u->steps.size)
		qsort_r(u->steps.at, u->steps.size, sizeof(*u->steps.at), by_reference_time, u->e);
	for (uint32_t i = 0; i < u->steps.size; i++) {
		uint64_t time = u->e->steps.at[u->steps.at[i]].reference_time;

		*vec_push(&u->times[0]) = time;
		*vec_push(&u->times[1]) = alignment_of_a(u->alignment, time);
	}
}

static struct hence_error *compare(struct usual *u, const struct recording *reference,
                                   const struct recording *other)
{
	struct state_options options = {.memory = mem_available() / 8 / (u->steps.size + 1)};
	struct hence_error *error =
		states_take(reference, u->times[0].at, u->steps.size, &options, take, u);

	u->second = true;
	if (!error)
		error = states_take(other, u->times[1].at, u->states.size, &options, take, u);
	return error;
}

struct hence_error *explain_usual(const struct recording *reference, const struct recording *other,
                                  const struct align_options *options, struct explanation *out)
{
	struct usual u = {.e = out};
	struct alignment alignment;
	struct hence_error *error = align_runs(reference, other, options, &alignment);

	if (error)
		return error;
	u.alignment = &alignment;
	list_steps(&u);
	if (u.steps.size)
		error = compare(&u, reference, other);
	for (uint32_t i = 0; i < u.states.size; i++)
		state_destroy(u.states.at[i]);
	vec_deinit(&u.states);
	vec_deinit(&u.steps);
	vec_deinit(&u.times[0]);
	vec_deinit(&u.times[1]);
	alignment_deinit(&alignment);
	return error;
}
