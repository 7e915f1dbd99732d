/* Questions about hybrid runs: see hybrid.h. */
#include "methods/hybrid.h"

#include <assert.h>

#include "methods/exact.h"

/* An experiment that begins at a point of one run, and how it is judged. */
struct hybrid_trial {
	struct hybrids *h;
	bool in_failing;
	struct point at;
	struct hybrid_goal *goal; /* NULL: by the symptom */
};

/* ------ what a hybrid is to show at later points, values and ways of branches ------ */

/* Some bytes of a run's memory, as the other run has them. */
struct part {
	uint8_t *other; /* NULL: where a block is that only the other run has */
	uint8_t *mask;  /* NULL: all bits */
	uint32_t size;
};

/*
 * A point that must be reached. A hybrid that goes the other run's way passes its site as often as
 * that run does: when it shows what the other run did, it is there by that count.
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
	uint8_t *bytes, *mask; /* the bytes that are known */
	uint32_t size;
	uint32_t parts;
	const struct change *pointer; /* in memory that is there, which leads to it; NULL: none */
};

static bool is_empty(const struct new_block *block)
{
	for (uint32_t i = 0; i < block->size; i++)
		if (block->mask[i])
			return false;
	return true;
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
		else if (c->object) {
			struct new_block *block = &blocks.at[c->object - 1];
			uint64_t at = c->address;
			uint32_t size = c->kind == CHANGE_POINTER ? 8 : c->size;

			/* A block that must grow begins with its old bytes, which are not the other
			   run's. */
			if (at + size > block->size ||
			    (!block->parts++ && c->kind == CHANGE_BYTES && size < block->size))
				continue;
			if (c->kind == CHANGE_POINTER) {
				memset(block->mask + at, 0, size);
				continue;
			}
			memcpy(block->bytes + at, c->bytes, size);
			if (c->mask)
				memcpy(block->mask + at, c->mask, size);
			else
				memset(block->mask + at, 0xff, size);
		} else if (c->kind == CHANGE_POINTER)
			blocks.at[c->target - 1].pointer = c;
		else
			add_part(side, (struct reading){.address = c->address, .size = c->size},
			         (struct part){copy_bytes(c->bytes, c->size),
			                       copy_bytes(c->mask, c->size), c->size});
	}
	for (uint32_t i = 0; i < blocks.size; i++) {
		/* The block is read through the pointer. If it has no byte to compare, only the
		   pointer itself is compared. */
		struct new_block *block = &blocks.at[i];
		const struct change *pointer = block->pointer;

		if (pointer && is_empty(block))
			add_part(side, (struct reading){.address = pointer->address, .size = 8},
			         (struct part){.size = 8});
		if (!pointer || is_empty(block)) {
			free(block->bytes);
			free(block->mask);
			continue;
		}
		add_part(side,
		         (struct reading){.address = pointer->address,
		                          .size = block->size,
		                          .through = true,
		                          .offset = -pointer->addend},
		         (struct part){block->bytes, block->mask, block->size});
	}
	vec_deinit(&blocks);
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
		error = points_find(h->pair.runs[i].recording, times, count, points[i]);
		if (!error)
			error = points_ways(h->pair.runs[i].recording, times, count, ways[i]);
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

/* Can it be told from a hybrid of that run? */
static bool hybrid_goal_tells(const struct hybrid_goal *goal, bool in_failing)
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
	if (later) {
		VEC(uint32_t) chosen = VEC_INIT;
		const struct change *changes;
		uint32_t count;

		dd_set_copy(&goal->set, set);
		for (uint32_t i = 0; i < set->size; i++)
			*vec_push(&chosen) = dd_set_nth(set, i);
		for (unsigned i = 0; i < 2 && chosen.size; i++) {
			goal->sides[i].place.at = later->points[i];
			changes =
				state_diff_changes(later->diff, chosen.at, chosen.size, i, &count);
			add_changes(&goal->sides[i], changes, count);
		}
		vec_deinit(&chosen);
	}
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
	error = experiments_run(h->pair.pools[in_failing], &experiment, &result);
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

/* How often its site is passed after `time`, with the place itself. */
static struct hence_error *count_passes(struct hybrids *h, bool in_failing,
                                        const struct goal_place *place, uint64_t time,
                                        uint64_t *out)
{
	uint64_t from = time + 1, passed;
	struct hence_error *error = points_count(h->pair.runs[in_failing].recording,
	                                         &place->at.site, &from, 1, &passed);

	if (!error)
		*out = place->at.count - passed;
	return error;
}

static struct hence_error *count_both(struct hybrids *h, bool in_failing, struct goal_place *place,
                                      const struct goal_place *other, uint64_t time)
{
	uint64_t there = in_failing ? alignment_of_a(h->pair.alignment, time)
	                            : alignment_of_b(h->pair.alignment, time);
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

/* The stops at which it is read, of an experiment of that run that begins at `time`; appended. What
   is to be read at that point itself is added to the first stop. */
static struct hence_error *hybrid_goal_stops(struct hybrids *h, struct hybrid_goal *goal,
                                             bool in_failing, uint64_t time, struct stop *stops,
                                             uint32_t *count)
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

static enum verdict hybrid_goal_judge(const struct hybrid_goal *goal, bool in_failing,
                                      uint64_t time, const struct experiment_result *result)
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

/* ------ one experiment on a hybrid run ------ */

static struct hence_error *add_stops_of_trial(const struct hybrid_trial *t, struct stop *stops,
                                              uint32_t *count)
{
	if (t->goal)
		return hybrid_goal_stops(t->h, t->goal, t->in_failing, t->at.time, stops, count);
	return symptom_stops(t->h->pair.symptom, t->in_failing, t->at.time, stops, count);
}

/* Starts it. `first` has what is done at the point itself; its place is filled in here. */
static struct hence_error *hybrid_trial_start(const struct hybrid_trial *t, struct stop first,
                                              uint64_t serial)
{
	/* The first stop, and at most so many others. */
	uint32_t room = 1 + (t->goal ? 2 + 2 * t->goal->sides[0].branches.size : SYMPTOM_STOPS);
	struct stop *stops = mem_alloc(room * sizeof(*stops));
	const struct rails *rails = t->h->rails[t->in_failing];
	struct experiment experiment = {.time = t->at.time,
	                                .stops = stops,
	                                .stop_count = 1,
	                                .on_rails = rails,
	                                .rail = rails ? rails_at(rails, t->at.time) : 0,
	                                .ends = t->goal};
	struct hence_error *error;

	stops[0] = first;
	stops[0].site = t->at.site;
	stops[0].count = t->at.count;
	error = add_stops_of_trial(t, stops, &experiment.stop_count);
	if (!error)
		error = experiments_start(t->h->pair.pools[t->in_failing], &experiment, serial);
	free(stops);
	return error;
}

static enum verdict hybrid_trial_judge(const struct hybrid_trial *t,
                                       const struct experiment_result *result)
{
	enum verdict verdict;

	if (t->goal)
		verdict = hybrid_goal_judge(t->goal, t->in_failing, t->at.time, result);
	else if (result->off_rails)
		verdict = VERDICT_UNRESOLVED;
	else
		verdict = symptom_judge(t->h->pair.symptom, t->in_failing, t->at.time, result, 1);
	t->h->confounded += result->off_rails && verdict == VERDICT_UNRESOLVED;
	return verdict;
}

/* So many verdicts were used. */
static void hybrid_count(struct hybrids *h, uint64_t asked)
{
	h->asked += asked;
	budget_show(h->pair.budget, h->asked, h->phase);
}

/* ------ runs of which no value is changed ------ */

/* Caller frees the result. */
static struct hence_error *run_alone(const struct hybrid_trial *trial, struct stop first,
                                     struct experiment_result *out)
{
	struct hence_error *error = hybrid_trial_start(trial, first, ++trial->h->serial);
	uint64_t serial;

	if (!error)
		error = experiments_wait(trial->h->pair.pools[trial->in_failing], &serial, out);
	hybrid_count(trial->h, 1);
	return error;
}

static struct hence_error *ask_alone(const struct hybrid_trial *trial, struct stop first,
                                     enum verdict *out)
{
	struct experiment_result result = {0};
	struct hence_error *error = run_alone(trial, first, &result);

	if (error)
		return error;
	*out = hybrid_trial_judge(trial, &result);
	experiment_result_deinit(&result);
	return NULL;
}

struct hence_error *hybrid_switch(struct hybrids *h, const struct point *at, bool in_failing,
                                  enum verdict *out)
{
	struct hybrid_trial trial = {.h = h, .in_failing = in_failing, .at = *at};

	return ask_alone(&trial, (struct stop){.force = FORCE_SWITCHED}, out);
}

struct hence_error *hybrid_force(struct hybrids *h, const struct align_fork *fork, bool in_failing,
                                 struct hybrid_goal *goal, enum verdict *out)
{
	struct hybrid_trial trial = {.h = h, .in_failing = in_failing, .goal = goal};
	struct stop first = {.force = FORCE_BRANCH};
	uint64_t own = in_failing ? fork->a : fork->b, other = in_failing ? fork->b : fork->a;
	struct hence_error *error =
		points_find(h->pair.runs[in_failing].recording, &own, 1, &trial.at);

	if (!error)
		error = points_ways(h->pair.runs[!in_failing].recording, &other, 1, &first.outcome);
	if (error)
		return error;
	if (first.outcome != POINTS_NO_WAY)
		return ask_alone(&trial, first, out);
	*out = VERDICT_UNRESOLVED;
	return NULL;
}

static struct hence_error *check_side(struct hybrids *h, const struct hybrid_point *point,
                                      bool in_failing)
{
	struct hybrid_trial trial = {
		.h = h, .in_failing = in_failing, .at = point->points[in_failing]};
	struct experiment_result result = {0};
	struct hence_error *error = run_alone(&trial, (struct stop){0}, &result);
	enum verdict verdict;

	if (error)
		return error;
	symptom_learn(h->pair.symptom, in_failing, trial.at.time, &result, 1);
	verdict = hybrid_trial_judge(&trial, &result);
	experiment_result_deinit(&result);
	if (verdict == (in_failing ? VERDICT_FAIL : VERDICT_PASS))
		return NULL;
	return error_create(HENCE_ERROR_INPUT,
	                    "%s does not show in an experiment that changes nothing what it showed "
	                    "when it was recorded: experiments would prove nothing",
	                    in_failing ? "the failing run" : "the reference run");
}

struct hence_error *hybrids_check(struct hybrids *h, const struct hybrid_point *point)
{
	struct hence_error *error = check_side(h, point, true);

	return error ? error : check_side(h, point, false);
}

/* --- points of a pair of runs: where they are --- */

static struct hence_error *find_points(struct hybrids *h, bool in_failing, const uint64_t *times,
                                       uint32_t count, struct hybrid_point *out)
{
	struct point *found = mem_alloc((count + 1) * sizeof(*found));
	struct hence_error *error =
		points_find(h->pair.runs[in_failing].recording, times, count, found);

	for (uint32_t i = 0; i < count && !error; i++) {
		out[i].times[in_failing] = times[i];
		out[i].points[in_failing] = found[i];
	}
	free(found);
	return error ? error : symptom_expect(h->pair.symptom, in_failing, times, count);
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

	return states_take(h->pair.runs[in_failing].recording, times, count, &options, take,
	                   &taking);
}

struct hence_error *hybrids_prepare(struct hybrids *h, const uint64_t *times, uint32_t count,
                                    struct hybrid_point *out)
{
	uint64_t *others = mem_alloc((count + 1) * sizeof(*others));
	struct hence_error *error = NULL;

	memset(out, 0, count * sizeof(*out));
	for (uint32_t i = 0; i < count; i++)
		others[i] = alignment_of_a(h->pair.alignment, times[i]);
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

	stop.readings = states_unknown(point->states[true], point->states[false], h->pair.alignment,
	                               !in_failing, &stop.reading_count);
	if (!stop.readings || !stop.reading_count)
		return NULL;
	error = experiments_run(h->pair.pools[in_failing], &experiment, &result);
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
	point->diff = states_compare(point->states[true], point->states[false], h->pair.alignment);
	point->differences = state_diff_all(point->diff, &point->count);
	return NULL;
}

/* ------ the whole ------ */

#define PATIENCE 0.2        /* seconds between two questions whether the search is to end */
#define NOBODY   UINT64_MAX /* no question */

/* A question with experiments under way: one in each run that it is about. */
struct question {
	uint64_t id; /* the caller's */
	uint64_t hash;
	uint64_t serials[2]; /* 0: none, or it has answered */
	enum verdict verdicts[2];
};

struct answer {
	uint64_t id;
	enum verdict verdict;
};

/* Questions about one point. */
struct asking {
	struct hybrids *h;
	struct hybrid_point *point;
	bool asks[2];  /* which runs */
	bool opposite; /* a search for the opposite verdict */
	struct hybrid_goal *goal;
	VEC(struct question) running;
	VEC(struct answer) known; /* not waited for yet */
};

static struct asking asking_of(struct hybrids *h, struct hybrid_point *point, enum hybrid_way way,
                               struct hybrid_goal *goal)
{
	struct asking a = {.h = h, .point = point, .goal = goal};

	a.asks[false] = way != HYBRID_FAILING;
	a.asks[true] = way != HYBRID_REFERENCE;
	/* What only one of the runs can tell is told by that one. */
	for (unsigned side = 0; side < 2 && goal && way == HYBRID_BOTH; side++)
		a.asks[side] = hybrid_goal_tells(goal, side);
	a.opposite = way == HYBRID_BOTH && !a.asks[false];
	return a;
}

static void asking_deinit(struct asking *a)
{
	vec_deinit(&a->running);
	vec_deinit(&a->known);
}

/* --- verdicts --- */

/* Of a search, VERDICT_FAIL is what is looked for. Of one run, its verdict is what it shows. Of
   both, both must show what the other did, or both what they did themselves. */
static enum verdict combine(const struct asking *a, const enum verdict verdicts[2])
{
	enum verdict verdict = verdicts[a->asks[true] && !a->asks[false]];

	if (a->asks[false] && a->asks[true]) {
		if (verdicts[false] == VERDICT_FAIL && verdicts[true] == VERDICT_PASS)
			return VERDICT_FAIL;
		return verdicts[false] == VERDICT_PASS && verdicts[true] == VERDICT_FAIL
		               ? VERDICT_PASS
		               : VERDICT_UNRESOLVED;
	}
	if (!a->opposite || verdict == VERDICT_UNRESOLVED)
		return verdict;
	return verdict == VERDICT_FAIL ? VERDICT_PASS : VERDICT_FAIL;
}

static bool is_answered(const struct question *q)
{
	return !q->serials[false] && !q->serials[true];
}

static void answer(struct asking *a, const struct question *q)
{
	*vec_push(&a->known) = (struct answer){q->id, combine(a, q->verdicts)};
}

/* Verdicts about a goal are not those about the symptom, or about another goal; and a run on rails
   is not one that goes where it goes. */
static uint64_t key_of(const struct asking *a, bool in_failing, uint64_t hash)
{
	uint64_t goal = a->goal ? a->goal->number : 0;

	return hash ^ (2 * goal + (a->h->rails[in_failing] != NULL)) * 0x9e3779b97f4a7c15;
}

/* What is known without an experiment: the verdict on a set that was asked about before, or on a
   run that gets nothing, which is as it was recorded. */
static bool find_kept(const struct asking *a, bool in_failing, const struct dd_set *set,
                      enum verdict *out)
{
	const uint8_t *kept;

	if (!set->size) {
		*out = in_failing ? VERDICT_FAIL : VERDICT_PASS;
		return true;
	}
	kept = hybrid_verdicts_find(&a->point->verdicts[in_failing],
	                            key_of(a, in_failing, dd_set_hash(set)));
	if (kept)
		*out = *kept;
	return kept;
}

/* --- experiments --- */

static struct hybrid_trial trial_of(const struct asking *a, bool in_failing)
{
	return (struct hybrid_trial){.h = a->h,
	                             .in_failing = in_failing,
	                             .at = a->point->points[in_failing],
	                             .goal = a->goal};
}

static struct hence_error *start_experiment(struct asking *a, bool in_failing,
                                            const struct dd_set *set, uint64_t serial)
{
	struct hybrid_trial trial = trial_of(a, in_failing);
	struct stop first = {0};
	VEC(uint32_t) chosen = VEC_INIT;
	struct hence_error *error;

	for (uint32_t i = 0; i < set->size; i++)
		*vec_push(&chosen) = dd_set_nth(set, i);
	if (chosen.size)
		first.changes = state_diff_changes(a->point->diff, chosen.at, chosen.size,
		                                   in_failing, &first.change_count);
	error = hybrid_trial_start(&trial, first, serial);
	vec_deinit(&chosen);
	return error;
}

static struct hence_error *start(void *context, const struct dd_set *set, uint64_t id)
{
	struct asking *a = context;
	struct question q = {.id = id, .hash = dd_set_hash(set)};
	struct hence_error *error = NULL;

	for (unsigned side = 0; side < 2 && !error; side++) {
		if (a->asks[side] && !find_kept(a, side, set, &q.verdicts[side]))
			error = start_experiment(a, side, set, q.serials[side] = ++a->h->serial);
	}
	if (error)
		return error;
	if (is_answered(&q))
		answer(a, &q);
	else
		*vec_push(&a->running) = q;
	return NULL;
}

static void take_hybrid_states(struct asking *a, bool in_failing, uint64_t serial,
                               const struct experiment_result *result)
{
	struct hybrid_trial trial = trial_of(a, in_failing);

	for (uint32_t i = 0; i < a->running.size; i++) {
		struct question *q = &a->running.at[i];

		if (q->serials[in_failing] != serial)
			continue;
		q->serials[in_failing] = 0;
		q->verdicts[in_failing] = hybrid_trial_judge(&trial, result);
		*hybrid_verdicts_put(&a->point->verdicts[in_failing],
		                     key_of(a, in_failing, q->hash)) =
			(uint8_t)q->verdicts[in_failing];
		if (is_answered(q)) {
			answer(a, q);
			*q = a->running.at[--a->running.size];
		}
		return;
	}
	assert(!"a result of an experiment that was not started");
}

/* Waits a moment for a result; there may be none then. */
static struct hence_error *collect(struct asking *a)
{
	bool in_failing = !a->running.at[0].serials[false], ended = false;
	struct experiments *pool = a->h->pair.pools[in_failing];
	struct experiment_result result = {0};
	struct hence_error *error;
	uint64_t serial;

	error = experiments_poll(pool, PATIENCE, &ended);
	if (error || !ended)
		return error;
	error = experiments_wait(pool, &serial, &result);
	if (error)
		return error;
	take_hybrid_states(a, in_failing, serial, &result);
	experiment_result_deinit(&result);
	return NULL;
}

static struct hence_error *wait(void *context, uint64_t *id, enum verdict *out)
{
	struct asking *a = context;
	struct hence_error *error = NULL;

	*id = NOBODY;
	*out = VERDICT_UNRESOLVED;
	if (!a->known.size)
		error = collect(a);
	if (error || !a->known.size)
		return error;
	*id = a->known.at[0].id;
	*out = a->known.at[0].verdict;
	a->known.size--;
	memmove(a->known.at, a->known.at + 1, a->known.size * sizeof(*a->known.at));
	return NULL;
}

static void cancel_question(struct asking *a, uint32_t i)
{
	for (unsigned side = 0; side < 2; side++)
		if (a->running.at[i].serials[side])
			experiments_cancel(a->h->pair.pools[side], a->running.at[i].serials[side]);
	a->running.at[i] = a->running.at[--a->running.size];
}

static void cancel(void *context, uint64_t id)
{
	struct asking *a = context;

	for (uint32_t i = 0; i < a->known.size; i++)
		if (a->known.at[i].id == id) {
			a->known.at[i] = a->known.at[--a->known.size];
			return;
		}
	for (uint32_t i = 0; i < a->running.size; i++)
		if (a->running.at[i].id == id) {
			cancel_question(a, i);
			return;
		}
}

static bool is_over(void *context)
{
	const struct asking *a = context;

	return budget_is_over(a->h->pair.budget);
}

/* --- who asks --- */

static void count(const struct asking *a, uint64_t asked)
{
	hybrid_count(a->h, asked * (a->asks[false] + a->asks[true]));
}

struct hence_error *hybrid_ask(struct hybrids *h, struct hybrid_point *point, enum hybrid_way way,
                               const struct dd_set *set, struct hybrid_goal *goal,
                               enum verdict *out)
{
	struct asking a = asking_of(h, point, way, goal);
	struct hence_error *error = start(&a, set, 0);
	uint64_t id = NOBODY;

	while (!error && id == NOBODY) {
		if (is_over(&a)) {
			cancel(&a, 0);
			*out = VERDICT_UNRESOLVED;
			break;
		}
		error = wait(&a, &id, out);
	}
	count(&a, 1);
	asking_deinit(&a);
	return error;
}

static struct dd_search search_of(struct asking *a)
{
	return (struct dd_search){.count = a->point->count,
	                          .room = a->h->pair.workers ? a->h->pair.workers : trials_cores(),
	                          .start = start,
	                          .wait = wait,
	                          .cancel = cancel,
	                          .stop = is_over,
	                          .context = a};
}

struct hence_error *hybrid_isolate(struct hybrids *h, struct hybrid_point *point,
                                   struct hybrid_goal *goal, struct dd_set *passing,
                                   struct dd_set *failing)
{
	struct asking a = asking_of(h, point, HYBRID_REFERENCE, goal);
	struct dd_search search = search_of(&a);
	struct dd_stats stats = {0};
	struct hence_error *error = dd_isolate(&search, passing, failing, &stats);

	count(&a, stats.asked);
	asking_deinit(&a);
	return error;
}

struct hence_error *hybrid_minimise(struct hybrids *h, struct hybrid_point *point,
                                    enum hybrid_way way, struct hybrid_goal *goal,
                                    struct dd_set *failing)
{
	struct asking a = asking_of(h, point, way, goal);
	struct dd_search search = search_of(&a);
	struct dd_stats stats = {0};
	struct hence_error *error;

	a.opposite |= way == HYBRID_FAILING;
	error = dd_minimise(&search, failing, &stats);
	count(&a, stats.asked);
	asking_deinit(&a);
	return error;
}

/* ------ branches and rails ------ */

const struct align_fork *hybrid_fork(const struct hybrids *h, uint64_t time)
{
	const struct alignment *alignment = h->pair.alignment;
	uint32_t low = 0, high = alignment->forks.size;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (alignment->forks.at[middle].a < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low < alignment->forks.size && alignment->forks.at[low].a == time &&
	                       alignment->forks.at[low].kind == FORK_BRANCH
	               ? &alignment->forks.at[low]
	               : NULL;
}

void hybrid_drop_rails(struct rails *rails[2])
{
	for (uint32_t i = 0; i < 2; i++) {
		rails_destroy(rails[i]);
		rails[i] = NULL;
	}
}

struct hence_error *hybrid_make_rails(const struct comparison *pair, struct rails *out[2])
{
	for (uint32_t i = 0; i < 2; i++) {
		const struct rail *all;
		uint32_t count;
		struct hence_error *error =
			rails_create(pair->runs[true].recording, pair->runs[false].recording,
		                     pair->alignment, !i, &out[i]);

		if (!error) {
			all = rails_all(out[i], &count);
			error = experiments_set_rails(pair->pools[i], all, count);
		}
		if (error) {
			hybrid_drop_rails(out);
			return error;
		}
	}
	return NULL;
}

/* ------ the smallest set that brings about a goal ------ */

/* Sumner and Zhang, Comparative Causality (ICSE 2013), sections on the symmetric test and on minimising the cut. */

/* --- the model's answer --- */

struct model_question {
	struct exact *exact;
	const struct hybrid_point *point;
	const struct hybrid_wanted *goal;
	uint64_t id; /* the last one that was asked, and the answer */
	enum verdict verdict;
	bool unknown; /* the last answer is that it does not know */
};

/* VERDICT_FAIL: the set is sufficient, in both directions. */
static struct hence_error *ask_model(struct model_question *a, const struct dd_set *set,
                                     enum verdict *out)
{
	struct exact_judgement judgement;
	struct hence_error *error =
		exact_judge(a->exact, a->point, false, set, a->goal, &judgement);

	*out = VERDICT_UNRESOLVED;
	a->unknown = !error && judgement.unknown;
	if (error || judgement.verdict != VERDICT_FAIL)
		return error;
	error = exact_judge(a->exact, a->point, true, set, a->goal, &judgement);
	a->unknown = !error && judgement.unknown;
	if (!error && judgement.verdict == VERDICT_PASS)
		*out = VERDICT_FAIL;
	return error;
}

static struct hence_error *start_model(void *context, const struct dd_set *set, uint64_t id)
{
	struct model_question *a = context;

	a->id = id;
	return ask_model(a, set, &a->verdict);
}

static struct hence_error *wait_model(void *context, uint64_t *id, enum verdict *out)
{
	const struct model_question *a = context;

	*id = a->id;
	*out = a->verdict;
	return NULL;
}

struct hence_error *infer_exactly(struct exact *exact, const struct dual *dual,
                                  const struct hybrid_point *point, const struct hybrid_goal *goal,
                                  struct dd_set *set, bool *found)
{
	struct hybrid_wanted wanted = goal ? hybrid_goal_wanted(goal) : (struct hybrid_wanted){0};
	struct model_question a = {.exact = exact, .point = point, .goal = goal ? &wanted : NULL};
	struct dd_search search = {.count = point->count,
	                           .room = 1,
	                           .start = start_model,
	                           .wait = wait_model,
	                           .context = &a};
	enum verdict verdict;
	struct hence_error *error;
	struct dd_set cut;

	infer_cut(point, dual, &cut);
	error = ask_model(&a, &cut, &verdict);
	*found = !error && cut.size && verdict == VERDICT_FAIL;
	if (*found)
		error = dd_minimise(&search, &cut, NULL);
	*found &= !error;
	if (*found)
		*set = cut;
	else
		dd_set_deinit(&cut);
	return error;
}

/* --- beside experiments --- */

/* Does the model not know of the set that experiments found? Then a larger one of its own says
   little. */
static struct hence_error *is_unknown(struct exact *exact, const struct hybrid_point *point,
                                      const struct hybrid_goal *goal, const struct dd_set *set,
                                      bool *out)
{
	struct hybrid_wanted wanted = goal ? hybrid_goal_wanted(goal) : (struct hybrid_wanted){0};
	struct model_question a = {.exact = exact, .point = point, .goal = goal ? &wanted : NULL};
	enum verdict verdict;
	struct hence_error *error = ask_model(&a, set, &verdict);

	*out = a.unknown;
	return error;
}

static void add_names(struct str *out, const struct hybrid_point *point, const struct dd_set *set)
{
	for (uint32_t i = 0; i < set->size; i++)
		str_printf(out, "%s%s", i ? ", " : "", point->differences[dd_set_nth(set, i)].name);
	if (!set->size)
		str_add(out, "nothing");
}

struct hence_error *infer_compare(const struct infer_options *options,
                                  const struct hybrid_point *point, const struct hybrid_goal *goal,
                                  struct inferred *inferred)
{
	struct infer_model *model = options->model;
	struct dd_set set;
	bool found, unknown = false;
	struct hence_error *error =
		infer_exactly(model->exact, options->dual, point, goal, &set, &found);

	if (!error && found && inferred->sufficient && !dd_set_equal(&set, &inferred->set))
		error = is_unknown(model->exact, point, goal, &inferred->set, &unknown);
	if (found && (error || unknown))
		dd_set_deinit(&set);
	if (error || !found || unknown) {
		model->silent += !error && inferred->sufficient;
		return error;
	}
	if (dd_set_equal(&set, &inferred->set)) {
		model->same++;
	} else {
		struct str text = STR_INIT;

		model->other++;

		str_printf(&text, "at statement %llu of the failing run the exact model finds ",
		           (unsigned long long)point->times[true]);
		add_names(&text, point, &set);
		str_add(&text, ", experiments ");
		add_names(&text, point, &inferred->set);
		*vec_push(&model->notes) = str_steal(&text);
	}
	dd_set_assign(&inferred->set, &set);
	dd_set_deinit(&set);
	inferred->sufficient = true;
	inferred->way = HYBRID_BOTH;
	inferred->beyond_cut = false;
	inferred->why = NULL;
	return NULL;
}

/* --- beside the model: experiments --- */

/* So few candidates are asked about one by one before anything else: mostly the cause is one
   variable. */
#define FEW 4u

struct inference {
	struct hybrids *h;
	struct hybrid_point *point;
	struct hybrid_goal *goal;
	struct inferred *out;
	enum verdict verdict; /* the last */
	bool confounded;      /* a run with all candidates went a way that neither had */
};

/* --- candidates --- */

static bool crosses(const struct hybrid_point *point, const struct dual *dual,
                    const struct difference *d)
{
	return dual_crosses(dual, 0, point->times[true], d->a_address, d->size) ||
	       dual_crosses(dual, 1, point->times[false], d->b_address, d->b_size);
}

void infer_cut(const struct hybrid_point *point, const struct dual *dual, struct dd_set *out)
{
	dd_set_init(out, point->count, false);
	for (uint32_t i = 0; i < point->count; i++)
		if (crosses(point, dual, &point->differences[i]))
			dd_set_put(out, i, true);
}

/* --- questions --- */

/* Do these differences bring about the goal? */
static struct hence_error *ask_both(struct inference *n, const struct dd_set *set, bool *yes)
{
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct hence_error *error = hybrid_ask(n->h, n->point, n->out->way, set, n->goal, &verdict);

	*yes = !error && verdict == (n->out->way == HYBRID_FAILING ? VERDICT_PASS : VERDICT_FAIL);
	n->verdict = verdict;
	return error;
}

/* A single candidate that is sufficient, the first in order. `set` keeps it alone then. */
static struct hence_error *find_single(struct inference *n, struct dd_set *set, bool *found)
{
	struct hence_error *error = NULL;
	struct dd_set single;

	dd_set_init(&single, set->count, false);
	*found = false;
	for (uint32_t i = 0; i < set->size && !*found && !error; i++) {
		dd_set_clear(&single);
		dd_set_put(&single, dd_set_nth(set, i), true);
		error = ask_both(n, &single, found);
	}
	if (*found)
		dd_set_assign(set, &single);
	dd_set_deinit(&single);
	return error;
}

/* Makes `set` a smallest sufficient one within it. Not found: it is as it was. */
static struct hence_error *search(struct inference *n, struct dd_set *set, bool *found)
{
	struct hence_error *error = NULL;
	uint64_t confounded;

	*found = false;
	n->out->candidates = set->size;
	if (set->size && set->size <= FEW)
		error = find_single(n, set, found);
	if (error || *found || !set->size)
		return error;
	confounded = n->h->confounded;
	error = ask_both(n, set, found);
	n->confounded = n->h->confounded > confounded;
	if (error || !*found)
		return error;
	if (set->size <= FEW) {
		/* No single difference is sufficient. Removes differences, one at a time, until
		   each that is left is needed. */
		uint32_t before;

		do {
			before = set->size;
			for (uint32_t i = set->count; i-- && set->size > 2 && !error;) {
				bool enough = false;

				if (!dd_set_has(set, i))
					continue;
				dd_set_put(set, i, false);
				error = ask_both(n, set, &enough);
				if (!enough)
					dd_set_put(set, i, true);
			}
		} while (!error && set->size < before);
		return error;
	}
	return hybrid_minimise(n->h, n->point, n->out->way, n->goal, set);
}

/* --- from the cut to all, from both directions to one --- */

/* Searches among the cut, then among all differences. out->set is what was found, or empty. */
static struct hence_error *search_wider(struct inference *n, const struct dual *dual, bool *found)
{
	struct hence_error *error = NULL;
	struct dd_set set;

	*found = false;
	n->out->beyond_cut = false;
	if (dual) {
		infer_cut(n->point, dual, &set);
		error = search(n, &set, found);
	}
	if (!error && !*found && (!dual || set.size < n->point->count)) {
		if (dual)
			dd_set_deinit(&set);
		n->out->beyond_cut = dual;
		dd_set_init(&set, n->point->count, true);
		error = search(n, &set, found);
	}
	if (*found)
		dd_set_assign(&n->out->set, &set);
	dd_set_deinit(&set);
	return error;
}

/* Why nothing was found. */
static const char *obstacle(struct inference *n)
{
	const char *hidden = state_diff_hidden(n->point->diff);

	if (budget_is_over(n->h->pair.budget))
		return "there was no time left";
	if (!n->point->count)
		return hidden ? hidden : "the runs do not differ there";
	if (n->confounded)
		return "a run with all values of the other went a way that neither run had";
	if (hidden)
		return hidden;
	if (n->verdict == (n->out->way == HYBRID_FAILING ? VERDICT_FAIL : VERDICT_PASS))
		return "all differences there together do not bring it about";
	return "a run with all values of the other shows what neither run does";
}

static struct hence_error *infer(struct inference *n, const struct infer_options *options)
{
	const enum hybrid_way one[] = {HYBRID_REFERENCE, HYBRID_FAILING};
	bool found;
	struct hence_error *error;

	n->out->way = options->way;
	error = search_wider(n, options->dual, &found);
	for (uint32_t i = 0; i < 2 && options->way == HYBRID_BOTH && !found && !error; i++) {
		n->out->way = one[i];
		error = search_wider(n, options->dual, &found);
	}
	/* What was cut short is not minimal: better nothing. */
	if (found && budget_is_over(n->h->pair.budget)) {
		found = false;
		dd_set_clear(&n->out->set);
	}
	n->out->sufficient = found;
	n->out->why = found ? NULL : obstacle(n);
	if (!error && options->model && options->dual && !budget_is_over(n->h->pair.budget))
		error = infer_compare(options, n->point, n->goal, n->out);
	return error;
}

struct hence_error *infer_causes(struct hybrids *h, struct hybrid_point *point,
                                 struct hybrid_goal *goal, const struct infer_options *options,
                                 struct inferred *out)
{
	struct inferred inferred = {0};
	struct inference n = {.h = h, .point = point, .goal = goal, .out = &inferred};
	struct hence_error *error = hybrid_compare(h, point);

	if (error)
		return error;
	inferred.confounded = h->confounded;
	dd_set_init(&inferred.set, point->count, false);
	error = infer(&n, options);
	inferred.confounded = h->confounded - inferred.confounded;
	if (error)
		inferred_deinit(&inferred);
	else
		*out = inferred;
	return error;
}

void inferred_deinit(struct inferred *inferred)
{
	dd_set_deinit(&inferred->set);
	*inferred = (struct inferred){0};
}
