/* Values that a hybrid is to have at a later point: see hybrid.h. */
#include "causes/hybrid.h"

/* Some bytes of the reference's memory, as the failing run has them. */
struct part {
	uint8_t *failing; /* NULL: the address of a block that only the failing run has */
	uint8_t *mask;    /* NULL: all bits */
	uint32_t size;
};

struct hybrid_goal {
	struct point at;
	VEC(struct reading) readings;
	VEC(struct part) parts; /* one for each reading */
	struct str reference;   /* of all of them */
	uint64_t begin, count;  /* the last experiment began there, and passes its site so often */
};

void hybrid_goal_destroy(struct hybrid_goal *goal)
{
	if (!goal)
		return;
	for (uint32_t i = 0; i < goal->parts.size; i++) {
		free(goal->parts.at[i].failing);
		free(goal->parts.at[i].mask);
	}
	vec_deinit(&goal->parts);
	vec_deinit(&goal->readings);
	str_deinit(&goal->reference);
	free(goal);
}

static void *copy_bytes(const uint8_t *bytes, uint32_t size)
{
	return bytes ? memcpy(mem_alloc(size + 1), bytes, size) : NULL;
}

static void add_change(struct hybrid_goal *goal, const struct change *change)
{
	if (change->object || change->kind == CHANGE_NEW)
		return;
	if (change->kind == CHANGE_POINTER) {
		*vec_push(&goal->readings) = (struct reading){change->address, 8};
		*vec_push(&goal->parts) = (struct part){.size = 8};
		return;
	}
	*vec_push(&goal->readings) = (struct reading){change->address, change->size};
	*vec_push(&goal->parts) =
		(struct part){copy_bytes(change->bytes, change->size),
	                      copy_bytes(change->mask, change->size), change->size};
}

/* What the reference has there. */
static struct hence_error *read_reference(struct hybrids *h, struct hybrid_goal *goal)
{
	struct stop stop = {.site = goal->at.site,
	                    .count = goal->at.count,
	                    .readings = goal->readings.at,
	                    .reading_count = goal->readings.size};
	struct experiment experiment = {.time = goal->at.time, .stops = &stop, .stop_count = 1};
	struct experiment_result result = {0};
	struct hence_error *error = experiments_run(h->pools[false], &experiment, &result);

	if (error)
		return error;
	h->asked++;
	if (result.stops.size)
		str_add_bytes(&goal->reference, str_text(&result.stops.at[0].bytes),
		              result.stops.at[0].bytes.length);
	experiment_result_deinit(&result);
	return NULL;
}

struct hence_error *hybrid_goal_create(struct hybrids *h, struct hybrid_point *later,
                                       const struct dd_set *set, struct hybrid_goal **out)
{
	struct hybrid_goal *goal = mem_alloc(sizeof(*goal));
	VEC(uint32_t) chosen = VEC_INIT;
	const struct change *changes;
	struct hence_error *error = NULL;
	uint32_t count;

	goal->at = later->points[false];
	for (uint32_t i = 0; i < set->size; i++)
		*vec_push(&chosen) = dd_set_nth(set, i);
	changes = state_diff_changes(later->diff, chosen.at, chosen.size, false, &count);
	for (uint32_t i = 0; i < count; i++)
		add_change(goal, &changes[i]);
	vec_deinit(&chosen);
	if (goal->parts.size)
		error = read_reference(h, goal);
	if (error || !goal->parts.size) {
		hybrid_goal_destroy(goal);
		goal = NULL;
	}
	if (!error)
		*out = goal;
	return error;
}

static struct hence_error *count_passes(struct hybrids *h, struct hybrid_goal *goal, uint64_t time)
{
	uint64_t times[] = {time + 1, goal->at.time}, passed[2];
	struct hence_error *error;

	if (goal->begin == time)
		return NULL;
	error = points_count(h->runs[false], &goal->at.site, times, 2, passed);
	if (error)
		return error;
	goal->begin = time;
	goal->count = passed[1] - passed[0] + 1;
	return NULL;
}

struct hence_error *hybrid_goal_stop(struct hybrids *h, struct hybrid_goal *goal, uint64_t time,
                                     struct stop *out)
{
	struct hence_error *error = count_passes(h, goal, time);

	if (error)
		return error;
	*out = (struct stop){.site = goal->at.site,
	                     .count = goal->count,
	                     .readings = goal->readings.at,
	                     .reading_count = goal->readings.size};
	return NULL;
}

static bool same_bits(const uint8_t *a, const uint8_t *b, const struct part *part)
{
	for (uint32_t i = 0; i < part->size; i++)
		if ((a[i] ^ b[i]) & (part->mask ? part->mask[i] : 0xff))
			return false;
	return true;
}

enum verdict hybrid_goal_judge(const struct hybrid_goal *goal, const struct stopped *stopped)
{
	const uint8_t *bytes = (const uint8_t *)str_text(&stopped->bytes);
	const uint8_t *reference = (const uint8_t *)str_text(&goal->reference);
	bool fails = false, passes = true, other = false;

	if (!stopped->reached || stopped->bytes.length != goal->reference.length)
		return VERDICT_UNRESOLVED;
	for (uint32_t i = 0; i < goal->parts.size; i++) {
		const struct part *part = &goal->parts.at[i];

		/* Where a block would be is not known: only that it is there, or not. */
		if (part->failing && same_bits(bytes, part->failing, part))
			fails = true;
		else if (part->failing)
			other = true;
		passes &= same_bits(bytes, reference, part);
		bytes += goal->parts.at[i].size;
		reference += goal->parts.at[i].size;
	}
	return fails && !other ? VERDICT_FAIL : passes ? VERDICT_PASS : VERDICT_UNRESOLVED;
}
