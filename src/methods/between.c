/* Points between two others: see between.h. */
#include "methods/between.h"

/* The first span that does not end before `time`. */
static uint32_t span_from(const struct alignment *alignment, uint64_t time)
{
	uint32_t low = 0, high = alignment->spans.size;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct align_span *span = &alignment->spans.at[middle];

		if (span->a + span->count <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The part of a span that lies between two times, without them; empty: none. */
static struct align_span part_between(const struct align_span *span, uint64_t from, uint64_t to)
{
	uint64_t begin = span->a > from ? span->a : from + 1;
	uint64_t end = span->a + span->count < to ? span->a + span->count : to;

	return (struct align_span){.a = begin, .count = end > begin ? end - begin : 0};
}

uint64_t between_count(const struct alignment *alignment, uint64_t from, uint64_t to)
{
	uint64_t total = 0;

	for (uint32_t i = span_from(alignment, from + 1);
	     i < alignment->spans.size && alignment->spans.at[i].a < to; i++)
		total += part_between(&alignment->spans.at[i], from, to).count;
	return total;
}

/* Aligned times in the interval, evenly chosen, all of them if they are few. */
static void list_statements(const struct alignment *alignment, uint64_t from, uint64_t to,
                            uint64_t most, struct path_times *out)
{
	uint64_t total = between_count(alignment, from, to), passed = 0;

	most = total < most ? total : most;
	for (uint32_t i = span_from(alignment, from + 1); out->at.size < most; i++) {
		struct align_span part = part_between(&alignment->spans.at[i], from, to);

		while (out->at.size < most) {
			uint64_t rank = (2 * out->at.size + 1) * total / (2 * most);

			if (rank >= passed + part.count)
				break;
			*vec_push(&out->at) = part.a + (rank - passed);
		}
		passed += part.count;
	}
}

static bool is_aligned(void *context, uint64_t time)
{
	return alignment_of_a(context, time);
}

/* Leaves so many that all can be taken, evenly. */
static void thin_out(struct path_times *times, uint32_t most)
{
	uint32_t size = times->at.size;

	if (size <= most)
		return;
	for (uint32_t i = 0; i < most; i++)
		times->at.at[i] = times->at.at[(uint64_t)(2 * i + 1) * size / (2 * most)];
	times->at.size = most;
}

void between_list(const struct alignment *alignment, const struct transition_path *path,
                  uint64_t from, uint64_t to, uint32_t most, struct path_times *out)
{
	if (between_count(alignment, from, to) > most)
		transition_path_between(path, from, to, is_aligned, (void *)alignment, out);
	if (!out->at.size)
		list_statements(alignment, from, to, most, out);
	thin_out(out, most);
}
