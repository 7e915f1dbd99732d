/*
 * Branches that only the failing version of a program has: see backward_work.h. A condition that was changed
 * between the versions is aligned with nothing; what is defined, or not, because of it lies between two
 * points that both runs have, and so does the branch.
 */
#include "causes/backward_work.h"

/* The first one between two times that is executed at that depth of calls. */
static const struct point_branch *find_branch(const struct walker *w,
                                              const struct point_branches *branches, uint64_t from,
                                              uint64_t until, uint32_t depth)
{
	for (uint32_t i = 0; i < branches->all.size; i++) {
		const struct point_branch *branch = &branches->all.at[i];

		if (branch->time > from && branch->time < until && !branch->loose &&
		    !alignment_of_a(w->h.alignment, branch->time) &&
		    transition_path_depth(&w->path, branch->time) == depth)
			return branch;
	}
	return NULL;
}

/* A step if the failing run passes when the branch goes the other way; else *added stays false. */
static struct hence_error *add_step(struct walker *w, uint64_t time, bool *added)
{
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct backward_step *step;
	struct point at;
	struct hence_error *error = points_find(w->h.runs[true], &time, 1, &at);

	if (!error)
		error = hybrid_switch(&w->h, &at, true, &verdict);
	if (error || walker_is_over(w) || verdict != VERDICT_PASS)
		return error;
	step = vec_push(&w->steps);
	step->maker = time;
	step->shown = true;
	step->point = (struct cause_point){
		.failing_time = time,
		.instance = at.count,
		.branch = true,
		.direct = true,
		.proven = true,
		.set = w->steps.size,
	};
	*vec_push(&step->point.proofs) = (struct proof){
		.experiment = w->h.asked,
		.in_failing = true,
		.guarded = w->h.rails[true],
		.outcome = verdict,
		.time = time};
	*added = true;
	return NULL;
}

/* Finds one between two times. The function may have been called at the first, or have returned by the
   second. *out is 0 if there is none. */
static struct hence_error *find_between(struct walker *w, uint64_t from, uint64_t until,
                                        uint64_t *out)
{
	struct point_branches branches = {0};
	const struct point_branch *branch;
	struct hence_error *error;

	*out = 0;
	if (!w->h.alignment->versions || from + 1 >= until)
		return NULL;
	error = points_branches(w->h.runs[true], until, &branches);
	if (error)
		return error;
	branch = find_branch(w, &branches, from, until, transition_path_depth(&w->path, until));
	if (!branch)
		branch = find_branch(w, &branches, from, until,
		                     transition_path_depth(&w->path, from));
	*out = branch ? branch->time : 0;
	point_branches_deinit(&branches);
	return NULL;
}

struct hence_error *changed_add(struct walker *w, const struct backward_set *set)
{
	uint32_t last = w->steps.size - 1;
	uint64_t maker = w->steps.at[last].maker, time;
	bool written = maker > set->before, added = false;
	struct hence_error *error =
		find_between(w, set->before, written ? maker : set->point->times[true], &time);

	if (!error && time)
		error = add_step(w, time, &added);
	/* What only the reference wrote was not written because of the branch. */
	if (added && !written)
		w->steps.at[last].maker = time;
	return error;
}

struct hence_error *changed_end(struct walker *w, uint64_t equal, uint64_t now,
                                struct hybrid_goal *goal)
{
	const struct align_fork *fork = steps_fork(w, equal);
	struct hence_error *error;
	uint64_t time;
	bool added;

	if (fork && w->steps.size && w->steps.at[w->steps.size - 1].fork == fork)
		return NULL;
	if (fork)
		return steps_add_branch(w, fork, goal, true);
	error = find_between(w, equal, now, &time);
	return error || !time ? error : add_step(w, time, &added);
}
