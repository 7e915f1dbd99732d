/*
 * Branches that only the failing version of a program has: see backward_work.h. A condition that was changed
 * between the versions is aligned with nothing; what is defined, or not, because of it lies between two
 * points that both runs have, and so does the branch.
 */
#include "causes/backward_work.h"

/* The first one behind the point before, at that depth of calls, and before what wrote the variables. */
static const struct point_branch *find_branch(const struct walker *w,
                                              const struct backward_set *set,
                                              const struct point_branches *branches, uint64_t until,
                                              uint32_t depth)
{
	for (uint32_t i = 0; i < branches->all.size; i++) {
		const struct point_branch *branch = &branches->all.at[i];

		if (branch->time > set->before && branch->time < until && !branch->loose &&
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
		.experiment = w->h.asked, .in_failing = true, .outcome = verdict, .time = time};
	*added = true;
	return NULL;
}

struct hence_error *changed_add(struct walker *w, const struct backward_set *set)
{
	uint64_t maker = w->steps.at[w->steps.size - 1].maker;
	uint64_t until = set->point->times[true];
	const struct point_branch *branch;
	struct point_branches branches = {0};
	struct hence_error *error;
	bool added = false;

	if (!w->h.alignment->versions || !set->before || set->before + 1 >= until)
		return NULL;
	error = points_branches(w->h.runs[true], until, &branches);
	if (error)
		return error;
	if (maker > set->before)
		until = maker;
	/* The function may have been called at the point before, or have returned since. */
	branch = find_branch(w, set, &branches, until,
	                     transition_path_depth(&w->path, set->point->times[true]));
	if (!branch)
		branch = find_branch(w, set, &branches, until,
		                     transition_path_depth(&w->path, set->before));
	if (branch)
		error = add_step(w, branch->time, &added);
	/* What only the reference wrote was not written because of the branch. */
	if (added && maker == set->before)
		w->steps.at[w->steps.size - 2].maker = branch->time;
	vec_deinit(&branches.all);
	return error;
}
