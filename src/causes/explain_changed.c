/* Where two versions of a program were executed differently: see explain.h. */
#include <stdlib.h>

#include "causes/explain.h"
#include "causes/explain_work.h"
#include "causes/suspects.h"

#define MOST 3u   /* places that are named */
#define NEXT 0.90 /* times this for each after the first */

/* A place where one version goes on alone though no branch led there. */
struct change_place {
	uint64_t time; /* in the failing run: the first such statement, or the one behind it */
	bool missing;  /* only the other version has something there */
};

/* Does a branch that went different ways end the span? */
static bool ends_in_fork(const struct alignment *alignment, const struct align_span *span)
{
	for (uint32_t i = 0; i < alignment->forks.size; i++)
		if (alignment->forks.at[i].a == span->a + span->count - 1)
			return true;
	return false;
}

/* Behind the last point that both have, the other version went on and this one did something else: the statement that
   it died of, say. */
static bool find_end(const struct alignment *alignment, struct change_place *out)
{
	const struct align_span *last = &alignment->spans.at[alignment->spans.size - 1];
	uint64_t a_end = last->a + last->count, b_end = last->b + last->count;

	*out = (struct change_place){a_end, b_end <= alignment->b_statements};
	return !ends_in_fork(alignment, last) && a_end <= alignment->a_statements + 1;
}

static uint32_t find_places(const struct alignment *alignment, struct change_place *out)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i + 1 < alignment->spans.size && count < MOST; i++) {
		const struct align_span *span = &alignment->spans.at[i], *next = span + 1;
		uint64_t a_end = span->a + span->count, b_end = span->b + span->count;

		if (ends_in_fork(alignment, span) || (next->a == a_end && next->b == b_end))
			continue;
		out[count++] = next->a > a_end ? (struct change_place){a_end, false}
		                               : (struct change_place){next->a, true};
	}
	if (count < MOST && alignment->spans.size)
		count += find_end(alignment, &out[count]);
	return count;
}

static void add_suspect(const struct cause_point *point, bool missing, double factor,
                        struct explain_sources *sources, struct explanation *out)
{
	struct explanation_place place =
		explain_place(sources, point->file, point->line, point->column, point->function);

	suspects_add(
		out, &place, SUSPECT_CHANGED, factor,
		mem_strdup(missing ? "the other version does something before this (not proven)"
	                           : "the other version does not do this (not proven)"));
	explanation_place_deinit(&place);
}

struct hence_error *explain_changed(const struct recording *failing,
                                    const struct alignment *alignment,
                                    struct explain_sources *sources, struct explanation *out)
{
	struct change_place places[MOST];
	struct cause_point points[MOST] = {0};
	struct described_point described[MOST] = {0};
	uint32_t count = find_places(alignment, places);
	struct hence_error *error;
	double factor = 1;

	for (uint32_t i = 0; i < count; i++) {
		points[i].failing_time = places[i].time;
		described[i].point = &points[i];
	}
	error = cause_describe(failing, described, count);
	for (uint32_t i = 0; i < count; i++) {
		if (!error)
			add_suspect(&points[i], places[i].missing, factor, sources, out);
		factor *= NEXT;
		free(described[i].condition);
		cause_point_deinit(&points[i]);
	}
	suspects_settle(out);
	return error;
}
