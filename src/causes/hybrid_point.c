/* Points of a pair of runs, with their differences: see hybrid.h. */
#include "causes/hybrid.h"

uint32_t hybrids_room(uint32_t workers)
{
	return workers ? workers : trials_cores();
}

/* --- where they are --- */

static struct hence_error *find_points(struct hybrids *h, bool in_failing, const uint64_t *times,
                                       uint32_t count, struct hybrid_point *out)
{
	struct point *found = mem_alloc((count + 1) * sizeof(*found));
	struct hence_error *error = points_find(h->runs[in_failing], times, count, found);

	for (uint32_t i = 0; i < count && !error; i++) {
		out[i].times[in_failing] = times[i];
		out[i].points[in_failing] = found[i];
	}
	free(found);
	return error ? error : symptom_expect(h->symptom, in_failing, times, count);
}

/* --- states --- */

struct taking {
	struct hybrid_point *out;
	bool in_failing;
};

static bool take(void *context, uint32_t index, struct state *state)
{
	struct taking *taking = context;

	taking->out[index].states[taking->in_failing] = state;
	return true;
}

static struct hence_error *take_states(struct hybrids *h, bool in_failing, const uint64_t *times,
                                       uint32_t count, struct hybrid_point *out)
{
	struct taking taking = {out, in_failing};
	struct state_options options = {.memory = mem_available() / 8 / (count + 1)};

	return states_take(h->runs[in_failing], times, count, &options, take, &taking);
}

struct hence_error *hybrids_prepare(struct hybrids *h, const uint64_t *times, uint32_t count,
                                    struct hybrid_point *out)
{
	uint64_t *others = mem_alloc((count + 1) * sizeof(*others));
	struct hence_error *error = NULL;

	memset(out, 0, count * sizeof(*out));
	for (uint32_t i = 0; i < count; i++)
		others[i] = alignment_of_a(h->alignment, times[i]);
	for (uint32_t side = 0; side < 2 && !error; side++) {
		error = find_points(h, side, side ? times : others, count, out);
		if (!error)
			error = take_states(h, side, side ? times : others, count, out);
	}
	free(others);
	for (uint32_t i = 0; i < count && error; i++)
		hybrid_point_deinit(&out[i]);
	return error;
}

void hybrid_point_deinit(struct hybrid_point *point)
{
	if (point->diff)
		state_diff_destroy(point->diff);
	for (uint32_t side = 0; side < 2; side++) {
		if (point->states[side])
			state_destroy(point->states[side]);
		hybrid_verdicts_deinit(&point->verdicts[side]);
	}
	*point = (struct hybrid_point){0};
}

/* --- differences --- */

/* Reads what the decoder does not know from the program itself, at that point. */
static struct hence_error *learn_unknown(struct hybrids *h, struct hybrid_point *point,
                                         bool in_failing)
{
	struct stop stop = {.site = point->points[in_failing].site,
	                    .count = point->points[in_failing].count};
	struct experiment experiment = {
		.time = point->times[in_failing], .stops = &stop, .stop_count = 1};
	struct experiment_result result = {0};
	struct hence_error *error;

	stop.readings = states_unknown(point->states[true], point->states[false], h->alignment,
	                               !in_failing, &stop.reading_count);
	if (!stop.readings || !stop.reading_count)
		return NULL;
	error = experiments_run(h->pools[in_failing], &experiment, &result);
	if (error)
		return error;
	h->asked++;
	if (result.stops.size && result.stops.at[0].reached)
		state_know(point->states[in_failing],
		           (const uint8_t *)str_text(&result.stops.at[0].bytes));
	experiment_result_deinit(&result);
	return NULL;
}

struct hence_error *hybrid_compare(struct hybrids *h, struct hybrid_point *point)
{
	struct hence_error *error = NULL;

	if (point->diff)
		return NULL;
	for (uint32_t side = 0; side < 2 && !error; side++)
		error = learn_unknown(h, point, side);
	if (error)
		return error;
	point->diff = states_compare(point->states[true], point->states[false], h->alignment);
	point->differences = state_diff_all(point->diff, &point->count);
	return NULL;
}
