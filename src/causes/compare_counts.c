/* Comparative causality and plain state minimisation at the same points: see compare.h. */
#include "causes/compare.h"

/* Times of the steps, which are in order, each once. The caller frees. */
static uint64_t *list_times(const struct causes *found, const struct alignment *alignment,
                            uint32_t *count)
{
	uint64_t *times = mem_alloc((found->points.size + 1) * sizeof(*times));

	*count = 0;
	for (uint32_t i = 0; i < found->points.size; i++) {
		uint64_t time = found->points.at[i].failing_time;

		if (alignment_of_a(alignment, time) && (!*count || times[*count - 1] < time))
			times[(*count)++] = time;
	}
	return times;
}

/* One way to do it, at points whose verdicts nobody knows yet. */
static struct hence_error *infer_all(struct hybrids h, const uint64_t *times, uint32_t count,
                                     const struct infer_options *options, uint64_t *candidates,
                                     uint64_t *left, uint64_t *experiments)
{
	struct hybrid_point *points = mem_alloc((count + 1) * sizeof(*points));
	struct hence_error *error = hybrids_prepare(&h, times, count, points);
	bool prepared = !error;

	for (uint32_t i = 0; i < count && !error; i++) {
		struct inferred inferred = {0};
		uint64_t made;

		error = hybrid_compare(&h, &points[i]);
		made = h.serial;
		if (!error)
			error = infer_causes(&h, &points[i], NULL, options, &inferred);
		*candidates += inferred.candidates;
		*left += inferred.set.size;
		*experiments += h.serial - made;
		inferred_deinit(&inferred);
	}
	for (uint32_t i = 0; i < count && prepared; i++)
		hybrid_point_deinit(&points[i]);
	free(points);
	return error;
}

struct hence_error *compare_count(const struct hybrids *h, const struct dual *dual,
                                  const struct causes *found, struct compare_counts *out)
{
	const struct infer_options cut = {.way = HYBRID_BOTH, .dual = dual};
	const struct infer_options plain = {.way = HYBRID_REFERENCE};
	struct compare_counts counts = {0};
	struct hybrids off_rails = *h;
	uint32_t count;
	uint64_t *times = list_times(found, h->alignment, &count);
	struct hence_error *error;

	counts.points = count;
	off_rails.rails[0] = off_rails.rails[1] = NULL;
	error = infer_all(*h, times, count, &cut, &counts.cut.candidates, &counts.cut.left,
	                  &counts.cut.experiments);
	if (!error)
		error = infer_all(off_rails, times, count, &plain, &counts.plain.candidates,
		                  &counts.plain.left, &counts.plain.experiments);
	free(times);
	if (!error)
		*out = counts;
	return error;
}
