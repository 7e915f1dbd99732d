/* Runs of which no value is changed: see hybrid.h. */
#include "causes/hybrid_work.h"

/* Caller frees the result. */
static struct hence_error *run_alone(const struct hybrid_trial *trial, struct stop first,
                                     struct experiment_result *out)
{
	struct hence_error *error = hybrid_trial_start(trial, first, ++trial->h->serial);
	uint64_t serial;

	if (!error)
		error = experiments_wait(trial->h->pools[trial->in_failing], &serial, out);
	hybrid_count(trial->h, 1);
	return error;
}

static struct hence_error *ask_alone(const struct hybrid_trial *trial, struct stop first,
                                     enum verdict *out)
{
	struct experiment_result result = {0};
	struct hence_error *error = run_alone(trial, first, &result);

	if (error)
		return error;
	*out = hybrid_trial_judge(trial, &result);
	experiment_result_deinit(&result);
	return NULL;
}

struct hence_error *hybrid_switch(struct hybrids *h, const struct point *at, bool in_failing,
                                  enum verdict *out)
{
	struct hybrid_trial trial = {.h = h, .in_failing = in_failing, .at = *at};

	return ask_alone(&trial, (struct stop){.force = FORCE_SWITCHED}, out);
}

struct hence_error *hybrid_force(struct hybrids *h, const struct align_fork *fork, bool in_failing,
                                 struct hybrid_goal *goal, enum verdict *out)
{
	struct hybrid_trial trial = {.h = h, .in_failing = in_failing, .goal = goal};
	struct stop first = {.force = FORCE_BRANCH};
	uint64_t own = in_failing ? fork->a : fork->b, other = in_failing ? fork->b : fork->a;
	struct hence_error *error = points_find(h->runs[in_failing], &own, 1, &trial.at);

	if (!error)
		error = points_ways(h->runs[!in_failing], &other, 1, &first.outcome);
	if (error)
		return error;
	if (first.outcome != POINTS_NO_WAY)
		return ask_alone(&trial, first, out);
	*out = VERDICT_UNRESOLVED;
	return NULL;
}

static struct hence_error *check_side(struct hybrids *h, const struct hybrid_point *point,
                                      bool in_failing)
{
	struct hybrid_trial trial = {
		.h = h, .in_failing = in_failing, .at = point->points[in_failing]};
	struct experiment_result result = {0};
	struct hence_error *error = run_alone(&trial, (struct stop){0}, &result);
	enum verdict verdict;

	if (error)
		return error;
	symptom_learn(h->symptom, in_failing, trial.at.time, &result, 1);
	verdict = hybrid_trial_judge(&trial, &result);
	experiment_result_deinit(&result);
	if (verdict == (in_failing ? VERDICT_FAIL : VERDICT_PASS))
		return NULL;
	return error_create(HENCE_ERROR_INPUT,
	                    "%s does not show in an experiment that changes nothing what it showed "
	                    "when it was recorded: experiments would prove nothing",
	                    in_failing ? "the failing run" : "the reference run");
}

struct hence_error *hybrids_check(struct hybrids *h, const struct hybrid_point *point)
{
	struct hence_error *error = check_side(h, point, true);

	return error ? error : check_side(h, point, false);
}
