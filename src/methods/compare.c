/* Comparative causality: see compare.h. */
#include "methods/compare.h"

/* ------ comparative causality and plain state minimisation at the same points ------ */

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

/* ------ the whole ------ */

/* The pair, and what is made of it. */
struct comparison {
	const struct symptom_run *failing, *reference;
	const struct alignment *alignment;
	const struct compare_options *options;
	struct dual_seed seed;
	struct dual *dual;
	struct rails *rails[2]; /* 1 is for the failing run */
	struct infer_model model;
	VEC(char *) notes;
};

struct dual_seed compare_seed(const struct symptom *symptom)
{
	return (struct dual_seed){.times = {symptom->failing_time, symptom->reference_time}};
}

static void drop_rails(struct comparison *c)
{
	for (uint32_t i = 0; i < 2; i++) {
		rails_destroy(c->rails[i]);
		c->rails[i] = NULL;
	}
}

static void deinit(struct comparison *c)
{
	exact_destroy(c->model.exact);
	vec_deinit(&c->model.notes);
	dual_destroy(c->dual);
	drop_rails(c);
	for (uint32_t i = 0; i < c->notes.size; i++)
		free(c->notes.at[i]);
	vec_deinit(&c->notes);
}

/* The search can do without it. */
static void tell(struct comparison *c, const char *what, struct hence_error *error)
{
	if (error)
		*vec_push(&c->notes) = str_format("%s: %s", what, error->message);
	error_destroy(error);
}

static struct hence_error *make_rails(struct comparison *c)
{
	struct experiments *pools[] = {c->options->reference_pool, c->options->failing_pool};
	struct hence_error *error = NULL;

	for (uint32_t i = 0; i < 2 && !error; i++) {
		const struct rail *all;
		uint32_t count;

		error = rails_create(c->failing->recording, c->reference->recording, c->alignment,
		                     !i, &c->rails[i]);
		if (error)
			break;
		all = rails_all(c->rails[i], &count);
		error = experiments_set_rails(pools[i], all, count);
	}
	/* Hybrids of both runs are on rails, or none. */
	if (error)
		drop_rails(c);
	return error;
}

static void prepare(struct comparison *c)
{
	const struct dual_options options = {.stop = c->options->stop,
	                                     .context = c->options->context};

	tell(c, "no dual slice, so all differences are candidates",
	     dual_find(c->failing->recording, c->reference->recording, c->alignment, &c->seed, 1,
	               &options, &c->dual));
	if (c->dual && c->options->sliced)
		c->options->sliced(c->options->context, c->dual);
	if (!c->options->no_rails)
		tell(c, "no guard rails", make_rails(c));
	if (c->options->exact && c->dual)
		tell(c, "the exact model is not asked",
		     exact_create(c->failing->recording, c->reference->recording, c->alignment,
		                  c->dual, &c->seed, 1, &c->model.exact));
}

/* How the exact model and experiments agreed. */
static void tell_model(struct comparison *c)
{
	const struct infer_model *model = &c->model;

	if (!model->exact)
		return;
	*vec_push(&c->notes) =
		str_format("the exact model finds what experiments do at %llu points, something "
	                   "else at %llu, and nothing at %llu where they do",
	                   (unsigned long long)model->same, (unsigned long long)model->other,
	                   (unsigned long long)model->silent);
	for (uint32_t i = 0; i < model->notes.size; i++)
		*vec_push(&c->notes) = model->notes.at[i];
	c->model.notes.size = 0;
}

static void add_notes(struct comparison *c, struct causes *out)
{
	for (uint32_t i = 0; i < c->notes.size; i++)
		*vec_push(&out->notes) = c->notes.at[i];
	c->notes.size = 0;
}

static struct hence_error *count(const struct comparison *c, const struct symptom *symptom,
                                 const struct causes *found)
{
	const struct compare_options *options = c->options;
	struct hybrids h = {.pools = {options->reference_pool, options->failing_pool},
	                    .runs = {c->reference->recording, c->failing->recording},
	                    .alignment = c->alignment,
	                    .symptom = symptom,
	                    .rails = {c->rails[0], c->rails[1]},
	                    .room = hybrids_room(options->workers),
	                    .stop = options->stop,
	                    .progress = options->progress,
	                    .context = options->context,
	                    .phase = "counting"};

	return compare_count(&h, c->dual, found, options->counts);
}

struct hence_error *compare_find(const struct symptom_run *failing,
                                 const struct symptom_run *reference,
                                 const struct alignment *alignment, const struct symptom *symptom,
                                 const struct compare_options *options, struct causes *out)
{
	struct comparison c = {.failing = failing,
	                       .reference = reference,
	                       .alignment = alignment,
	                       .options = options,
	                       .seed = compare_seed(symptom)};
	struct backward_options search = {.failing_pool = options->failing_pool,
	                                  .reference_pool = options->reference_pool,
	                                  .workers = options->workers,
	                                  .algorithm = BACKWARD_DEPENDENCE,
	                                  .stop = options->stop,
	                                  .progress = options->progress,
	                                  .context = options->context};
	struct hence_error *error;

	prepare(&c);
	search.infer = (struct infer_options){HYBRID_BOTH, c.dual, c.model.exact ? &c.model : NULL};
	search.rails[0] = c.rails[0];
	search.rails[1] = c.rails[1];
	error = backward_find(failing, reference, alignment, symptom, &search, out);
	if (error && c.rails[0]) {
		tell(&c, "guard rails are not used, since on them", error);
		drop_rails(&c);
		search.rails[0] = search.rails[1] = NULL;
		error = backward_find(failing, reference, alignment, symptom, &search, out);
	}
	if (!error && options->counts)
		tell(&c, "not counted", count(&c, symptom, out));
	tell_model(&c);
	if (!error)
		add_notes(&c, out);
	deinit(&c);
	return error;
}
