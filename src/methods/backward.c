/* Chains of causes found backwards: see backward.h. */
#include "methods/backward.h"

#include <stdlib.h>

#include "base/guard.h"
#include "methods/calls.h"

/* Variables that bring about the goal, at a point. */
struct backward_set {
	struct hybrid_point *point;
	struct dd_set chosen; /* of its differences */
	enum hybrid_way way;  /* in which it is sufficient */
	uint64_t before;      /* the nearest point before at which they are not the same; 0: they
	                          are from the beginning on */
};

/* A variable of a step: who it is, and who wrote it. */
struct backward_element {
	uint64_t key, a_written, b_written;
};

/* A step, in the making. */
struct backward_step {
	struct explanation_step step;
	uint64_t maker, until;         /* as in struct described_step */
	const struct align_fork *fork; /* it is this branch; NULL: it is variables */
	bool hidden;  /* they are only results of functions on their way to a variable */
	bool shown;   /* an experiment shows that it brings about the next step */
	bool defined; /* a statement defined one of them here, or they are the input */
	VEC(struct backward_element) elements;
};

/* Where a set was found. */
struct backward_visit {
	struct site site;
	uint64_t time;
};

struct walker {
	struct hybrids h;
	const struct backward_options *options;
	struct calls calls;
	uint64_t first, last;              /* times of the failing run that are searched */
	VEC(struct hybrid_point *) points; /* that are prepared */
	VEC(struct backward_step) steps;   /* from the last to the first */
	VEC(struct backward_visit) visits; /* of points with a set, in that order */
	bool passed;                       /* over steps of a loop */
	uint64_t nothing;                  /* nothing was sufficient there; 0: that is not so */
	uint64_t equal;                    /* the states are equal there; 0: that is not so */
	char *why;
	struct causes *out;
};

/* ------ points of a chain that is searched backwards ------ */

/* Each preparation decodes both runs. */

static struct hybrid_point *find(const struct walker *w, uint64_t time)
{
	for (uint32_t i = 0; i < w->points.size; i++)
		if (w->points.at[i]->times[true] == time)
			return w->points.at[i];
	return NULL;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Makes points ready, which are aligned, in any order; those that are there already stay. */
static struct hence_error *walker_prepare(struct walker *w, const uint64_t *times, uint32_t count)
{
	uint64_t *new GUARD_FREE = mem_alloc((count + 1) * sizeof(*new));
	struct hybrid_point *points GUARD_FREE = mem_alloc((count + 1) * sizeof(*points));
	struct hence_error *error;
	uint32_t found = 0, kept = 0;

	for (uint32_t i = 0; i < count; i++)
		if (!find(w, times[i]))
			new[found++] = times[i];
	qsort(new, found, sizeof(*new), by_value);
	for (uint32_t i = 0; i < found; i++)
		if (!kept || new[kept - 1] != new[i])
			new[kept++] = new[i];
	error = kept ? hybrids_prepare(&w->h, new, kept, points) : NULL;
	for (uint32_t i = 0; i < kept && !error; i++) {
		struct hybrid_point *point = mem_alloc(sizeof(*point));

		*point = points[i];
		*vec_push(&w->points) = point;
	}
	return error;
}

/* The point, ready and compared. Valid until walker_forget(). */
static struct hence_error *walker_point(struct walker *w, uint64_t time, struct hybrid_point **out)
{
	struct hence_error *error = walker_prepare(w, &time, 1);

	if (error)
		return error;
	*out = find(w, time);
	return hybrid_compare(&w->h, *out);
}

/* Frees all points after that time. */
static void walker_forget(struct walker *w, uint64_t time)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < w->points.size; i++) {
		if (w->points.at[i]->times[true] <= time) {
			w->points.at[kept++] = w->points.at[i];
			continue;
		}
		hybrid_point_deinit(w->points.at[i]);
		free(w->points.at[i]);
	}
	w->points.size = kept;
}

/* ------ where the variables of a step became what they are ------ */

/* See backward.h for the two algorithms (M3). A set is the same at two points when its variables
   were written by the same statements in both runs, and bring about the same goal. Where a value
   that differs is in no variable, nothing can be said: such points are passed over. */

#define FEW    14u /* points that are prepared at a time */
#define LIKELY 4u  /* definitions whose points are prepared together */

enum sameness {
	SAME,
	OTHER,
	UNUSABLE,
};

/* --- definitions --- */

static uint64_t search_before_one(const struct walker *w, const struct difference *d)
{
	const struct alignment *alignment = w->h.pair.alignment;
	uint64_t a = d->a_written ? alignment_until_a(alignment, d->a_written) : 0;
	uint64_t b = d->b_written ? alignment_until_b(alignment, d->b_written) : 0;
	uint64_t latest = a > b ? a : b;

	return latest < w->first ? 0 : latest;
}

/* The last point before the latest definition among the variables, in either run; 0: they were so
   from the beginning on. */
static uint64_t search_before(const struct walker *w, const struct backward_set *set)
{
	uint64_t latest = 0;

	for (uint32_t i = 0; i < set->chosen.size; i++) {
		uint64_t before =
			search_before_one(w, &set->point->differences[dd_set_nth(&set->chosen, i)]);

		latest = before > latest ? before : latest;
	}
	return latest;
}

/* --- is it the same at another point? --- */

/* The same variables at another point. False: one is not there, or was written by others. */
static bool map_set(const struct walker *w, const struct backward_set *set,
                    const struct hybrid_point *to, struct dd_set *out)
{
	uint64_t at = set->point->times[true], there = to->times[true];

	dd_set_init(out, to->count, false);
	for (uint32_t n = 0; n < set->chosen.size; n++) {
		const struct difference *x = &set->point->differences[dd_set_nth(&set->chosen, n)];
		uint32_t i = 0;

		for (; i < to->count; i++) {
			const struct difference *y = &to->differences[i];

			if (x->a_address == y->a_address && x->a_written == y->a_written &&
			    x->b_written == y->b_written && x->size == y->size &&
			    calls_key(&w->calls, at, x) == calls_key(&w->calls, there, y))
				break;
		}
		if (i == to->count)
			return false;
		dd_set_put(out, i, true);
	}
	return true;
}

/* If it is the same there, the set moves to that point. A hybrid in which the goal cannot be seen (the values needed
   a new block, so others lie elsewhere) is judged by the symptom. */
static struct hence_error *probe(struct walker *w, struct hybrid_goal *goal,
                                 struct backward_set *set, uint64_t time, enum sameness *out)
{
	enum verdict wanted = set->way == HYBRID_FAILING ? VERDICT_PASS : VERDICT_FAIL;
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct dd_set mapped GUARD(dd_set_deinit) = {0};
	struct hybrid_point *point;
	struct hence_error *error = walker_point(w, time, &point);

	if (error)
		return error;
	*out = OTHER;
	if (!map_set(w, set, point, &mapped))
		return NULL;
	error = hybrid_ask(&w->h, point, set->way, &mapped, goal, &verdict);
	if (!error && goal && verdict == VERDICT_UNRESOLVED)
		error = hybrid_ask(&w->h, point, set->way, &mapped, NULL, &verdict);
	if (error)
		return error;
	if (verdict == wanted) {
		*out = SAME;
		dd_set_deinit(&set->chosen);
		set->chosen = mapped;
		mapped = (struct dd_set){0};
		set->point = point;
	} else if (state_diff_hidden(point->diff)) {
		*out = UNUSABLE;
	}
	return NULL;
}

/* --- search by halves --- */

static bool walker_is_over(struct walker *w);

/* One level: points that were chosen between set->before, where the set is another, and its own. */
static struct hence_error *halve(struct walker *w, struct hybrid_goal *goal,
                                 struct backward_set *set, struct call_times *times)
{
	uint32_t low = 0, high = times->at.size;
	struct hence_error *error = walker_prepare(w, times->at.at, times->at.size);

	while (low < high && !error && !walker_is_over(w)) {
		uint32_t middle = low + (high - low) / 2;
		uint64_t time = times->at.at[middle];
		enum sameness sameness;

		error = probe(w, goal, set, time, &sameness);
		if (error)
			break;
		if (sameness == SAME) {
			high = middle;
		} else if (sameness == OTHER) {
			set->before = time;
			low = middle + 1;
		} else {
			times->at.size--;
			memmove(times->at.at + middle, times->at.at + middle + 1,
			        (times->at.size - middle) * sizeof(*times->at.at));
			high--;
		}
	}
	return error;
}

/* Level by level, until no point is left between, or none that can be used. */
static struct hence_error *narrow(struct walker *w, struct hybrid_goal *goal,
                                  struct backward_set *set)
{
	struct hence_error *error = NULL;
	bool moved = true;

	while (moved && !error && !walker_is_over(w)) {
		uint64_t before = set->before, at = set->point->times[true];
		struct call_times times = {0};

		calls_between(&w->calls, w->h.pair.alignment, before, at, FEW, &times);
		if (times.at.size)
			error = halve(w, goal, set, &times);
		moved = set->before != before || set->point->times[true] != at;
		vec_deinit(&times.at);
	}
	return error;
}

/* --- the algorithms --- */

static struct hence_error *search_by_dependence(struct walker *w, struct hybrid_goal *goal,
                                                struct backward_set *set)
{
	uint64_t before = search_before(w, set);
	uint64_t behind = before ? alignment_from_a(w->h.pair.alignment, before + 1) : w->first;
	uint64_t times[2 * LIKELY + 2] = {behind}, limit = before;
	struct hence_error *error;
	enum sameness sameness;
	uint32_t count = 1;

	set->before = before;
	/* Points of definitions that are likely to be next are prepared as well. */
	if (before)
		times[count++] = before;
	while (limit && count < 2 * LIKELY) {
		uint64_t latest = 0;

		for (uint32_t i = 0; i < set->point->count; i++) {
			uint64_t time = search_before_one(w, &set->point->differences[i]);

			latest = time > latest && time < limit ? time : latest;
		}
		if (latest) {
			times[count++] = latest;
			times[count++] = alignment_from_a(w->h.pair.alignment, latest + 1);
		}
		limit = latest;
	}
	error = walker_prepare(w, times, count);
	if (error || behind >= set->point->times[true])
		return error;
	error = probe(w, goal, set, behind, &sameness);
	if (error || sameness == SAME)
		return error;
	set->before = before ? before : w->first;
	return narrow(w, goal, set);
}

/* Up the calls that are under way: the set is the same in front of those that it did not begin
   in. */
static struct hence_error *climb(struct walker *w, struct hybrid_goal *goal,
                                 struct backward_set *set)
{
	struct hence_error *error = NULL;

	for (uint32_t depth = calls_depth(&w->calls, set->point->times[true]);
	     depth-- > 1 && !error && !walker_is_over(w);) {
		uint64_t at = set->point->times[true];
		uint64_t begin =
			alignment_from_a(w->h.pair.alignment, calls_entered(&w->calls, at, depth));
		enum sameness sameness = SAME;

		if (begin <= w->first || begin >= at)
			continue;
		error = probe(w, goal, set, begin, &sameness);
		if (!error && sameness == OTHER) {
			set->before = begin;
			break;
		}
	}
	return error;
}

static struct hence_error *search_by_levels(struct walker *w, struct hybrid_goal *goal,
                                            struct backward_set *set)
{
	enum sameness sameness = SAME;
	struct hence_error *error = NULL;

	set->before = 0;
	if (set->point->times[true] > w->first)
		error = probe(w, goal, set, w->first, &sameness);
	if (error || sameness == SAME)
		return error;
	set->before = w->first;
	error = climb(w, goal, set);
	return error ? error : narrow(w, goal, set);
}

/* ------ steps of a chain that is searched backwards ------ */

/* The variables of a step, the statement that defined them, and the experiments: whether they bring
   about the next step, and the failure. */

static void step_deinit(struct backward_step *step)
{
	explanation_step_deinit(&step->step);
	vec_deinit(&step->elements);
}

/* --- variables --- */

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

			if (is_new(w, set, d) == new) {
				*vec_push(&step->elements) = (struct backward_element){
					.key = calls_key(&w->calls, step->step.time, d),
					.a_written = d->a_written,
					.b_written = d->b_written,
				};
				*vec_push(&step->step.values) = (struct explanation_value){
					.name = mem_strdup_or_null(d->name),
					.failing = mem_strdup(d->a ? d->a : "?"),
					.reference = mem_strdup(d->b ? d->b : "?"),
					.function = mem_strdup_or_null(d->function),
				};
				step->hidden &= d->function && !d->file;
			}
			step->defined |= is_new(w, set, d);
		}
}

/* The statement of the failing run that wrote the latest; if only the reference wrote it, the last
   that both runs have before; if nobody wrote it, any between the two points. */
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

/* The last proof of a step is what it shows. */
static void note_proof(const struct walker *w, struct backward_step *step,
                       const struct hybrid_goal *goal)
{
	struct explanation_proof *proof = &step->step.proofs.at[step->step.proofs.size - 1];
	bool shows = cause_is_shown(proof);

	proof->experiment = w->h.asked;
	proof->local = goal;
	if (goal) {
		/* What a local proof was to bring about, so that it can be made again. */
		const struct hybrid_wanted wanted = hybrid_goal_wanted(goal);
		struct explanation_aim *aim = wanted.later ? vec_push(&proof->aims) : NULL;

		if (aim)
			aim->time = wanted.later->times[true];
		for (uint32_t i = 0; aim && i < wanted.set->size; i++)
			*vec_push(&aim->names) = mem_strdup_or_null(
				wanted.later->differences[dd_set_nth(wanted.set, i)].name);
		for (uint32_t i = 0; i < wanted.fork_count; i++)
			vec_push(&proof->aims)->time = wanted.forks[i]->a;
	}
	proof->guarded = w->h.rails[proof->in == EXPLANATION_FAILING];
	step->step.proven |= shows && !goal;
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
	cause_add_proof(&step->step, in_failing ? EXPLANATION_FAILING : EXPLANATION_REFERENCE,
	                verdict);
	note_proof(w, step, goal);
	return NULL;
}

/* A run that goes where it goes proves the failure better, since anybody can repeat that; one on
   rails is for where it does not. */
static struct hence_error *prove_failure(struct walker *w, struct backward_step *step,
                                         const struct backward_set *set, bool in_failing)
{
	const struct rails *rails[] = {w->h.rails[0], w->h.rails[1]};
	bool was_proven = step->step.proven;
	struct hence_error *error;

	step->step.proven = false;
	w->h.rails[0] = w->h.rails[1] = NULL;
	error = prove(w, step, set, NULL, in_failing);
	w->h.rails[0] = rails[0];
	w->h.rails[1] = rails[1];
	if (!error && !step->step.proven && rails[in_failing])
		error = prove(w, step, set, NULL, in_failing);
	step->step.proven |= was_proven;
	return error;
}

/* Adds a step of these variables with its proofs; `goal` is the next step, NULL: the symptom. */
static struct hence_error *steps_add(struct walker *w, const struct backward_set *set,
                                     struct hybrid_goal *goal)
{
	struct backward_step *step = vec_push(&w->steps);
	uint64_t time = set->point->times[true];
	struct hence_error *error = NULL;

	step->step = (struct explanation_step){
		.kind = EXPLANATION_VALUE,
		.time = time,
		.reference_time = set->point->times[false],
		.instance = set->point->points[true].count,
		.reference_instance = set->point->points[false].count,
		.transition = set->before,
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

/* Adds a step of that branch; `goal` is the next step, NULL: the symptom. `if_shown`: only if an
   experiment shows that it brings that about. */
static struct hence_error *steps_add_branch(struct walker *w, const struct align_fork *fork,
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
	step->step = (struct explanation_step){
		.kind = EXPLANATION_BRANCH,
		.time = fork->a,
		.reference_time = fork->b,
		.instance = at->points[true].count,
		.reference_instance = at->points[false].count,
		.transition = true,
	};
	/* Whether it brings about the next step, and the failure, in either run. */
	for (uint32_t i = goal ? 0 : 2; i < 4 && !error; i++) {
		struct hybrid_goal *shown = i < 2 ? goal : NULL;
		enum verdict verdict = VERDICT_UNRESOLVED;

		error = hybrid_force(&w->h, fork, i % 2, shown, &verdict);
		if (error || walker_is_over(w))
			continue;
		cause_add_proof(&step->step, i % 2 ? EXPLANATION_FAILING : EXPLANATION_REFERENCE,
		                verdict);
		note_proof(w, step, shown);
	}
	if (if_shown && !step->shown)
		step_deinit(&w->steps.at[--w->steps.size]);
	return error;
}

/* ------ branches that only the failing version of a program has ------ */

/* A condition that was changed between the versions is aligned with nothing; what is defined, or
   not, because of it lies between two points that both runs have, and so does the branch. */

/* The first one between two times that is executed at that depth of calls. */
static const struct point_branch *find_branch(const struct walker *w,
                                              const struct point_branches *branches, uint64_t from,
                                              uint64_t until, uint32_t depth)
{
	for (uint32_t i = 0; i < branches->all.size; i++) {
		const struct point_branch *branch = &branches->all.at[i];

		if (branch->time > from && branch->time < until && !branch->loose &&
		    !alignment_of_a(w->h.pair.alignment, branch->time) &&
		    calls_depth(&w->calls, branch->time) == depth)
			return branch;
	}
	return NULL;
}

/* A step if the failing run passes when the branch goes the other way; else *added stays false. */
static struct hence_error *add_step(struct walker *w, uint64_t time, bool *added)
{
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct explanation_proof *proof;
	struct backward_step *step;
	struct point at;
	struct hence_error *error = points_find(w->h.pair.runs[true].recording, &time, 1, &at);

	if (!error)
		error = hybrid_switch(&w->h, &at, true, &verdict);
	if (error || walker_is_over(w) || verdict != VERDICT_PASS)
		return error;
	step = vec_push(&w->steps);
	step->maker = time;
	step->shown = true;
	step->step = (struct explanation_step){
		.kind = EXPLANATION_BRANCH,
		.time = time,
		.instance = at.count,
		.transition = true,
		.proven = true,
	};
	proof = cause_add_proof(&step->step, EXPLANATION_FAILING, verdict);
	proof->experiment = w->h.asked;
	proof->guarded = w->h.rails[true];
	*added = true;
	return NULL;
}

/* Finds one between two times. The function may have been called at the first, or have returned by
   the second. *out is 0 if there is none. */
static struct hence_error *find_between(struct walker *w, uint64_t from, uint64_t until,
                                        uint64_t *out)
{
	struct point_branches branches = {0};
	const struct point_branch *branch;
	struct hence_error *error;

	*out = 0;
	if (!w->h.pair.alignment->versions || from + 1 >= until)
		return NULL;
	error = points_branches(w->h.pair.runs[true].recording, until, &branches);
	if (error)
		return error;
	branch = find_branch(w, &branches, from, until, calls_depth(&w->calls, until));
	if (!branch)
		branch = find_branch(w, &branches, from, until, calls_depth(&w->calls, from));
	*out = branch ? branch->time : 0;
	point_branches_deinit(&branches);
	return NULL;
}

/* If the runs are of two versions, adds the branch that only the failing one has and that decided
   whether the variables of the last step, which is this set, were defined so. */
static struct hence_error *changed_add(struct walker *w, const struct backward_set *set)
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

/* The states are equal at a point, and what differs at `now` is in no variable: adds the branch
   between that is another in the reference, since that is patched there or of another version, if
   an experiment shows that it decides. */
static struct hence_error *changed_end(struct walker *w, uint64_t equal, uint64_t now,
                                       struct hybrid_goal *goal)
{
	const struct align_fork *fork = hybrid_fork(&w->h, equal);
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

/* ------ the steps of a chain as the caller gets them ------ */

/* Places, statements and conditions, and which of the steps are told. */

/* A switch needs to be described in the reference as well: which way it went there. */
static struct hence_error *describe_branch(struct walker *w, const struct align_fork *fork,
                                           struct described_step *described)
{
	struct explanation_step there = {.time = fork ? fork->b : 0};
	struct described_step reference = {.step = &there, .maker = there.time};
	struct hence_error *error = NULL;

	if (described->switched && fork)
		error = cause_describe(w->h.pair.runs[false].recording, &reference, 1);
	if (!error)
		cause_set_decision(described, &reference);
	described_step_deinit(&reference);
	explanation_step_deinit(&there);
	return error;
}

/* Was the first step made by a statement that the reference's version does not have? Then it is the
   root. */
static bool ends_in_code(const struct walker *w)
{
	const struct backward_step *first = w->steps.size ? &w->steps.at[w->steps.size - 1] : NULL;

	return w->h.pair.alignment->versions && first && first->maker &&
	       !alignment_of_a(w->h.pair.alignment, first->maker);
}

static struct hence_error *describe(struct walker *w)
{
	struct described_step *described GUARD_FREE =
		mem_alloc((w->steps.size + 1) * sizeof(*described));
	struct explanation_step nothing GUARD(explanation_step_deinit) = {.time = w->nothing};
	struct hence_error *error;
	uint32_t count = 0;

	for (; count < w->steps.size; count++) {
		struct backward_step *step = &w->steps.at[count];
		bool value = step->elements.size;

		described[count] = (struct described_step){
			.step = &step->step,
			.maker = step->maker,
			.until = step->until,
			.calls = value && calls_is_call(&w->calls, step->step.time),
			.begins = value && calls_is_entry(&w->calls, step->step.time),
		};
	}
	if (w->nothing)
		described[count++].step = &nothing;
	error = cause_describe(w->h.pair.runs[true].recording, described, count);
	for (uint32_t i = 0; i < w->steps.size; i++) {
		if (!w->steps.at[i].elements.size && !error)
			error = describe_branch(w, w->steps.at[i].fork, &described[i]);
		described_step_deinit(&described[i]);
	}
	/* Where the chain ends, though there are differences before. */
	if (!error && w->nothing && !ends_in_code(w))
		*vec_push(&w->out->notes) = str_format(
			"what differs before %s:%u does not bring about %s (%s); what was read "
			"there as input is in no variable before",
			nothing.at.file ? nothing.at.file : "?", nothing.at.line,
			w->steps.size ? w->steps.at[w->steps.size - 1].step.values.at[0].name
				      : "the failure",
			w->why);
	return error;
}

/* Does it only hand on what a variable of the step before has? */
static bool hands_on(const struct explanation_step *before, const struct explanation_step *step)
{
	for (uint32_t i = 0; i < before->values.size; i++)
		if (!strcmp(before->values.at[i].failing, step->values.at[0].failing) &&
		    !strcmp(before->values.at[i].reference, step->values.at[0].reference))
			return true;
	return false;
}

/* Nothing is defined at it, and all its variables are those of the other: only other variables are needed beside
   them. */
static bool repeats(const struct backward_step *step, const struct backward_step *other)
{
	if (step->defined || !step->elements.size)
		return false;
	for (uint32_t i = 0; i < step->elements.size; i++) {
		uint32_t k = 0;

		while (k < other->elements.size &&
		       memcmp(&other->elements.at[k], &step->elements.at[i],
		              sizeof(struct backward_element)) != 0)
			k++;
		if (k == other->elements.size)
			return false;
	}
	return true;
}

/* Results on their way out of functions are told if they are new; that of main() the symptom
   tells. */
static bool is_told(const struct walker *w, uint32_t number)
{
	const struct backward_step *step = &w->steps.at[number];
	const char *function = step->step.values.at[0].function;

	if ((number && repeats(step, step - 1)) ||
	    (number + 1 < w->steps.size && repeats(step, step + 1)))
		return false;
	if (!step->elements.size || !step->hidden)
		return true;
	if (!strcmp(function, "main"))
		return false;
	return number + 1 == w->steps.size || !hands_on(&w->steps.at[number + 1].step, &step->step);
}

/* All steps are found: describes them and gives them to the result, in order of time. */
static struct hence_error *steps_finish(struct walker *w)
{
	struct hence_error *error = describe(w);

	if (error)
		return error;
	/* What brings about a step that is proven is proven. */
	for (uint32_t i = 1; i < w->steps.size; i++)
		w->steps.at[i].step.proven |=
			w->steps.at[i].shown && w->steps.at[i - 1].step.proven;
	for (uint32_t i = w->steps.size; i-- > 0;) {
		if (!is_told(w, i))
			continue;
		*vec_push(&w->out->steps) = w->steps.at[i].step;
		w->steps.at[i].step = (struct explanation_step){0};
	}
	return NULL;
}

/* ------ the whole ------ */

#define BACK                                                                                       \
	7u /* points before one that nothing is found at: each twice as far as the one before */
#define TURNS    6u /* steps at the same statement */
#define RETURNS  4u /* and around calls before it */
#define BACK_ALL (BACK + 2 * RETURNS)

static bool walker_is_over(struct walker *w)
{
	if (!w->out->stopped && budget_is_over(w->h.pair.budget))
		w->out->stopped = true;
	return w->out->stopped;
}

/* --- a set that brings about a goal --- */

/* At one point. The set is empty if nothing is sufficient; then *equal says whether nothing
   differs. */
static struct hence_error *infer_at(struct walker *w, struct hybrid_goal *goal, uint64_t time,
                                    struct backward_set *out, bool *equal)
{
	struct hybrid_point *point;
	struct inferred inferred;
	struct hence_error *error = walker_point(w, time, &point);

	if (error)
		return error;
	*equal = !point->count && !state_diff_hidden(point->diff);
	w->equal = *equal ? time : 0;
	if (!point->count)
		return NULL;
	error = infer_causes(&w->h, point, goal, &w->options->infer, &inferred);
	if (error)
		return error;
	if (inferred.sufficient && inferred.set.size && !walker_is_over(w)) {
		out->point = point;
		out->way = inferred.way;
		dd_set_copy(&out->chosen, &inferred.set);
	} else {
		const char *why = inferred.why;

		if (!w->nothing) {
			w->nothing = time;
			w->why = mem_strdup(why ? why
			                        : "nothing that differs there brings it about");
		}
	}
	inferred_deinit(&inferred);
	return NULL;
}

static int latest_first(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* Points before one at which a value is in no variable. Most of these are after calls, whose
   results are on their way. */
static uint32_t list_back(const struct walker *w, uint64_t now, uint64_t *out)
{
	struct call_times calls = {0};
	uint32_t count = 0, kept = 0;

	for (uint64_t step = 1; count < BACK && step < now; step *= 2)
		out[count++] = alignment_until_a(w->h.pair.alignment, now - step);
	calls_inside(&w->calls, now, RETURNS, &calls);
	for (uint32_t i = calls.at.size; i-- > 0 && count < BACK_ALL;)
		out[count++] = alignment_until_a(w->h.pair.alignment, calls.at.at[i]);
	vec_deinit(&calls.at);
	qsort(out, count, sizeof(*out), latest_first);
	for (uint32_t i = 0; i < count; i++)
		if (out[i] >= w->first && out[i] < now && (!kept || out[kept - 1] != out[i]))
			out[kept++] = out[i];
	return kept;
}

/* At the point or, if nothing is sufficient there, at one of those before. An empty set: the chain
   ends. */
static struct hence_error *infer_until(struct walker *w, struct hybrid_goal *goal, uint64_t now,
                                       struct backward_set *out)
{
	uint64_t times[BACK_ALL];
	uint32_t count;
	bool equal = false;
	struct hence_error *error = infer_at(w, goal, now, out, &equal);

	if (error || equal || out->chosen.size || walker_is_over(w))
		return error;
	count = list_back(w, now, times);
	error = walker_prepare(w, times, count);
	for (uint32_t i = 0; i < count && !error && !equal && !out->chosen.size; i++)
		if (!walker_is_over(w))
			error = infer_at(w, goal, times[i], out, &equal);
	/* Equal states before: what brought it about came from outside, or is in the code. */
	if (equal || out->chosen.size)
		w->nothing = 0;
	return error;
}

/* --- the walk --- */

/* What the next set must bring about: this one, and if it was defined in a region of one of the
   runs, that the branch before it goes so. */
static struct hence_error *aim(struct walker *w, const struct backward_set *set,
                               struct hybrid_goal **out)
{
	bool is_defined = set->before && search_before(w, set) == set->before;
	const struct align_fork *fork = is_defined ? hybrid_fork(&w->h, set->before) : NULL;
	struct hybrid_goal *goal = NULL;
	struct hence_error *error =
		hybrid_goal_create(&w->h, set->point, &set->chosen, NULL, 0, &goal);

	*out = NULL;
	if (!error && fork)
		error = steps_add_branch(w, fork, goal, false);
	else if (!error && is_defined)
		error = changed_add(w, set);
	if (!fork) {
		*out = goal;
		return error;
	}
	if (!error)
		error = hybrid_goal_create(&w->h, goal ? set->point : NULL, &set->chosen, &fork, 1,
		                           out);
	hybrid_goal_destroy(goal);
	return error;
}

/* Where to look next. A loop hands a cause on from one iteration to the next, maybe a million
   times: after a few of them, each time twice as many are passed over. */
static uint64_t pass_over(struct walker *w, const struct backward_set *set)
{
	struct backward_visit visit = {set->point->points[true].site, set->point->times[true]};
	uint64_t last = 0, gap, found;
	uint32_t turns = 0;

	for (uint32_t i = 0; i < w->visits.size; i++) {
		const struct site *a = &w->visits.at[i].site, *b = &visit.site;

		if (a->module != b->module || a->function != b->function || a->block != b->block ||
		    a->statement != b->statement)
			continue;
		turns++;
		last = w->visits.at[i].time;
	}
	*vec_push(&w->visits) = visit;
	if (turns < TURNS || set->before <= w->first || last <= visit.time)
		return set->before;
	gap = 2 * (last - visit.time);
	if (gap > (set->before - w->first) / 2)
		gap = (set->before - w->first) / 2;
	found = alignment_until_a(w->h.pair.alignment, set->before - gap);
	w->passed |= found >= w->first && found < set->before;
	return found >= w->first ? found : set->before;
}

/* One step back; *now is 0 when there is none before it. The goal becomes what was found. */
static struct hence_error *step_back(struct walker *w, struct hybrid_goal **goal, uint64_t *now)
{
	struct backward_set set = {0};
	struct hybrid_goal *next = NULL;
	const struct align_fork *fork;
	struct hence_error *error = infer_until(w, *goal, *now, &set);

	if (error || !set.chosen.size) {
		if (!error && w->equal)
			error = changed_end(w, w->equal, *now, *goal);
		*now = 0;
		return error;
	}
	free(w->why);
	w->why = NULL;
	/* Nothing was found at the point, but at one before, where a branch parts the runs: what was
	   on its way there in no variable may be from its region. */
	fork = set.point->times[true] < *now ? hybrid_fork(&w->h, set.point->times[true]) : NULL;
	if (fork)
		error = steps_add_branch(w, fork, *goal, true);
	/* Back to the first point at which the set is still the same. */
	if (!error)
		error = w->options->algorithm == BACKWARD_DEPENDENCE
		                ? search_by_dependence(w, *goal, &set)
		                : search_by_levels(w, *goal, &set);
	if (!error)
		error = steps_add(w, &set, *goal);
	if (!error)
		error = aim(w, &set, &next);
	if (!error) {
		hybrid_goal_destroy(*goal);
		*goal = next;
		*now = pass_over(w, &set);
		walker_forget(w, set.point->times[true]);
	}
	dd_set_deinit(&set.chosen);
	return error;
}

static struct hence_error *choose_ends(struct walker *w)
{
	uint64_t last = w->h.pair.symptom->failing_time;
	struct hence_error *error = calls_find(w->h.pair.runs[true].recording, last, &w->calls);

	if (error)
		return error;
	w->first = w->calls.main ? alignment_from_a(w->h.pair.alignment, w->calls.main) : 0;
	w->last = alignment_until_a(w->h.pair.alignment, last);
	if (!w->first || w->last < w->first)
		return error_create(HENCE_ERROR_INPUT,
		                    "the two runs have no point in common between the start of "
		                    "main() and the failure");
	return NULL;
}

struct hence_error *backward_find(const struct comparison *pair,
                                  const struct backward_options *options, struct causes *out)
{
	struct causes found = {0};
	struct walker w = {
		.h = {.pair = *pair, .rails = {options->rails[0], options->rails[1]}},
		.options = options,
		.out = &found,
	};

	struct hybrid_goal *goal = NULL;
	struct hybrid_point *last;
	struct hence_error *error = choose_ends(&w);
	uint64_t now = w.last;

	w.h.phase = "following causes backwards";
	if (!error)
		error = walker_prepare(&w, &now, 1);
	if (!error)
		error = walker_point(&w, now, &last);
	if (!error)
		error = hybrids_check(&w.h, last);
	while (!error && now && !walker_is_over(&w))
		error = step_back(&w, &goal, &now);
	hybrid_goal_destroy(goal);
	if (!error)
		error = steps_finish(&w);
	if (!error && w.passed)
		*vec_push(&w.out->notes) =
			str_format("of a loop that hands causes on, not each iteration is told");
	w.out->experiments = w.h.asked;
	w.out->confounded = w.h.confounded;

	walker_forget(&w, 0);
	vec_deinit(&w.points);
	vec_deinit(&w.visits);
	for (uint32_t i = 0; i < w.steps.size; i++)
		step_deinit(&w.steps.at[i]);
	vec_deinit(&w.steps);
	calls_deinit(&w.calls);
	free(w.why);

	if (error)
		causes_deinit(&found);
	else
		*out = found;
	return error;
}
