/* Points of a chain that is searched backwards: see backward_work.h. Each preparation decodes both runs. */
#include "causes/backward_work.h"

#include <stdlib.h>

static struct hybrid_point *find(const struct walker *w, uint64_t time)
{
	for (uint32_t i = 0; i < w->points.size; i++)
		if (w->points.at[i]->times[true] == time)
			return w->points.at[i];
	return NULL;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Those that are not there, each once and in order. */
static uint32_t choose_new(const struct walker *w, const uint64_t *times, uint32_t count,
                           uint64_t *out)
{
	uint32_t found = 0, kept = 0;

	for (uint32_t i = 0; i < count; i++)
		if (!find(w, times[i]))
			out[found++] = times[i];
	qsort(out, found, sizeof(*out), by_value);
	for (uint32_t i = 0; i < found; i++)
		if (!kept || out[kept - 1] != out[i])
			out[kept++] = out[i];
	return kept;
}

struct hence_error *walker_prepare(struct walker *w, const uint64_t *times, uint32_t count)
{
	uint64_t *new = mem_alloc((count + 1) * sizeof(*new));
	uint32_t found = choose_new(w, times, count, new);
	struct hybrid_point *points = mem_alloc((found + 1) * sizeof(*points));
	struct hence_error *error = found ? hybrids_prepare(&w->h, new, found, points) : NULL;

	for (uint32_t i = 0; i < found && !error; i++) {
		struct hybrid_point *point = mem_alloc(sizeof(*point));

		*point = points[i];
		*vec_push(&w->points) = point;
	}
	free(points);
	free(new);
	return error;
}

struct hence_error *walker_point(struct walker *w, uint64_t time, struct hybrid_point **out)
{
	struct hence_error *error = walker_prepare(w, &time, 1);

	if (error)
		return error;
	*out = find(w, time);
	return hybrid_compare(&w->h, *out);
}

void walker_forget(struct walker *w, uint64_t time)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < w->points.size; i++) {
		if (w->points.at[i]->times[true] <= time) {
			w->points.at[kept++] = w->points.at[i];
			continue;
		}
		hybrid_point_deinit(w->points.at[i]);
		free(w->points.at[i]);
	}
	w->points.size = kept;
}
