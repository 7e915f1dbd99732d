/* Cause transitions: see transitions.h. */
#include "causes/transition_work.h"

#include <unistd.h>

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
	*vec_push(&f->out->notes) = str_steal(&text);
}

bool finder_is_over(struct finder *f)
{
	if (!f->out->stopped && f->options->stop && f->options->stop(f->options->context))
		f->out->stopped = true;
	return f->out->stopped;
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
		uint64_t time = choose_aligned_until(f->h.alignment, f->last - step);

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
	f->first = f->path.main ? choose_aligned_from(f->h.alignment, f->path.main) : 0;
	f->last = choose_aligned_until(f->h.alignment, symptom->failing_time);
	if (!f->first || f->last < f->first)
		return error_create(HENCE_ERROR_INPUT,
		                    "the two runs have no point in common between the start of "
		                    "main() and the failure");
	return NULL;
}

/* --- the chain --- */

/* Is there a variable of the program among them? */
static bool is_shown(const struct finder *f, uint64_t time)
{
	const struct look *look = isolate_look(f, time);

	for (uint32_t i = 0; i < look->variables.size; i++)
		if (!look->variables.at[i].hidden)
			return true;
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

/* Moments at which only the compiler's own variables are relevant are passed over. */
static void find_chain(const struct finder *f, const struct transition_moments *moments,
                       struct chain *out)
{
	uint32_t set = 0, latest = 0;

	out->at.size = 0;
	for (uint32_t i = 0; i < moments->all.size; i++) {
		const struct transition_moment *moment = &moments->all.at[i];

		if (!moment->set || !is_shown(f, moment->time))
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
			error = proofs_check_chain(f, moments, chain, &changed);
	}
	if (changed && !error) {
		find_chain(f, moments, chain);
		error = prepare_chain(f, moments, chain);
	}
	return error;
}

/* --- the result --- */

static void add_variables(const struct look *look, struct transition_point *out)
{
	for (uint32_t i = 0; i < look->variables.size; i++) {
		const struct look_variable *v = &look->variables.at[i];

		*vec_push(&out->variables) = (struct transition_variable){
			.name = mem_strdup(v->name),
			.failing = mem_strdup(v->failing ? v->failing : "?"),
			.reference = mem_strdup(v->reference ? v->reference : "?"),
			.function = v->function ? mem_strdup(v->function) : NULL,
		};
	}
}

static struct transition_point point_of(const struct finder *f, const struct look *look)
{
	struct transition_point point = {
		.failing_time = look->time,
		.set = look->set,
		.reference_time = alignment_of_a(f->h.alignment, look->time),
		.call = transition_path_calls(&f->path, look->time),
		.begins = transition_path_begins(&f->path, look->time),
	};

	add_variables(look, &point);
	return point;
}

/* The last time before a moment at which something else was relevant; else that of the moment before. */
static uint64_t other_before(const struct transition_moments *moments, uint32_t at)
{
	for (uint32_t i = at; i-- > 0;)
		if (moments->all.at[i].set)
			return moments->all.at[i].time;
	return moments->all.at[at - 1].time;
}

/* The statement that made the transition: the one that wrote the variable, if that is between the two
   points; else the one at the earlier point, or any up to the later one. */
static void set_maker(const struct finder *f, const struct transition_moments *moments, uint32_t at,
                      struct described_point *out)
{
	const struct look *look = isolate_look(f, moments->all.at[at].time);
	uint64_t maker = choose_maker(f, look), before = moments->all.at[at - 1].time;

	if (maker && maker >= other_before(moments, at)) {
		out->maker = maker;
		return;
	}
	out->maker = before;
	if (before + 1 < look->time)
		out->until = look->time - 1;
}

/* Adds a moment of the chain. */
static void add_point(struct finder *f, const struct transition_moments *moments, uint32_t at)
{
	const struct look *look = isolate_look(f, moments->all.at[at].time);
	const struct hybrid_point *hybrid = finder_point(f, look->time);
	struct transition_point *point = vec_push(&f->out->points);

	*point = point_of(f, look);
	point->instance = hybrid->points[true].count;
	point->reference_instance = hybrid->points[false].count;
	/* Where the variables only got other values, the statement that wrote them is known. */
	point->direct = at > 0 && (moments->all.at[at].direct ||
	                           moments->all.at[at].set == moments->all.at[at - 1].set);
}

static struct hence_error *describe_points(struct finder *f,
                                           const struct transition_moments *moments,
                                           const struct chain *chain)
{
	struct transitions *out = f->out;
	struct described_point *described = mem_alloc((out->points.size + 1) * sizeof(*described));
	struct hence_error *error;

	for (uint32_t i = 0; i < out->points.size; i++) {
		uint32_t at = chain->at.at[i];

		described[i].point = &out->points.at[i];
		if (at > 0)
			set_maker(f, moments, at, &described[i]);
	}
	error = transition_describe(f, described, out->points.size);
	for (uint32_t i = 0; i < out->points.size; i++)
		free(described[i].condition);
	free(described);
	return error;
}

/* Puts the branches between the moments that they lie between. */
static void insert_forks(struct transitions *out, struct fork_steps *forks)
{
	for (uint32_t i = forks->all.size; i-- > 0;) {
		uint32_t at = forks->all.at[i].link + 1;

		vec_push(&out->points);
		memmove(&out->points.at[at + 1], &out->points.at[at],
		        (out->points.size - 1 - at) * sizeof(*out->points.at));
		out->points.at[at] = forks->all.at[i].point;
	}
	vec_deinit(&forks->all);
}

static struct hence_error *add_points(struct finder *f, const struct transition_moments *moments,
                                      const struct chain *chain)
{
	struct transitions *out = f->out;
	struct fork_steps forks = {0};
	struct hence_error *error = NULL;

	for (uint32_t i = 0; i < chain->at.size; i++)
		add_point(f, moments, chain->at.at[i]);
	for (uint32_t i = 0; i < out->points.size && !error && !finder_is_over(f); i++)
		error = proofs_add(f, &out->points.at[i]);
	if (!error)
		error = describe_points(f, moments, chain);
	if (!error)
		error = fork_steps_find(f, moments, chain, &forks);
	insert_forks(out, &forks);
	return error;
}

static struct hence_error *add_all(struct finder *f, const struct transition_moments *moments)
{
	struct described_point *described = mem_alloc((moments->all.size + 1) * sizeof(*described));
	struct hence_error *error;

	for (uint32_t i = 0; i < moments->all.size; i++) {
		*vec_push(&f->out->all) = point_of(f, isolate_look(f, moments->all.at[i].time));
		f->out->all.at[i].direct = moments->all.at[i].direct;
	}
	for (uint32_t i = 0; i < moments->all.size; i++) {
		described[i].point = &f->out->all.at[i];
		described[i].maker =
			moments->all.at[i].time; /* the statement of the point itself */
	}
	error = transition_describe(f, described, f->out->all.size);
	for (uint32_t i = 0; i < f->out->all.size; i++)
		free(described[i].condition);
	free(described);
	return error;
}

static bool has_incomplete(const struct finder *f)
{
	for (uint32_t i = 0; i < f->looks.size; i++)
		if (f->looks.at[i].incomplete)
			return true;
	return false;
}

static void add_notes(struct finder *f)
{
	for (uint32_t i = 0; i < f->out->points.size; i++) {
		const struct transition_point *point = &f->out->points.at[i];

		if (point->variables.size > 1)
			finder_note(f, "at %s:%u none of the %u variables is enough by itself",
			            point->file ? point->file : "?", point->line,
			            point->variables.size);
	}
	if (!f->out->points.size && !f->out->stopped)
		finder_note(f,
		            "at none of the %u points that were tried do the differences between "
		            "the two states make the reference run fail: what decides is %s",
		            f->looks.size,
		            has_incomplete(f) ? "in the middle of expressions, in no variable"
		                              : "in no variable of the program");
	if (f->path.partial)
		finder_note(f, "the run has too many calls: deep ones were not preferred");
}

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
	if (!error)
		error = add_points(f, &moments, &chain);
	if (!error && f->options->all_points)
		error = add_all(f, &moments);
	if (!error)
		add_notes(f);
	f->out->stopped |= moments.stopped;
	f->out->experiments = f->h.asked;
	vec_deinit(&chain.at);
	vec_deinit(&moments.all);
	return error;
}

/* --- all --- */

static uint32_t choose_room(const struct transitions_options *options)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	if (options->workers)
		return options->workers;
	return cores > 1 ? (uint32_t)cores : 1;
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
	              .room = choose_room(options),
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

void transition_point_deinit(struct transition_point *point)
{
	for (uint32_t i = 0; i < point->variables.size; i++) {
		free(point->variables.at[i].name);
		free(point->variables.at[i].failing);
		free(point->variables.at[i].reference);
		free(point->variables.at[i].function);
	}
	for (uint32_t i = 0; i < point->proofs.size; i++) {
		free(point->proofs.at[i].changed);
		free(point->proofs.at[i].from);
		free(point->proofs.at[i].to);
	}
	vec_deinit(&point->variables);
	vec_deinit(&point->proofs);
	free(point->file);
	free(point->function);
	free(point->callee);
	free(point->cause_file);
	free(point->cause_function);
	free(point->statement);
	free(point->until_file);
	free(point->until_statement);
}

void transitions_deinit(struct transitions *t)
{
	for (uint32_t i = 0; i < t->points.size; i++)
		transition_point_deinit(&t->points.at[i]);
	for (uint32_t i = 0; i < t->all.size; i++)
		transition_point_deinit(&t->all.at[i]);
	for (uint32_t i = 0; i < t->notes.size; i++)
		free(t->notes.at[i]);
	vec_deinit(&t->points);
	vec_deinit(&t->all);
	vec_deinit(&t->notes);
	*t = (struct transitions){0};
}
