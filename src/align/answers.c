/* Questions to an alignment: see align.h. */
#include "align/align.h"

/* The last span that begins at or before the statement; NULL: none. */
static const struct align_span *find_span(const struct alignment *alignment, bool first,
                                          uint64_t time)
{
	uint32_t low = 0, high = alignment->spans.size;

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		const struct align_span *s = &alignment->spans.at[middle];

		if ((first ? s->a : s->b) <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &alignment->spans.at[low - 1] : NULL;
}

uint64_t alignment_of_a(const struct alignment *alignment, uint64_t a)
{
	const struct align_span *s = find_span(alignment, true, a);

	return s && a - s->a < s->count ? s->b + (a - s->a) : 0;
}

uint64_t alignment_of_b(const struct alignment *alignment, uint64_t b)
{
	const struct align_span *s = find_span(alignment, false, b);

	return s && b - s->b < s->count ? s->a + (b - s->b) : 0;
}

uint64_t alignment_from_a(const struct alignment *alignment, uint64_t a)
{
	const struct align_span *s = find_span(alignment, true, a);
	const struct align_span *next = s ? s + 1 : alignment->spans.at;

	if (s && a - s->a < s->count)
		return a;
	return next < alignment->spans.at + alignment->spans.size ? next->a : 0;
}

/* `passed` statements behind the beginning of the span. */
static uint64_t last_of(const struct align_span *s, uint64_t passed)
{
	return s->a + (passed < s->count ? passed : s->count - 1);
}

uint64_t alignment_until_a(const struct alignment *alignment, uint64_t a)
{
	const struct align_span *s = find_span(alignment, true, a);

	return s ? last_of(s, a - s->a) : 0;
}

uint64_t alignment_until_b(const struct alignment *alignment, uint64_t b)
{
	const struct align_span *s = find_span(alignment, false, b);

	return s ? last_of(s, b - s->b) : 0;
}

const struct align_fork *alignment_decided(const struct alignment *alignment, bool first,
                                           uint64_t time)
{
	uint32_t low = 0, high = alignment->forks.size;
	const struct align_fork *fork;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		fork = &alignment->forks.at[middle];
		if ((first ? fork->a : fork->b) < time)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	fork = &alignment->forks.at[low - 1];
	return time < (first ? fork->a_end : fork->b_end) ? fork : NULL;
}
