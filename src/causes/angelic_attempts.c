/* Attempts to change the failing run so that it passes: see angelic_work.h. */
#include <stdlib.h>

#include "base/mem.h"
#include "causes/angelic_work.h"

/* --- one --- */

static void set_bytes(struct angelic *a, const struct angelic_target *target, uint64_t value)
{
	for (uint32_t i = 0; i < target->store.size; i++) {
		a->bytes[i] = (uint8_t)(value >> 8 * i);
		a->mask[i] = (uint8_t)(target->store.mask >> 8 * i);
	}
	a->change = (struct change){.kind = CHANGE_BYTES,
	                            .address = target->store.address,
	                            .size = target->store.size,
	                            .bytes = a->bytes,
	                            .mask = a->mask};
}

bool angelic_next(void *context, uint64_t id, struct experiment *out)
{
	struct angelic *a = context;
	const struct angelic_attempt *attempt;
	const struct angelic_target *target;
	struct stop *stop;
	uint64_t value;

	if (id >= a->all.size)
		return false;
	attempt = &a->all.at[id];
	target = &a->targets.at[attempt->target];
	value = target->ways.at[attempt->way].value;
	stop = &a->stops[0];
	*stop = (struct stop){.site = attempt->at.site, .count = attempt->at.count};
	if (target->branch) {
		stop->force = FORCE_BRANCH;
		stop->outcome = (uint32_t)value;
	} else {
		set_bytes(a, target, value);
		stop->changes = &a->change;
		stop->change_count = 1;
	}
	/* Is the check executed again? */
	a->stops[1] = (struct stop){.site = a->check, .count = 1};
	*out = (struct experiment){.time = attempt->at.time,
	                           .stops = a->stops,
	                           .stop_count = 1 + a->has_check,
	                           .once = true};
	return true;
}

void angelic_ended(void *context, uint64_t id, const struct attempt_end *end)
{
	struct angelic *a = context;

	a->all.at[id].ended = true;
	a->all.at[id].end = *end;
}

/* --- points --- */

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static const struct point *find_point(const struct point *points, uint32_t count, uint64_t time)
{
	uint32_t low = 0, high = count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (points[middle].time < time)
			low = middle + 1;
		else
			high = middle;
	}
	return &points[low];
}

struct hence_error *angelic_set_points(struct angelic *a, uint32_t first)
{
	uint32_t count = 2 * (a->all.size - first);
	uint64_t *times = mem_alloc((count + 1) * sizeof(*times));
	struct point *points = mem_alloc((count + 1) * sizeof(*points));
	struct hence_error *error;

	for (uint32_t i = first; i < a->all.size; i++) {
		const struct angelic_target *target = &a->targets.at[a->all.at[i].target];

		times[2 * (i - first)] = target->time;
		times[2 * (i - first) + 1] = target->branch ? target->time : target->at;
	}
	qsort(times, count, sizeof(*times), by_number);
	error = points_find(a->run, times, count, points);
	for (uint32_t i = first; i < a->all.size && !error; i++) {
		struct angelic_attempt *attempt = &a->all.at[i];
		const struct angelic_target *target = &a->targets.at[attempt->target];

		attempt->at =
			*find_point(points, count, target->branch ? target->time : target->at);
		attempt->occurrence = find_point(points, count, target->time)->count;
	}
	free(times);
	free(points);
	return error;
}
