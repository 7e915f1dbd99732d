/* What a hybrid is to show at later points, values and ways of branches: see hybrid.h. */
#include "causes/hybrid_work.h"

/* Some bytes of a run's memory, as the other run has them. */
struct part {
	uint8_t *other; /* NULL: the address of a block that only the other run has */
	uint8_t *mask;  /* NULL: all bits */
	uint32_t size;
};

/* A point that must be reached. */
struct goal_place {
	struct point at;
	uint64_t begin, count; /* the last experiment began there, and passes its site so often */
};

struct goal_branch {
	struct goal_place place;
	uint32_t own, other; /* ways */
};

/* As hybrids of one of the runs show it. */
struct goal_side {
	struct goal_place place; /* of the values */
	VEC(struct reading) readings;
	VEC(struct part) parts; /* one for each reading */
	bool definite;          /* not all of them are addresses of blocks */
	bool known;             /* what the unchanged run has there: */
	struct str own;
	VEC(struct goal_branch) branches;
};

struct hybrid_goal {
	struct goal_side sides[2];
};

void hybrid_goal_destroy(struct hybrid_goal *goal)
{
	for (unsigned i = 0; i < 2 && goal; i++) {
		struct goal_side *side = &goal->sides[i];

		for (uint32_t k = 0; k < side->parts.size; k++) {
			free(side->parts.at[k].other);
			free(side->parts.at[k].mask);
		}
		vec_deinit(&side->parts);
		vec_deinit(&side->readings);
		vec_deinit(&side->branches);
		str_deinit(&side->own);
	}
	free(goal);
}

/* --- what it is --- */

static void *copy_bytes(const uint8_t *bytes, uint32_t size)
{
	return bytes ? memcpy(mem_alloc(size + 1), bytes, size) : NULL;
}

/* What would be in a new block cannot be read back; that a pointer leads to one can. */
static void add_change(struct goal_side *side, const struct change *change)
{
	if (change->object || change->kind == CHANGE_NEW)
		return;
	if (change->kind == CHANGE_POINTER) {
		*vec_push(&side->readings) = (struct reading){change->address, 8};
		*vec_push(&side->parts) = (struct part){.size = 8};
		return;
	}
	side->definite = true;
	*vec_push(&side->readings) = (struct reading){change->address, change->size};
	*vec_push(&side->parts) =
		(struct part){copy_bytes(change->bytes, change->size),
	                      copy_bytes(change->mask, change->size), change->size};
}

static void add_values(struct hybrid_goal *goal, struct hybrid_point *later,
                       const struct dd_set *set)
{
	VEC(uint32_t) chosen = VEC_INIT;
	const struct change *changes;
	uint32_t count;

	for (uint32_t i = 0; i < set->size; i++)
		*vec_push(&chosen) = dd_set_nth(set, i);
	for (unsigned i = 0; i < 2 && chosen.size; i++) {
		goal->sides[i].place.at = later->points[i];
		changes = state_diff_changes(later->diff, chosen.at, chosen.size, i, &count);
		for (uint32_t k = 0; k < count; k++)
			add_change(&goal->sides[i], &changes[k]);
	}
	vec_deinit(&chosen);
}

static struct hence_error *add_branches(struct hybrids *h, struct hybrid_goal *goal,
                                        const struct align_fork *const *forks, uint32_t count)
{
	uint64_t *times = mem_alloc((count + 1) * sizeof(*times));
	struct point *points[2] = {mem_alloc((count + 1) * sizeof(**points)),
	                           mem_alloc((count + 1) * sizeof(**points))};
	uint32_t *ways[2] = {mem_alloc((count + 1) * sizeof(**ways)),
	                     mem_alloc((count + 1) * sizeof(**ways))};
	struct hence_error *error = NULL;

	for (unsigned i = 0; i < 2 && !error; i++) {
		for (uint32_t k = 0; k < count; k++)
			times[k] = i ? forks[k]->a : forks[k]->b;
		error = points_find(h->runs[i], times, count, points[i]);
		if (!error)
			error = points_ways(h->runs[i], times, count, ways[i]);
	}
	for (uint32_t k = 0; k < count && !error; k++)
		for (unsigned i = 0; i < 2; i++)
			if (ways[0][k] != POINTS_NO_WAY && ways[1][k] != POINTS_NO_WAY)
				*vec_push(&goal->sides[i].branches) = (struct goal_branch){
					{.at = points[i][k]}, ways[i][k], ways[!i][k]};
	for (unsigned i = 0; i < 2; i++) {
		free(points[i]);
		free(ways[i]);
	}
	free(times);
	return error;
}

bool hybrid_goal_tells(const struct hybrid_goal *goal, bool in_failing)
{
	const struct goal_side *side = &goal->sides[in_failing];

	return side->parts.size || side->branches.size;
}

struct hence_error *hybrid_goal_create(struct hybrids *h, struct hybrid_point *later,
                                       const struct dd_set *set,
                                       const struct align_fork *const *forks, uint32_t fork_count,
                                       struct hybrid_goal **out)
{
	struct hybrid_goal *goal = mem_alloc(sizeof(*goal));
	struct hence_error *error = NULL;

	if (later)
		add_values(goal, later, set);
	if (fork_count)
		error = add_branches(h, goal, forks, fork_count);
	if (error || (!hybrid_goal_tells(goal, false) && !hybrid_goal_tells(goal, true))) {
		hybrid_goal_destroy(goal);
		goal = NULL;
	}
	if (!error)
		*out = goal;
	return error;
}

/* --- where it is read --- */

/* What the unchanged run has there. */
static struct hence_error *read_own(struct hybrids *h, bool in_failing, struct goal_side *side)
{
	struct stop stop = {.site = side->place.at.site,
	                    .count = side->place.at.count,
	                    .readings = side->readings.at,
	                    .reading_count = side->readings.size};
	struct experiment experiment = {
		.time = side->place.at.time, .stops = &stop, .stop_count = 1};
	struct experiment_result result = {0};
	struct hence_error *error;

	if (side->known || !side->parts.size)
		return NULL;
	error = experiments_run(h->pools[in_failing], &experiment, &result);
	if (error)
		return error;
	h->asked++;
	side->known = true;
	if (result.stops.size)
		str_add_bytes(&side->own, str_text(&result.stops.at[0].bytes),
		              result.stops.at[0].bytes.length);
	experiment_result_deinit(&result);
	return NULL;
}

/* A stop at the place, or the first one if that is there. */
static struct hence_error *add_stop(struct hybrids *h, bool in_failing, struct goal_place *place,
                                    uint64_t time, struct stop *stops, uint32_t *count,
                                    struct stop **out)
{
	uint64_t from = time + 1, passed;
	struct hence_error *error;

	*out = stops;
	if (place->at.time == time)
		return NULL;
	if (place->begin != time) {
		error = points_count(h->runs[in_failing], &place->at.site, &from, 1, &passed);
		if (error)
			return error;
		place->begin = time;
		place->count = place->at.count - passed;
	}
	*out = &stops[(*count)++];
	**out = (struct stop){.site = place->at.site, .count = place->count};
	return NULL;
}

uint32_t hybrid_goal_stop_count(const struct hybrid_goal *goal)
{
	return 1 + goal->sides[0].branches.size;
}

struct hence_error *hybrid_goal_stops(struct hybrids *h, struct hybrid_goal *goal, bool in_failing,
                                      uint64_t time, struct stop *stops, uint32_t *count)
{
	struct goal_side *side = &goal->sides[in_failing];
	struct hence_error *error = read_own(h, in_failing, side);
	struct stop *stop;

	if (!error && side->parts.size) {
		error = add_stop(h, in_failing, &side->place, time, stops, count, &stop);
		if (error)
			return error;
		stop->readings = side->readings.at;
		stop->reading_count = side->readings.size;
	}
	for (uint32_t i = 0; i < side->branches.size && !error; i++) {
		error = add_stop(h, in_failing, &side->branches.at[i].place, time, stops, count,
		                 &stop);
		if (!error)
			stop->tell_outcome = true;
	}
	return error;
}

/* --- what it shows --- */

struct shown {
	bool own, other; /* still, all of it */
};

static bool same_bits(const uint8_t *a, const uint8_t *b, const struct part *part)
{
	for (uint32_t i = 0; i < part->size; i++)
		if ((a[i] ^ b[i]) & (part->mask ? part->mask[i] : 0xff))
			return false;
	return true;
}

/* Where a block would be that only the other run has is not known. */
static bool is_others(const struct goal_side *side, const uint8_t *bytes, const struct part *part)
{
	return part->other ? same_bits(bytes, part->other, part) : side->definite;
}

static void compare_values(const struct goal_side *side, const struct stopped *stopped,
                           struct shown *shown)
{
	const uint8_t *bytes = (const uint8_t *)str_text(&stopped->bytes);
	const uint8_t *own = (const uint8_t *)str_text(&side->own);

	if (!stopped->reached || stopped->bytes.length != side->own.length) {
		*shown = (struct shown){false, false};
		return;
	}
	for (uint32_t i = 0; i < side->parts.size; i++) {
		const struct part *part = &side->parts.at[i];

		shown->own &= same_bits(bytes, own, part);
		shown->other &= is_others(side, bytes, part);
		bytes += part->size;
		own += part->size;
	}
}

/* The stop of a place. */
static const struct stopped *stop_of(const struct goal_place *place, uint64_t time,
                                     const struct experiment_result *result, uint32_t *next)
{
	return &result->stops.at[place->at.time == time ? 0 : (*next)++];
}

enum verdict hybrid_goal_judge(const struct hybrid_goal *goal, bool in_failing, uint64_t time,
                               const struct experiment_result *result)
{
	const struct goal_side *side = &goal->sides[in_failing];
	struct shown shown = {true, true};
	uint32_t next = 1;

	if (result->unreadable || result->diverged || !hybrid_goal_tells(goal, in_failing))
		return VERDICT_UNRESOLVED;
	if (side->parts.size)
		compare_values(side, stop_of(&side->place, time, result, &next), &shown);
	for (uint32_t i = 0; i < side->branches.size; i++) {
		const struct goal_branch *branch = &side->branches.at[i];
		const struct stopped *stopped = stop_of(&branch->place, time, result, &next);

		shown.own &= stopped->has_outcome && stopped->outcome == branch->own;
		shown.other &= stopped->has_outcome && stopped->outcome == branch->other;
	}
	if (shown.other)
		return in_failing ? VERDICT_PASS : VERDICT_FAIL;
	if (shown.own)
		return in_failing ? VERDICT_FAIL : VERDICT_PASS;
	return VERDICT_UNRESOLVED;
}
