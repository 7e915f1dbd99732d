/* Experiments that compare two runs, once more: see repeat.h. */
#include <stdlib.h>
#include <string.h>

#include "causes/repeat_compare.h"

/* --- the points --- */

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static bool is_compared(const struct repeat_item *item)
{
	return !repeat_is_alone(item) && !item->why;
}

static void add_time(struct repeat_times *times, uint64_t time)
{
	if (time)
		*vec_push(&times->at) = time;
}

static struct hence_error *locate_side(struct repeat_comparison *c, bool in_failing)
{
	VEC(struct repeat_place) places = VEC_INIT;
	VEC(uint32_t) numbers = VEC_INIT;
	struct hence_error *error;

	for (uint32_t i = 0; i < c->items->all.size; i++) {
		const struct repeat_item *item = &c->items->all.at[i];

		if (!is_compared(item) || repeat_in_failing(item) != in_failing)
			continue;
		*vec_push(&places) = (struct repeat_place){.at = &item->proof->at,
		                                           .instance = item->proof->instance,
		                                           .hint = item->proof->time};
		*vec_push(&numbers) = i;
	}
	error = repeat_locate(c->h.runs[in_failing], places.at, places.size);
	for (uint32_t i = 0; i < numbers.size && !error; i++)
		c->times.at[numbers.at[i]] = places.at[i].time;
	vec_deinit(&places);
	vec_deinit(&numbers);
	return error;
}

/* Places are those of the failing version's source: in another version the time tells, and the number must fit it. */
static struct hence_error *locate_version(struct repeat_comparison *c)
{
	struct hence_error *error = NULL;

	for (uint32_t i = 0; i < c->items->all.size && !error; i++) {
		const struct repeat_item *item = &c->items->all.at[i];
		struct point point;

		if (!is_compared(item) || repeat_in_failing(item) || !item->proof->time ||
		    item->proof->time > c->h.alignment->b_statements)
			continue;
		error = points_find(c->h.runs[false], &item->proof->time, 1, &point);
		if (!error && point.count == item->proof->instance)
			c->times.at[i] = item->proof->time;
	}
	return error;
}

/* The point of an item in the failing run; 0: that has none. */
static uint64_t failing_time(const struct repeat_comparison *c, uint32_t number)
{
	const struct repeat_item *item = &c->items->all.at[number];
	uint64_t time = c->times.at[number];

	return repeat_in_failing(item) ? time : alignment_of_b(c->h.alignment, time);
}

static char *place_text(const struct explanation_proof *proof)
{
	return str_format("%s:%u:%u for the %llu. time", proof->at.file ? proof->at.file : "?",
	                  proof->at.line, proof->at.column, (unsigned long long)proof->instance);
}

/* Refuses items whose points are not there, and lists the times of the others. */
static void list_times(struct repeat_comparison *c, struct repeat_times *out)
{
	for (uint32_t i = 0; i < c->items->all.size; i++) {
		struct repeat_item *item = &c->items->all.at[i];
		uint64_t time = is_compared(item) ? failing_time(c, i) : 0;
		char *place = is_compared(item) ? place_text(item->proof) : NULL;

		if (place && !c->times.at[i])
			repeat_refuse(item, REPEAT_UNTRIED,
			              str_format("the %s run does not come to %s", item->proof->in,
			                         place));
		else if (place && !alignment_of_a(c->h.alignment, time) && !repeat_is_branch(item))
			repeat_refuse(item, REPEAT_UNTRIED,
			              str_format("the other run has no point like %s", place));
		free(place);
		if (!is_compared(item))
			continue;
		if (alignment_of_a(c->h.alignment, time))
			add_time(out, time);
		for (uint32_t k = 0; k < item->proof->aims.size; k++)
			if (alignment_of_a(c->h.alignment, item->proof->aims.at[k].time))
				add_time(out, item->proof->aims.at[k].time);
	}
}

static struct hence_error *prepare_points(struct repeat_comparison *c)
{
	struct repeat_times times = {VEC_INIT};
	uint32_t kept = 0;
	struct hence_error *error;

	add_time(&times, c->last);
	list_times(c, &times);
	qsort(times.at.at, times.at.size, sizeof(*times.at.at), by_value);
	for (uint32_t i = 0; i < times.at.size; i++)
		if (!kept || times.at.at[kept - 1] != times.at.at[i])
			times.at.at[kept++] = times.at.at[i];
	vec_reserve(&c->points, kept);
	error = hybrids_prepare(&c->h, times.at.at, kept, c->points.at);
	if (!error)
		c->points.size = kept;
	vec_deinit(&times.at);
	return error;
}

struct hybrid_point *repeat_point(struct repeat_comparison *c, uint64_t time)
{
	for (uint32_t i = 0; i < c->points.size; i++)
		if (c->points.at[i].times[true] == time)
			return &c->points.at[i];
	return NULL;
}

/* --- rails --- */

static bool has_guarded(const struct repeat_comparison *c)
{
	for (uint32_t i = 0; i < c->items->all.size; i++)
		if (is_compared(&c->items->all.at[i]) && c->items->all.at[i].proof->guarded)
			return true;
	return false;
}

static struct hence_error *make_rails(struct repeat_comparison *c)
{
	struct hence_error *error = NULL;

	for (uint32_t i = 0; i < 2 && !error; i++) {
		const struct rail *all;
		uint32_t count;

		error = rails_create(c->h.runs[true], c->h.runs[false], c->h.alignment, !i,
		                     &c->rails[i]);
		if (error)
			break;
		all = rails_all(c->rails[i], &count);
		error = experiments_set_rails(c->h.pools[i], all, count);
	}
	return error;
}

static void set_rails(struct repeat_comparison *c, bool guarded)
{
	for (unsigned i = 0; i < 2; i++)
		c->h.rails[i] = guarded ? c->rails[i] : NULL;
}

/* Those that need them cannot be made without. */
static struct hence_error *prepare_rails(struct repeat_comparison *c)
{
	struct hence_error *error = has_guarded(c) ? make_rails(c) : NULL;

	for (uint32_t i = 0; i < c->items->all.size && error; i++)
		if (is_compared(&c->items->all.at[i]) && c->items->all.at[i].proof->guarded)
			repeat_refuse(&c->items->all.at[i], REPEAT_UNTRIED,
			              str_format("no guard rails: %s", error->message));
	error_destroy(error);
	set_rails(c, has_guarded(c));
	return hybrids_check(&c->h, repeat_point(c, c->last));
}

/* --- the whole --- */

static void repeat(struct repeat_comparison *c, uint32_t number)
{
	struct repeat_item *item = &c->items->all.at[number];
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct hence_error *error;

	set_rails(c, item->proof->guarded);
	error = repeat_is_branch(item) ? repeat_branch(c, item, c->times.at[number],
	                                               failing_time(c, number), &verdict)
	                               : repeat_values(c, item, failing_time(c, number), &verdict);
	if (error)
		repeat_refuse(item, REPEAT_UNTRIED, mem_strdup(error->message));
	else if (c->h.stop && c->h.stop(c->h.context))
		repeat_refuse(item, REPEAT_UNTRIED, mem_strdup("the time was over"));
	error_destroy(error);
	if (!item->why)
		repeat_judge(item, item->proof->outcome, verdict);
}

static struct hence_error *prepare(struct repeat_comparison *c)
{
	struct hence_error *error = NULL;

	c->last = alignment_until_a(c->h.alignment, c->symptom.failing_time);
	if (!c->last)
		return error_create(HENCE_ERROR_INPUT,
		                    "the two runs have no point in common before the failure");
	for (uint32_t i = 0; i < c->items->all.size; i++)
		vec_push(&c->times);
	for (unsigned side = 0; side < 2 && !error; side++)
		error = !side && c->h.alignment->versions ? locate_version(c)
		                                          : locate_side(c, side);
	if (!error)
		error = prepare_points(c);
	if (!error)
		error = prepare_rails(c);
	if (!error)
		error = repeat_describe_branches(c);
	return error;
}

static void deinit(struct repeat_comparison *c)
{
	for (uint32_t i = 0; i < c->points.size; i++)
		hybrid_point_deinit(&c->points.at[i]);
	for (uint32_t i = 0; i < c->branches.size; i++) {
		free(c->branches.at[i].changed);
		free(c->branches.at[i].values[0]);
		free(c->branches.at[i].values[1]);
	}
	vec_deinit(&c->points);
	vec_deinit(&c->branches);
	vec_deinit(&c->times);
	rails_destroy(c->rails[0]);
	rails_destroy(c->rails[1]);
}

struct hence_error *repeat_compared(const struct repeat_runs *runs, struct repeat_items *items)
{
	struct repeat_comparison c = {
		.items = items,
		.h = {.pools = {runs->pools[0], runs->pools[1]},
	              .runs = {runs->runs[0].recording, runs->runs[1].recording},
	              .alignment = runs->alignment,
	              .symptom = &c.symptom,
	              .room = hybrids_room(runs->workers),
	              .stop = runs->stop,
	              .progress = runs->progress,
	              .context = runs->context,
	              .phase = "comparing"}};
	struct hence_error *error = symptom_find(&runs->runs[true], &runs->runs[false],
	                                         runs->alignment, runs->oracle, &c.symptom);

	if (error)
		return error;
	error = prepare(&c);
	for (uint32_t i = 0; i < items->all.size && !error; i++)
		if (is_compared(&items->all.at[i]))
			repeat(&c, i);
	deinit(&c);
	symptom_deinit(&c.symptom);
	return error;
}
