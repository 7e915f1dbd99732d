/* The chain as the caller gets it: see transitions.h. */
#include "causes/transition_work.h"

#define MOST_SEVERAL 3u /* points with several variables that are noted */

static void add_variables(const struct look *look, struct cause_point *out)
{
	for (uint32_t i = 0; i < look->variables.size; i++) {
		const struct look_variable *v = &look->variables.at[i];

		*vec_push(&out->variables) = (struct cause_variable){
			.name = mem_strdup(v->name),
			.failing = mem_strdup(v->failing ? v->failing : "?"),
			.reference = mem_strdup(v->reference ? v->reference : "?"),
			.function = v->function ? mem_strdup(v->function) : NULL,
		};
	}
}

static struct cause_point point_of(const struct finder *f, const struct look *look)
{
	struct cause_point point = {
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
	struct cause_point *point = vec_push(&f->out->found.points);

	*point = point_of(f, look);
	point->instance = hybrid->points[true].count;
	point->reference_instance = hybrid->points[false].count;
	point->apart = moments->all.at[at].apart;
	/* Where the variables only got other values, the statement that wrote them is known. */
	point->direct = at > 0 && (moments->all.at[at].direct ||
	                           moments->all.at[at].set == moments->all.at[at - 1].set);
}

static struct hence_error *describe_points(struct finder *f,
                                           const struct transition_moments *moments,
                                           const struct chain *chain)
{
	struct transitions *out = f->out;
	struct described_point *described =
		mem_alloc((out->found.points.size + 1) * sizeof(*described));
	struct hence_error *error;

	for (uint32_t i = 0; i < out->found.points.size; i++) {
		uint32_t at = chain->at.at[i];

		described[i].point = &out->found.points.at[i];
		if (at > 0)
			set_maker(f, moments, at, &described[i]);
	}
	error = cause_describe(f->h.runs[true], described, out->found.points.size);
	for (uint32_t i = 0; i < out->found.points.size; i++)
		described_point_deinit(&described[i]);
	free(described);
	return error;
}

/* Puts the branches between the moments that they lie between. */
static void insert_forks(struct transitions *out, struct fork_steps *forks)
{
	for (uint32_t i = forks->all.size; i-- > 0;) {
		uint32_t at = forks->all.at[i].link + 1;

		vec_push(&out->found.points);
		memmove(&out->found.points.at[at + 1], &out->found.points.at[at],
		        (out->found.points.size - 1 - at) * sizeof(*out->found.points.at));
		out->found.points.at[at] = forks->all.at[i].point;
	}
	vec_deinit(&forks->all);
}

struct hence_error *result_add_points(struct finder *f, const struct transition_moments *moments,
                                      const struct chain *chain)
{
	struct transitions *out = f->out;
	struct fork_steps forks = {0};
	struct hence_error *error = NULL;

	for (uint32_t i = 0; i < chain->at.size; i++)
		add_point(f, moments, chain->at.at[i]);
	for (uint32_t i = 0; i < out->found.points.size && !error && !finder_is_over(f); i++)
		error = proofs_add(f, &out->found.points.at[i]);
	if (!error)
		error = describe_points(f, moments, chain);
	if (!error)
		error = fork_steps_find(f, moments, chain, &forks);
	insert_forks(out, &forks);
	return error;
}

struct hence_error *result_add_all(struct finder *f, const struct transition_moments *moments)
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
	error = cause_describe(f->h.runs[true], described, f->out->all.size);
	for (uint32_t i = 0; i < f->out->all.size; i++)
		described_point_deinit(&described[i]);
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

static void note_several(struct finder *f)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < f->out->found.points.size; i++) {
		const struct cause_point *point = &f->out->found.points.at[i];

		if (point->variables.size > 1 && count++ < MOST_SEVERAL)
			finder_note(f, "at %s:%u none of the %u variables is enough by itself",
			            point->file ? point->file : "?", point->line,
			            point->variables.size);
	}
	if (count > MOST_SEVERAL)
		finder_note(f, "nor is any at %u more points", count - MOST_SEVERAL);
}

void result_add_notes(struct finder *f)
{
	note_several(f);
	if (!f->out->found.points.size && !f->out->found.stopped)
		finder_note(f,
		            "at none of the %u points that were tried do the differences between "
		            "the two states make the reference run fail: what decides is %s",
		            f->looks.size,
		            has_incomplete(f) ? "in the middle of expressions, in no variable"
		                              : "in no variable of the program");
	if (f->path.partial)
		finder_note(f, "the run has too many calls: deep ones were not preferred");
}

void transitions_deinit(struct transitions *t)
{
	causes_deinit(&t->found);
	for (uint32_t i = 0; i < t->all.size; i++)
		cause_point_deinit(&t->all.at[i]);
	vec_deinit(&t->all);
}
