/* Cause transitions: see transitions.h. */
#include "causes/transition_work.h"

#define ROUNDS 3u /* of searches, when variables had to be found anew */
#define BACK   16u /* points before the symptom that are tried, each twice as far as the one before */

/* --- the finder --- */

void finder_note(struct finder *f, const char *format, ...)
{
	struct str text = STR_INIT;
	va_list args;

	va_start(args, format);
	str_vprintf(&text, format, args);
	va_end(args);
	*vec_push(&f->out->found.notes) = str_steal(&text);
}

bool finder_is_over(struct finder *f)
{
	if (!f->out->found.stopped && f->options->stop && f->options->stop(f->options->context))
		f->out->found.stopped = true;
	return f->out->found.stopped;
}

static void forget_points(struct finder *f)
{
	for (uint32_t i = 0; i < f->points.size; i++)
		hybrid_point_deinit(&f->points.at[i]);
	f->points.size = 0;
}

struct hence_error *finder_prepare(struct finder *f, const uint64_t *times, uint32_t count)
{
	struct hence_error *error;

	forget_points(f);
	vec_reserve(&f->points, count);
	error = hybrids_prepare(&f->h, times, count, f->points.at);
	if (!error)
		f->points.size = count;
	return error;
}

struct hybrid_point *finder_point(struct finder *f, uint64_t time)
{
	for (uint32_t i = 0; i < f->points.size; i++)
		if (f->points.at[i].times[true] == time)
			return &f->points.at[i];
	return NULL;
}

static void finder_deinit(struct finder *f)
{
	forget_points(f);
	vec_deinit(&f->points);
	for (uint32_t i = 0; i < f->looks.size; i++)
		look_deinit(&f->looks.at[i]);
	vec_deinit(&f->looks);
	for (uint32_t i = 0; i < f->sets.size; i++)
		vec_deinit(&f->sets.at[i].keys);
	vec_deinit(&f->sets);
	transition_path_deinit(&f->path);
}

/* --- the search --- */

static struct hence_error *prepare(void *context, const uint64_t *times, uint32_t count)
{
	struct finder *f = context;

	f->h.phase = "searching for transitions";
	return finder_prepare(f, times, count);
}

static struct hence_error *relevant(void *context, uint64_t time, uint32_t before, uint32_t after,
                                    uint32_t *out)
{
	return isolate_relevant(context, time, before, after, out);
}

static bool is_over(void *context)
{
	return finder_is_over(context);
}

static struct hence_error *search(struct finder *f, struct transition_moments *moments)
{
	struct transition_search search = {.count = choose_count,
	                                   .between = choose_between,
	                                   .back = choose_back,
	                                   .detour = choose_detour,
	                                   .prepare = prepare,
	                                   .relevant = relevant,
	                                   .stop = is_over,
	                                   .context = f};

	return transition_search_run(&search, moments);
}

/* --- the first and the last point --- */

static struct hence_error *look_at(struct finder *f, struct transition_moments *moments,
                                   uint64_t time, uint32_t after, uint32_t *set)
{
	struct hence_error *error = isolate_relevant(f, time, 0, after, set);

	if (!error)
		transition_moments_add(moments, time, *set);
	return error;
}

/* Aligned times before the last one, each twice as far away as the one before, in order. */
static uint32_t list_back(const struct finder *f, uint64_t *out)
{
	uint64_t reversed[BACK];
	uint32_t count = 0;

	for (uint64_t step = 1; count < BACK && step < f->last - f->first; step *= 2) {
		uint64_t time = alignment_until_a(f->h.alignment, f->last - step);

		if (time > f->first && (!count || reversed[count - 1] != time))
			reversed[count++] = time;
	}
	for (uint32_t i = 0; i < count; i++)
		out[i] = reversed[count - 1 - i];
	return count;
}

/* Where the value that is wrong is in no variable (the result of a call that is printed at once),
   points further back are tried. */
static struct hence_error *look_back(struct finder *f, struct transition_moments *moments,
                                     uint32_t *set)
{
	uint64_t times[BACK];
	uint32_t count = list_back(f, times);
	struct hence_error *error = count ? finder_prepare(f, times, count) : NULL;

	for (uint32_t i = count; i-- > 0 && !error && !*set && !finder_is_over(f);)
		error = look_at(f, moments, times[i], 0, set);
	return error;
}

/* Looks at both ends. */
static struct hence_error *look_at_ends(struct finder *f, struct transition_moments *moments)
{
	uint64_t times[] = {f->first, f->last};
	uint32_t set = 0, at_first;
	struct hence_error *error = finder_prepare(f, times, f->first < f->last ? 2 : 1);

	if (!error)
		error = hybrids_check(&f->h, &f->points.at[0]);
	if (!error && f->first < f->last)
		error = look_at(f, moments, f->last, 0, &set);
	if (!error && !set)
		error = look_back(f, moments, &set);
	if (!error && !finder_point(f, f->first))
		error = finder_prepare(f, times, 1);
	if (!error)
		error = look_at(f, moments, f->first, set, &at_first);
	return error;
}

static struct hence_error *choose_ends(struct finder *f, const struct symptom *symptom)
{
	struct hence_error *error =
		transition_path_find(f->h.runs[true], symptom->failing_time, &f->path);

	if (error)
		return error;
	f->first = f->path.main ? alignment_from_a(f->h.alignment, f->path.main) : 0;
	f->last = alignment_until_a(f->h.alignment, symptom->failing_time);
	if (!f->first || f->last < f->first)
		return error_create(HENCE_ERROR_INPUT,
		                    "the two runs have no point in common between the start of "
		                    "main() and the failure");
	return NULL;
}

/* --- the chain --- */

/* Does what is about to be returned only hand on the values of one of the variables before? */
static bool hands_on(const struct look *before, const struct look_variable *result)
{
	for (uint32_t i = 0; before && i < before->variables.size; i++) {
		const struct look_variable *v = &before->variables.at[i];

		if (v->failing && v->reference && result->failing && result->reference &&
		    !strcmp(v->failing, result->failing) &&
		    !strcmp(v->reference, result->reference))
			return true;
	}
	return false;
}

/* Is there a variable of the program among them, or a result that its function made? That of main() the
   symptom tells. */
static bool is_shown(const struct look *before, const struct look *look)
{
	for (uint32_t i = 0; i < look->variables.size; i++) {
		const struct look_variable *v = &look->variables.at[i];

		if (!v->hidden ||
		    (v->function && strcmp(v->function, "main") && !hands_on(before, v)))
			return true;
	}
	return false;
}

static bool same_values(const struct finder *f, const struct transition_moments *moments,
                        uint32_t a, uint32_t b)
{
	return choose_same_values(isolate_look(f, moments->all.at[a].time),
	                          isolate_look(f, moments->all.at[b].time));
}

/* Ends a stretch of time in which the same variables are relevant: `latest` is the first moment at which
   they have the values that they have at its end. */
static void end_stretch(const struct finder *f, const struct transition_moments *moments,
                        uint32_t latest, struct chain *out)
{
	if (out->at.size && !same_values(f, moments, out->at.at[out->at.size - 1], latest))
		*vec_push(&out->at) = latest;
}

/* Moments at which a value is only on its way out of a function are passed over. */
static void find_chain(const struct finder *f, const struct transition_moments *moments,
                       struct chain *out)
{
	uint32_t set = 0, latest = 0;

	out->at.size = 0;
	for (uint32_t i = 0; i < moments->all.size; i++) {
		const struct transition_moment *moment = &moments->all.at[i];
		const struct look *before =
			set ? isolate_look(f, moments->all.at[latest].time) : NULL;

		if (!moment->set || !is_shown(before, isolate_look(f, moment->time)))
			continue;
		if (moment->set == set) {
			latest = same_values(f, moments, latest, i) ? latest : i;
			continue;
		}
		end_stretch(f, moments, latest, out);
		*vec_push(&out->at) = latest = i;
		set = moment->set;
	}
	end_stretch(f, moments, latest, out);
}

static struct hence_error *prepare_chain(struct finder *f, const struct transition_moments *moments,
                                         const struct chain *chain)
{
	VEC(uint64_t) times = VEC_INIT;
	struct hence_error *error;

	for (uint32_t i = 0; i < chain->at.size; i++)
		*vec_push(&times) = moments->all.at[chain->at.at[i]].time;
	error = finder_prepare(f, times.at, times.size);
	for (uint32_t i = 0; i < f->points.size && !error; i++)
		error = hybrid_compare(&f->h, &f->points.at[i]);
	vec_deinit(&times);
	return error;
}

/* Searches until each set of the chain causes the next. */
static struct hence_error *find_moments(struct finder *f, struct transition_moments *moments,
                                        struct chain *chain)
{
	struct hence_error *error = NULL;
	bool changed = true;

	for (uint32_t round = 0; round < ROUNDS && changed && !error; round++) {
		changed = false;
		error = search(f, moments);
		find_chain(f, moments, chain);
		if (!error && chain->at.size)
			error = prepare_chain(f, moments, chain);
		f->h.phase = "proving";
		if (!error && !finder_is_over(f))
			error = proofs_check_chain(f, moments, chain, false, &changed);
	}
	if (changed && !error) {
		find_chain(f, moments, chain);
		error = prepare_chain(f, moments, chain);
	}
	return error;
}

/* What was found to be caused by a step that does not belong to the chain is looked at again without
   it. */
static struct hence_error *prune(struct finder *f, struct transition_moments *moments,
                                 struct chain *chain)
{
	uint32_t before = chain->at.size;
	struct hence_error *error = proofs_prune_chain(f, moments, chain);
	bool changed = false;

	if (!error && chain->at.size < before)
		error = proofs_check_chain(f, moments, chain, true, &changed);
	if (!error && changed)
		error = prepare_chain(f, moments, chain);
	if (!error && changed)
		error = proofs_prune_chain(f, moments, chain);
	return error;
}

/* --- all --- */

static struct hence_error *find(struct finder *f, const struct symptom *symptom)
{
	struct transition_moments moments = {0};
	struct chain chain = {0};
	struct hence_error *error = choose_ends(f, symptom);

	f->h.phase = "looking at the ends";
	if (!error)
		error = look_at_ends(f, &moments);
	if (!error)
		error = find_moments(f, &moments, &chain);
	if (!error && chain.at.size)
		error = prune(f, &moments, &chain);
	if (!error)
		error = result_add_points(f, &moments, &chain);
	if (!error && f->options->all_points)
		error = result_add_all(f, &moments);
	if (!error)
		result_add_notes(f);
	f->out->found.stopped |= moments.stopped;
	f->out->found.experiments = f->h.asked;
	vec_deinit(&chain.at);
	vec_deinit(&moments.all);
	return error;
}

struct hence_error *
transitions_find(const struct symptom_run *failing, const struct symptom_run *reference,
                 const struct alignment *alignment, const struct symptom *symptom,
                 const struct transitions_options *options, struct transitions *out)
{
	struct transitions found = {0};
	struct finder f = {
		.h = {.pools = {options->reference_pool, options->failing_pool},
	              .runs = {reference->recording, failing->recording},
	              .alignment = alignment,
	              .symptom = symptom,
	              .room = hybrids_room(options->workers),
	              .stop = options->stop,
	              .progress = options->progress,
	              .context = options->context},
		.options = options,
		.out = &found,
	};
	struct hence_error *error = find(&f, symptom);

	finder_deinit(&f);
	if (error)
		transitions_deinit(&found);
	else
		*out = found;
	return error;
}
