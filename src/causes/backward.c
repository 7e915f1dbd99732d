/* Chains of causes found backwards: see backward.h. */
#include "causes/backward_work.h"

#include <stdlib.h>

#define BACK                                                                                       \
	7u /* points before one that nothing is found at: each twice as far as the one before */
#define TURNS    6u /* steps at the same statement */
#define RETURNS  4u /* and around calls before it */
#define BACK_ALL (BACK + 2 * RETURNS)

bool walker_is_over(struct walker *w)
{
	if (!w->out->stopped && w->options->stop && w->options->stop(w->options->context))
		w->out->stopped = true;
	return w->out->stopped;
}

/* --- a set that brings about a goal --- */

static void note_nothing(struct walker *w, uint64_t time, const char *why)
{
	if (w->nothing)
		return;
	w->nothing = time;
	w->why = mem_strdup(why ? why : "nothing that differs there brings it about");
}

/* At one point. The set is empty if nothing is sufficient; then *equal says whether nothing differs. */
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
		note_nothing(w, time, inferred.why);
	}
	inferred_deinit(&inferred);
	return NULL;
}

static int latest_first(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* Points before one at which a value is in no variable. Most of these are behind calls, whose results are on
   their way. */
static uint32_t list_back(const struct walker *w, uint64_t now, uint64_t *out)
{
	struct path_times calls = {0};
	uint32_t count = 0, kept = 0;

	for (uint64_t step = 1; count < BACK && step < now; step *= 2)
		out[count++] = alignment_until_a(w->h.alignment, now - step);
	transition_path_inside(&w->path, now, RETURNS, &calls);
	for (uint32_t i = calls.at.size; i-- > 0 && count < BACK_ALL;)
		out[count++] = alignment_until_a(w->h.alignment, calls.at.at[i]);
	vec_deinit(&calls.at);
	qsort(out, count, sizeof(*out), latest_first);
	for (uint32_t i = 0; i < count; i++)
		if (out[i] >= w->first && out[i] < now && (!kept || out[kept - 1] != out[i]))
			out[kept++] = out[i];
	return kept;
}

/* At the point or, if nothing is sufficient there, at one of those before. An empty set: the chain ends. */
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

/* What the next set must bring about: this one, and if it was defined in a region of one of the runs, that
   the branch before it goes so. */
static struct hence_error *aim(struct walker *w, const struct backward_set *set,
                               struct hybrid_goal **out)
{
	bool is_defined = set->before && search_before(w, set) == set->before;
	const struct align_fork *fork = is_defined ? steps_fork(w, set->before) : NULL;
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

/* Nothing was found at a point, but at one before, where a branch parts the runs: what was on its way there
   in no variable may be from its region. */
static struct hence_error *look_for_branch(struct walker *w, const struct backward_set *set,
                                           uint64_t now, struct hybrid_goal *goal)
{
	uint64_t time = set->point->times[true];
	const struct align_fork *fork = time < now ? steps_fork(w, time) : NULL;

	return fork ? steps_add_branch(w, fork, goal, true) : NULL;
}

static bool same_site(const struct site *a, const struct site *b)
{
	return a->module == b->module && a->function == b->function && a->block == b->block &&
	       a->statement == b->statement;
}

/* Where to look next. A loop hands a cause on from one iteration to the next, maybe a million times: after a
   few of them, each time twice as many are passed over. */
static uint64_t pass_over(struct walker *w, const struct backward_set *set)
{
	struct backward_visit visit = {set->point->points[true].site, set->point->times[true]};
	uint64_t last = 0, gap, found;
	uint32_t turns = 0;

	for (uint32_t i = 0; i < w->visits.size; i++)
		if (same_site(&w->visits.at[i].site, &visit.site)) {
			turns++;
			last = w->visits.at[i].time;
		}
	*vec_push(&w->visits) = visit;
	if (turns < TURNS || set->before <= w->first || last <= visit.time)
		return set->before;
	gap = 2 * (last - visit.time);
	if (gap > (set->before - w->first) / 2)
		gap = (set->before - w->first) / 2;
	found = alignment_until_a(w->h.alignment, set->before - gap);
	w->passed |= found >= w->first && found < set->before;
	return found >= w->first ? found : set->before;
}

/* One step back; *now is 0 when there is none before it. The goal becomes what was found. */
static struct hence_error *step_back(struct walker *w, struct hybrid_goal **goal, uint64_t *now)
{
	struct backward_set set = {0};
	struct hybrid_goal *next = NULL;
	struct hence_error *error = infer_until(w, *goal, *now, &set);

	if (error || !set.chosen.size) {
		if (!error && w->equal)
			error = changed_end(w, w->equal, *now, *goal);
		*now = 0;
		return error;
	}
	free(w->why);
	w->why = NULL;
	error = look_for_branch(w, &set, *now, *goal);
	if (!error)
		error = search_back(w, *goal, &set);
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
	uint64_t last = w->h.symptom->failing_time;
	struct hence_error *error = transition_path_find(w->h.runs[true], last, &w->path);

	if (error)
		return error;
	w->first = w->path.main ? alignment_from_a(w->h.alignment, w->path.main) : 0;
	w->last = alignment_until_a(w->h.alignment, last);
	if (!w->first || w->last < w->first)
		return error_create(HENCE_ERROR_INPUT,
		                    "the two runs have no point in common between the start of "
		                    "main() and the failure");
	return NULL;
}

static struct hence_error *walk(struct walker *w)
{
	struct hybrid_goal *goal = NULL;
	struct hybrid_point *last;
	struct hence_error *error = choose_ends(w);
	uint64_t now = w->last;

	w->h.phase = "following causes backwards";
	if (!error)
		error = walker_prepare(w, &now, 1);
	if (!error)
		error = walker_point(w, now, &last);
	if (!error)
		error = hybrids_check(&w->h, last);
	while (!error && now && !walker_is_over(w))
		error = step_back(w, &goal, &now);
	hybrid_goal_destroy(goal);
	if (!error)
		error = steps_finish(w);
	if (!error && w->passed)
		*vec_push(&w->out->notes) =
			str_format("of a loop that hands causes on, not each iteration is told");
	w->out->experiments = w->h.asked;
	w->out->confounded = w->h.confounded;
	return error;
}

static void walker_deinit(struct walker *w)
{
	walker_forget(w, 0);
	vec_deinit(&w->points);
	vec_deinit(&w->visits);
	for (uint32_t i = 0; i < w->steps.size; i++)
		step_deinit(&w->steps.at[i]);
	vec_deinit(&w->steps);
	transition_path_deinit(&w->path);
	free(w->why);
}

struct hence_error *backward_find(const struct symptom_run *failing,
                                  const struct symptom_run *reference,
                                  const struct alignment *alignment, const struct symptom *symptom,
                                  const struct backward_options *options, struct causes *out)
{
	struct causes found = {0};
	struct walker w = {
		.h = {.pools = {options->reference_pool, options->failing_pool},
	              .runs = {reference->recording, failing->recording},
	              .alignment = alignment,
	              .symptom = symptom,
	              .rails = {options->rails[0], options->rails[1]},
	              .room = hybrids_room(options->workers),
	              .stop = options->stop,
	              .progress = options->progress,
	              .context = options->context},
		.options = options,
		.out = &found,
	};
	struct hence_error *error = walk(&w);

	walker_deinit(&w);
	if (error)
		causes_deinit(&found);
	else
		*out = found;
	return error;
}
