/*
 * Steps of a chain that is searched backwards: see backward_work.h. The variables of a step, the statement
 * that defined them, and the experiments: whether they bring about the next step, and the failure.
 */
#include "causes/backward_work.h"

#include <stdlib.h>

void step_deinit(struct backward_step *step)
{
	cause_point_deinit(&step->point);
	vec_deinit(&step->elements);
}

/* --- variables --- */

static char *copy(const char *text)
{
	return text ? mem_strdup(text) : NULL;
}

static void add_variable(const struct walker *w, struct backward_step *step,
                         const struct difference *d)
{
	*vec_push(&step->elements) = (struct backward_element){
		.key = transition_path_key(&w->path, step->point.failing_time, d),
		.a_written = d->a_written,
		.b_written = d->b_written,
	};
	*vec_push(&step->point.variables) = (struct cause_variable){
		.name = copy(d->name),
		.failing = mem_strdup(d->a ? d->a : "?"),
		.reference = mem_strdup(d->b ? d->b : "?"),
		.function = copy(d->function),
	};
	step->hidden &= d->function && !d->file;
}

/* Was it defined between the point before and that of the set? */
static bool is_new(const struct walker *w, const struct backward_set *set,
                   const struct difference *d)
{
	return set->before && search_before_one(w, d) == set->before;
}

/* Those that were defined last come first. */
static void add_variables(const struct walker *w, const struct backward_set *set,
                          struct backward_step *step)
{
	step->hidden = true;
	step->defined = !set->before;
	for (uint32_t new = 2; new -- > 0;)
		for (uint32_t i = 0; i < set->chosen.size; i++) {
			const struct difference *d =
				&set->point->differences[dd_set_nth(&set->chosen, i)];

			if (is_new(w, set, d) == new)
				add_variable(w, step, d);
			step->defined |= is_new(w, set, d);
		}
}

/* The statement of the failing run that wrote the latest; if only the reference wrote it, the last that
   both runs have before; if nobody wrote it, any between the two points. */
static void find_maker(const struct walker *w, const struct backward_set *set,
                       struct backward_step *step)
{
	bool any = false;

	for (uint32_t i = 0; i < set->chosen.size; i++) {
		const struct difference *d = &set->point->differences[dd_set_nth(&set->chosen, i)];

		if (!is_new(w, set, d))
			continue;
		any = true;
		if (d->a_written > step->maker && d->a_written >= set->before)
			step->maker = d->a_written;
	}
	if (!step->maker)
		step->maker = set->before;
	if (!any && set->before && set->before + 1 < set->point->times[true])
		step->until = set->point->times[true] - 1;
}

/* --- proofs --- */

/* What a local proof was to bring about, so that it can be made again. */
static void note_aims(const struct hybrid_goal *goal, struct proof *proof)
{
	const struct hybrid_wanted wanted = hybrid_goal_wanted(goal);
	struct proof_aim *aim = wanted.later ? vec_push(&proof->aims) : NULL;

	if (aim)
		aim->time = wanted.later->times[true];
	for (uint32_t i = 0; aim && i < wanted.set->size; i++)
		*vec_push(&aim->names) =
			copy(wanted.later->differences[dd_set_nth(wanted.set, i)].name);
	for (uint32_t i = 0; i < wanted.fork_count; i++)
		vec_push(&proof->aims)->time = wanted.forks[i]->a;
}

/* The last proof of a step is what it shows. */
static void note_proof(const struct walker *w, struct backward_step *step,
                       const struct hybrid_goal *goal)
{
	struct proof *proof = &step->point.proofs.at[step->point.proofs.size - 1];
	bool shows = proof->outcome == (proof->in_failing ? VERDICT_PASS : VERDICT_FAIL);

	proof->experiment = w->h.asked;
	proof->local = goal;
	if (goal)
		note_aims(goal, proof);
	proof->guarded = w->h.rails[proof->in_failing];
	step->point.proven |= shows && !goal;
	step->shown |= shows;
}

static struct hence_error *prove(struct walker *w, struct backward_step *step,
                                 const struct backward_set *set, struct hybrid_goal *goal,
                                 bool in_failing)
{
	enum hybrid_way way = in_failing ? HYBRID_FAILING : HYBRID_REFERENCE;
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct hence_error *error =
		hybrid_ask(&w->h, set->point, way, &set->chosen, goal, &verdict);

	if (error || walker_is_over(w))
		return error;
	cause_add_proof(&step->point, in_failing, verdict)->time = set->point->times[in_failing];
	note_proof(w, step, goal);
	return NULL;
}

/* A run that goes where it goes proves the failure better, since anybody can repeat that; one on rails is for
   where it does not. */
static struct hence_error *prove_failure(struct walker *w, struct backward_step *step,
                                         const struct backward_set *set, bool in_failing)
{
	const struct rails *rails[] = {w->h.rails[0], w->h.rails[1]};
	bool was_proven = step->point.proven;
	struct hence_error *error;

	step->point.proven = false;
	w->h.rails[0] = w->h.rails[1] = NULL;
	error = prove(w, step, set, NULL, in_failing);
	w->h.rails[0] = rails[0];
	w->h.rails[1] = rails[1];
	if (!error && !step->point.proven && rails[in_failing])
		error = prove(w, step, set, NULL, in_failing);
	step->point.proven |= was_proven;
	return error;
}

struct hence_error *steps_add(struct walker *w, const struct backward_set *set,
                              struct hybrid_goal *goal)
{
	struct backward_step *step = vec_push(&w->steps);
	uint64_t time = set->point->times[true];
	struct hence_error *error = NULL;

	step->point = (struct cause_point){
		.failing_time = time,
		.reference_time = set->point->times[false],
		.instance = set->point->points[true].count,
		.reference_instance = set->point->points[false].count,
		.call = transition_path_calls(&w->path, time),
		.begins = transition_path_begins(&w->path, time),
		.direct = set->before,
		.set = w->steps.size,
	};
	add_variables(w, set, step);
	find_maker(w, set, step);
	for (uint32_t side = 0; side < 2 && goal && !error; side++)
		error = prove(w, step, set, goal, side);
	for (uint32_t side = 0; side < 2 && !error; side++)
		error = prove_failure(w, step, set, side);
	/* The goal had the way of the branch in it. */
	if (!error && w->steps.size > 1 && step[-1].fork)
		step[-1].shown |= step->shown;
	return error;
}

/* --- branches --- */

const struct align_fork *steps_fork(const struct walker *w, uint64_t time)
{
	const struct alignment *alignment = w->h.alignment;
	uint32_t low = 0, high = alignment->forks.size;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (alignment->forks.at[middle].a < time)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == alignment->forks.size || alignment->forks.at[low].a != time ||
	    alignment->forks.at[low].kind != FORK_BRANCH)
		return NULL;
	return &alignment->forks.at[low];
}

static struct hence_error *prove_branch(struct walker *w, struct backward_step *step,
                                        struct hybrid_goal *goal, bool in_failing)
{
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct hence_error *error = hybrid_force(&w->h, step->fork, in_failing, goal, &verdict);

	if (error || walker_is_over(w))
		return error;
	*vec_push(&step->point.proofs) =
		(struct proof){.in_failing = in_failing,
	                       .outcome = verdict,
	                       .time = in_failing ? step->fork->a : step->fork->b};
	note_proof(w, step, goal);
	return NULL;
}

struct hence_error *steps_add_branch(struct walker *w, const struct align_fork *fork,
                                     struct hybrid_goal *goal, bool if_shown)
{
	struct backward_step *step;
	struct hybrid_point *at;
	struct hence_error *error = walker_point(w, fork->a, &at);

	if (error)
		return error;
	step = vec_push(&w->steps);
	step->fork = fork;
	step->maker = fork->a;
	step->point = (struct cause_point){
		.failing_time = fork->a,
		.reference_time = fork->b,
		.instance = at->points[true].count,
		.reference_instance = at->points[false].count,
		.branch = true,
		.direct = true,
		.set = w->steps.size,
	};
	for (uint32_t i = 0; i < 4 && !error; i++)
		if (i >= 2 || goal)
			error = prove_branch(w, step, i < 2 ? goal : NULL, i % 2);
	if (if_shown && !step->shown)
		step_deinit(&w->steps.at[--w->steps.size]);
	return error;
}
