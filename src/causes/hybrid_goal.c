/* What a hybrid is to show at later points, values and ways of branches: see hybrid.h. */
#include "causes/hybrid_work.h"

/* Some bytes of a run's memory, as the other run has them. */
struct part {
	uint8_t *other; /* NULL: where a block is that only the other run has */
	uint8_t *mask;  /* NULL: all bits */
	uint32_t size;
};

/*
 * A point that must be reached. A hybrid that goes the other run's way passes its site as often as that
 * run does: when it shows what the other run did, it is there by that count.
 */
struct goal_place {
	struct point at;
	uint64_t begin;      /* the last experiment began there, */
	uint64_t own, other; /* and passes its site so often; as the other run does */
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
	uint64_t number;
	const struct hybrid_point *later;
	struct dd_set set;
	VEC(const struct align_fork *) forks;
	struct goal_side sides[2];
};

uint64_t hybrid_goal_number(const struct hybrid_goal *goal)
{
	return goal->number;
}

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
	if (goal) {
		dd_set_deinit(&goal->set);
		vec_deinit(&goal->forks);
	}
	free(goal);
}

struct hybrid_wanted hybrid_goal_wanted(const struct hybrid_goal *goal)
{
	return (struct hybrid_wanted){goal->later, &goal->set, goal->forks.at, goal->forks.size};
}

/* --- what it is --- */

static void *copy_bytes(const uint8_t *bytes, uint32_t size)
{
	return bytes ? memcpy(mem_alloc(size + 1), bytes, size) : NULL;
}

static void add_part(struct goal_side *side, struct reading reading, struct part part)
{
	*vec_push(&side->readings) = reading;
	*vec_push(&side->parts) = part;
	side->definite |= part.other != NULL;
}

/* A block that only the other run has, or has so large, as it would be in this one. */
struct new_block {
	uint8_t *bytes, *mask; /* what is known of it */
	uint32_t size;
	uint32_t parts;
	const struct change *pointer; /* in memory that is there, which leads to it; NULL: none */
};

static void fill_block(struct new_block *block, const struct change *change)
{
	uint64_t at = change->address;
	uint32_t size = change->kind == CHANGE_POINTER ? 8 : change->size;

	/* A block that must grow begins with what it was: that is not the other's. */
	if (at + size > block->size ||
	    (!block->parts++ && change->kind == CHANGE_BYTES && size < block->size))
		return;
	if (change->kind == CHANGE_POINTER) {
		memset(block->mask + at, 0, size);
		return;
	}
	memcpy(block->bytes + at, change->bytes, size);
	if (change->mask)
		memcpy(block->mask + at, change->mask, size);
	else
		memset(block->mask + at, 0xff, size);
}

static bool is_empty(const struct new_block *block)
{
	for (uint32_t i = 0; i < block->size; i++)
		if (block->mask[i])
			return false;
	return true;
}

/* It is read through the pointer. Without anything to compare, the pointer itself is all there is. */
static void add_block(struct goal_side *side, struct new_block *block)
{
	const struct change *pointer = block->pointer;

	if (pointer && is_empty(block))
		add_part(side, (struct reading){.address = pointer->address, .size = 8},
		         (struct part){.size = 8});
	if (!pointer || is_empty(block)) {
		free(block->bytes);
		free(block->mask);
		return;
	}
	add_part(side,
	         (struct reading){.address = pointer->address,
	                          .size = block->size,
	                          .through = true,
	                          .offset = -pointer->addend},
	         (struct part){block->bytes, block->mask, block->size});
}

static void add_changes(struct goal_side *side, const struct change *changes, uint32_t count)
{
	VEC(struct new_block) blocks = VEC_INIT;

	for (uint32_t i = 0; i < count; i++) {
		const struct change *c = &changes[i];

		if (c->kind == CHANGE_NEW)
			*vec_push(&blocks) = (struct new_block){.bytes = mem_alloc(c->size + 1),
			                                        .mask = mem_alloc(c->size + 1),
			                                        .size = c->size};
		else if (c->object)
			fill_block(&blocks.at[c->object - 1], c);
		else if (c->kind == CHANGE_POINTER)
			blocks.at[c->target - 1].pointer = c;
		else
			add_part(side, (struct reading){.address = c->address, .size = c->size},
			         (struct part){copy_bytes(c->bytes, c->size),
			                       copy_bytes(c->mask, c->size), c->size});
	}
	for (uint32_t i = 0; i < blocks.size; i++)
		add_block(side, &blocks.at[i]);
	vec_deinit(&blocks);
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
		add_changes(&goal->sides[i], changes, count);
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

	goal->number = ++h->goals;
	goal->later = later;
	for (uint32_t i = 0; i < fork_count; i++)
		*vec_push(&goal->forks) = forks[i];
	if (later)
		dd_set_copy(&goal->set, set);
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

/* How often its site is passed behind `time`, with the place itself. */
static struct hence_error *count_passes(struct hybrids *h, bool in_failing,
                                        const struct goal_place *place, uint64_t time,
                                        uint64_t *out)
{
	uint64_t from = time + 1, passed;
	struct hence_error *error =
		points_count(h->runs[in_failing], &place->at.site, &from, 1, &passed);

	if (!error)
		*out = place->at.count - passed;
	return error;
}

static struct hence_error *count_both(struct hybrids *h, bool in_failing, struct goal_place *place,
                                      const struct goal_place *other, uint64_t time)
{
	uint64_t there = in_failing ? alignment_of_a(h->alignment, time)
	                            : alignment_of_b(h->alignment, time);
	struct hence_error *error = NULL;

	if (place->begin == time)
		return NULL;
	error = count_passes(h, in_failing, place, time, &place->own);
	place->other = place->own;
	if (!error && there && there < other->at.time)
		error = count_passes(h, !in_failing, other, there, &place->other);
	place->begin = error ? 0 : time;
	return error;
}

/* The stops of an experiment, and what is to be told at those of a place. */
struct goal_stops {
	struct stop *at;
	uint32_t *count;
};

/* Stops at the place by both counts, or the first stop if that is there. */
static struct hence_error *add_stops(struct hybrids *h, bool in_failing, struct goal_place *place,
                                     const struct goal_place *other, uint64_t time,
                                     struct stop told, struct goal_stops *stops)
{
	struct hence_error *error;

	if (place->at.time == time) {
		stops->at[0].readings = told.readings ? told.readings : stops->at[0].readings;
		stops->at[0].reading_count += told.reading_count;
		stops->at[0].tell_outcome |= told.tell_outcome;
		return NULL;
	}
	error = count_both(h, in_failing, place, other, time);
	if (error)
		return error;
	told.site = place->at.site;
	told.count = place->own;
	stops->at[(*stops->count)++] = told;
	if (place->other == place->own)
		return NULL;
	told.count = place->other;
	stops->at[(*stops->count)++] = told;
	return NULL;
}

uint32_t hybrid_goal_stop_count(const struct hybrid_goal *goal)
{
	return 2 + 2 * goal->sides[0].branches.size;
}

struct hence_error *hybrid_goal_stops(struct hybrids *h, struct hybrid_goal *goal, bool in_failing,
                                      uint64_t time, struct stop *stops, uint32_t *count)
{
	struct goal_side *side = &goal->sides[in_failing], *other = &goal->sides[!in_failing];
	struct goal_stops all = {stops, count};
	struct hence_error *error = read_own(h, in_failing, side);

	if (!error && side->parts.size)
		error = add_stops(h, in_failing, &side->place, &other->place, time,
		                  (struct stop){.readings = side->readings.at,
		                                .reading_count = side->readings.size},
		                  &all);
	for (uint32_t i = 0; i < side->branches.size && !error; i++)
		error = add_stops(h, in_failing, &side->branches.at[i].place,
		                  &other->branches.at[i].place, time,
		                  (struct stop){.tell_outcome = true}, &all);
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

/* Are these the values of the unchanged run, or (`others`) of the other? */
static bool has_values(const struct goal_side *side, const struct stopped *stopped, bool others)
{
	const uint8_t *bytes = (const uint8_t *)str_text(&stopped->bytes);
	const uint8_t *own = (const uint8_t *)str_text(&side->own);

	if (!stopped->reached || stopped->bytes.length != side->own.length)
		return false;
	for (uint32_t i = 0; i < side->parts.size; i++) {
		const struct part *part = &side->parts.at[i];

		if (others ? !is_others(side, bytes, part) : !same_bits(bytes, own, part))
			return false;
		bytes += part->size;
		own += part->size;
	}
	return true;
}

static bool went(const struct stopped *stopped, uint32_t way)
{
	return stopped->has_outcome && stopped->outcome == way;
}

/* The stops of a place by the own count and by that of the other run. */
struct place_stops {
	const struct stopped *own, *other;
};

static struct place_stops stops_of(const struct goal_place *place, uint64_t time,
                                   const struct experiment_result *result, uint32_t *next)
{
	struct place_stops stops;

	if (place->at.time == time)
		return (struct place_stops){result->stops.at, result->stops.at};
	stops.own = &result->stops.at[(*next)++];
	stops.other = place->other == place->own ? stops.own : &result->stops.at[(*next)++];
	return stops;
}

enum verdict hybrid_goal_judge(const struct hybrid_goal *goal, bool in_failing, uint64_t time,
                               const struct experiment_result *result)
{
	const struct goal_side *side = &goal->sides[in_failing];
	struct shown shown = {true, true};
	struct place_stops stops;
	uint32_t next = 1;

	if (result->unreadable || result->diverged || !hybrid_goal_tells(goal, in_failing))
		return VERDICT_UNRESOLVED;
	if (side->parts.size) {
		stops = stops_of(&side->place, time, result, &next);
		shown.own &= has_values(side, stops.own, false);
		shown.other &= has_values(side, stops.other, true);
	}
	for (uint32_t i = 0; i < side->branches.size; i++) {
		const struct goal_branch *branch = &side->branches.at[i];

		stops = stops_of(&branch->place, time, result, &next);
		shown.own &= went(stops.own, branch->own);
		shown.other &= went(stops.other, branch->other);
	}
	if (shown.other)
		return in_failing ? VERDICT_PASS : VERDICT_FAIL;
	if (shown.own)
		return in_failing ? VERDICT_FAIL : VERDICT_PASS;
	return VERDICT_UNRESOLVED;
}
