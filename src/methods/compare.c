/* Comparative causality: see compare.h. */
#include "methods/compare.h"

#include "base/guard.h"

/* ------ comparative causality and plain state minimisation at the same points ------ */

/* Times of the steps, which are in order, each once. The caller frees. */
static uint64_t *list_times(const struct causes *found, const struct alignment *alignment,
                            uint32_t *count)
{
	uint64_t *times = mem_alloc((found->steps.size + 1) * sizeof(*times));

	*count = 0;
	for (uint32_t i = 0; i < found->steps.size; i++) {
		uint64_t time = found->steps.at[i].time;

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
	uint64_t *times = list_times(found, h->pair.alignment, &count);
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

/* ------ the whole ------ */

struct dual_seed compare_seed(const struct symptom *symptom)
{
	return (struct dual_seed){.times = {symptom->failing_time, symptom->reference_time}};
}

/* The search can do without it. */
static void note_missing(struct causes *notes, const char *what, struct hence_error *error)
{
	if (error)
		*vec_push(&notes->notes) = str_format("%s: %s", what, error->message);
	error_destroy(error);
}

struct hence_error *compare_find(const struct comparison *pair,
                                 const struct compare_options *options, struct causes *out)
{
	const struct recording *failing = pair->runs[true].recording;
	const struct recording *reference = pair->runs[false].recording;
	const struct dual_options slicing = {.stop = budget_stops, .context = (void *)pair->budget};
	const struct dual_seed seed = compare_seed(pair->symptom);
	struct infer_model model = {0};
	struct dual *dual = NULL;
	struct rails *rails[2] = {NULL, NULL};
	struct backward_options search = {.algorithm = BACKWARD_DEPENDENCE};
	struct causes notes GUARD(causes_deinit) = {0}; /* only notes */
	struct hence_error *error;

	note_missing(&notes, "no dual slice, so all differences are candidates",
	             dual_find(failing, reference, pair->alignment, &seed, 1, &slicing, &dual));
	if (dual && options->sliced)
		options->sliced(options->context, dual);
	if (!options->no_rails)
		note_missing(&notes, "no guard rails", hybrid_make_rails(pair, rails));
	if (options->exact && dual)
		note_missing(&notes, "the exact model is not asked",
		             exact_create(failing, reference, pair->alignment, dual, &seed, 1,
		                          &model.exact));

	search.infer = (struct infer_options){HYBRID_BOTH, dual, model.exact ? &model : NULL};
	search.rails[0] = rails[0];
	search.rails[1] = rails[1];
	error = backward_find(pair, &search, out);
	if (error && rails[0]) {
		note_missing(&notes, "guard rails are not used, since on them", error);
		hybrid_drop_rails(rails);
		search.rails[0] = search.rails[1] = NULL;
		error = backward_find(pair, &search, out);
	}

	if (!error && options->counts) {
		const struct hybrids h = {
			.pair = *pair, .rails = {rails[0], rails[1]}, .phase = "counting"};

		note_missing(&notes, "not counted", compare_count(&h, dual, out, options->counts));
	}
	if (!error && model.exact) {
		*vec_push(&notes.notes) = str_format(
			"the exact model finds what experiments do at %llu points, something else "
			"at %llu, and nothing at %llu where they do",
			(unsigned long long)model.same, (unsigned long long)model.other,
			(unsigned long long)model.silent);
		for (uint32_t i = 0; i < model.notes.size; i++)
			*vec_push(&notes.notes) = model.notes.at[i];
		model.notes.size = 0;
	}
	for (uint32_t i = 0; i < notes.notes.size && !error; i++)
		*vec_push(&out->notes) = notes.notes.at[i];
	if (!error)
		notes.notes.size = 0;

	for (uint32_t i = 0; i < model.notes.size; i++)
		free(model.notes.at[i]);
	vec_deinit(&model.notes);
	exact_destroy(model.exact);
	dual_destroy(dual);
	hybrid_drop_rails(rails);
	return error;
}
