/* Experiments on hybrid runs: see hybrid.h. */
#include "causes/hybrid.h"

#include <assert.h>

#define PATIENCE 0.2        /* seconds between two questions whether the search is to end */
#define NOBODY   UINT64_MAX /* no experiment */

/* An experiment under way. */
struct running {
	uint64_t id; /* of whoever asks */
	uint64_t serial;
	uint64_t hash; /* of its set */
};

struct answer {
	uint64_t id;
	enum verdict verdict;
};

/* Questions about one point. */
struct asking {
	struct hybrids *h;
	struct hybrid_point *point;
	bool in_failing;
	struct hybrid_goal *goal;
	VEC(struct running) running;
	VEC(struct answer) known; /* not waited for yet */
};

/* Verdicts about a goal are not those about the symptom: they are not kept. */
static struct hybrid_verdicts *kept_verdicts(struct asking *a)
{
	return a->goal ? NULL : &a->point->verdicts[a->in_failing];
}

/* --- one experiment --- */

static struct hence_error *add_stops(struct asking *a, struct stop *stops, uint32_t *count)
{
	uint64_t time = a->point->times[a->in_failing];
	struct hence_error *error;

	if (!a->goal)
		return symptom_stops(a->h->symptom, a->in_failing, time, stops, count);
	error = hybrid_goal_stop(a->h, a->goal, time, &stops[*count]);
	*count += !error;
	return error;
}

static struct hence_error *start_experiment(struct asking *a, const struct dd_set *set,
                                            uint64_t serial)
{
	const struct point *at = &a->point->points[a->in_failing];
	struct stop stops[1 + SYMPTOM_STOPS] = {{.site = at->site, .count = at->count}};
	struct experiment experiment = {.time = at->time, .stops = stops, .stop_count = 1};
	struct hence_error *error = add_stops(a, stops, &experiment.stop_count);
	VEC(uint32_t) chosen = VEC_INIT;

	if (error)
		return error;
	for (uint32_t i = 0; i < set->size; i++)
		*vec_push(&chosen) = dd_set_nth(set, i);
	if (chosen.size)
		stops[0].changes = state_diff_changes(a->point->diff, chosen.at, chosen.size,
		                                      a->in_failing, &stops[0].change_count);
	error = experiments_start(a->h->pools[a->in_failing], &experiment, serial);
	vec_deinit(&chosen);
	return error;
}

static enum verdict judge(struct asking *a, const struct experiment_result *result)
{
	if (!a->goal)
		return symptom_judge(a->h->symptom, a->in_failing, a->point->times[a->in_failing],
		                     result, 1);
	if (result->unreadable || result->stops.size < 2)
		return VERDICT_UNRESOLVED;
	return hybrid_goal_judge(a->goal, &result->stops.at[1]);
}

/* --- questions --- */

static struct hence_error *start(void *context, const struct dd_set *set, uint64_t id)
{
	struct asking *a = context;
	struct running running = {.id = id, .hash = dd_set_hash(set)};
	const uint8_t *known =
		a->goal ? NULL : hybrid_verdicts_find(kept_verdicts(a), running.hash);
	struct hence_error *error;

	if (known) {
		*vec_push(&a->known) = (struct answer){id, *known};
		return NULL;
	}
	running.serial = ++a->h->serial;
	error = start_experiment(a, set, running.serial);
	if (!error)
		*vec_push(&a->running) = running;
	return error;
}

static void take(struct asking *a, uint64_t serial, const struct experiment_result *result)
{
	enum verdict verdict = judge(a, result);

	for (uint32_t i = 0; i < a->running.size; i++) {
		struct running running = a->running.at[i];

		if (running.serial != serial)
			continue;
		*vec_push(&a->known) = (struct answer){running.id, verdict};
		if (kept_verdicts(a))
			*hybrid_verdicts_put(kept_verdicts(a), running.hash) = (uint8_t)verdict;
		a->running.at[i] = a->running.at[--a->running.size];
		return;
	}
	assert(!"a result of an experiment that was not started");
}

/* Waits a moment for a result; there may be none then. */
static struct hence_error *collect(struct asking *a)
{
	struct experiments *pool = a->h->pools[a->in_failing];
	struct experiment_result result = {0};
	struct hence_error *error;
	uint64_t serial;
	bool ended = false;

	assert(a->running.size);
	error = experiments_poll(pool, PATIENCE, &ended);
	if (error || !ended)
		return error;
	error = experiments_wait(pool, &serial, &result);
	if (error)
		return error;
	take(a, serial, &result);
	experiment_result_deinit(&result);
	return NULL;
}

static struct hence_error *wait(void *context, uint64_t *id, enum verdict *out)
{
	struct asking *a = context;
	struct hence_error *error = NULL;

	*id = NOBODY;
	*out = VERDICT_UNRESOLVED;
	if (!a->known.size)
		error = collect(a);
	if (error || !a->known.size)
		return error;
	*id = a->known.at[0].id;
	*out = a->known.at[0].verdict;
	a->known.size--;
	memmove(a->known.at, a->known.at + 1, a->known.size * sizeof(*a->known.at));
	return NULL;
}

static void cancel(void *context, uint64_t id)
{
	struct asking *a = context;

	for (uint32_t i = 0; i < a->known.size; i++)
		if (a->known.at[i].id == id) {
			a->known.at[i] = a->known.at[--a->known.size];
			return;
		}
	for (uint32_t i = 0; i < a->running.size; i++)
		if (a->running.at[i].id == id) {
			experiments_cancel(a->h->pools[a->in_failing], a->running.at[i].serial);
			a->running.at[i] = a->running.at[--a->running.size];
			return;
		}
}

static bool is_over(void *context)
{
	const struct asking *a = context;

	return a->h->stop && a->h->stop(a->h->context);
}

static void asking_deinit(struct asking *a)
{
	vec_deinit(&a->running);
	vec_deinit(&a->known);
}

static void count(struct hybrids *h, uint64_t asked)
{
	h->asked += asked;
	if (h->progress)
		h->progress(h->context, h->asked, h->phase);
}

struct hence_error *hybrid_ask(struct hybrids *h, struct hybrid_point *point, bool in_failing,
                               const struct dd_set *set, struct hybrid_goal *goal,
                               enum verdict *out)
{
	struct asking a = {.h = h, .point = point, .in_failing = in_failing, .goal = goal};
	struct hence_error *error = start(&a, set, 0);
	uint64_t id = NOBODY;

	while (!error && id == NOBODY) {
		if (is_over(&a)) {
			cancel(&a, 0);
			*out = VERDICT_UNRESOLVED;
			break;
		}
		error = wait(&a, &id, out);
	}
	asking_deinit(&a);
	count(h, 1);
	return error;
}

/* --- delta debugging --- */

static struct dd_search search_of(struct asking *a)
{
	return (struct dd_search){.count = a->point->count,
	                          .room = a->h->room,
	                          .start = start,
	                          .wait = wait,
	                          .cancel = cancel,
	                          .stop = is_over,
	                          .context = a};
}

struct hence_error *hybrid_isolate(struct hybrids *h, struct hybrid_point *point,
                                   struct hybrid_goal *goal, struct dd_set *passing,
                                   struct dd_set *failing)
{
	struct asking a = {.h = h, .point = point, .goal = goal};
	struct dd_search search = search_of(&a);
	struct dd_stats stats = {0};
	struct hence_error *error = dd_isolate(&search, passing, failing, &stats);

	asking_deinit(&a);
	count(h, stats.asked);
	return error;
}

struct hence_error *hybrid_minimise(struct hybrids *h, struct hybrid_point *point,
                                    struct hybrid_goal *goal, struct dd_set *failing)
{
	struct asking a = {.h = h, .point = point, .goal = goal};
	struct dd_search search = search_of(&a);
	struct dd_stats stats = {0};
	struct hence_error *error = dd_minimise(&search, failing, &stats);

	asking_deinit(&a);
	count(h, stats.asked);
	return error;
}

/* --- no value is changed --- */

/* Runs alone from a point on, with what the symptom needs. `stops` has the first. Caller frees the
   result. */
static struct hence_error *run_alone(struct hybrids *h, const struct point *at, bool in_failing,
                                     enum force force, struct experiment_result *out)
{
	struct stop stops[1 + SYMPTOM_STOPS] = {
		{.site = at->site, .count = at->count, .force = force}};
	struct experiment experiment = {.time = at->time, .stops = stops, .stop_count = 1};
	struct hence_error *error =
		symptom_stops(h->symptom, in_failing, at->time, stops, &experiment.stop_count);

	if (!error)
		error = experiments_run(h->pools[in_failing], &experiment, out);
	count(h, 1);
	return error;
}

struct hence_error *hybrid_switch(struct hybrids *h, const struct point *at, bool in_failing,
                                  enum verdict *out)
{
	struct experiment_result result = {0};
	struct hence_error *error = run_alone(h, at, in_failing, FORCE_SWITCHED, &result);

	if (error)
		return error;
	*out = symptom_judge(h->symptom, in_failing, at->time, &result, 1);
	experiment_result_deinit(&result);
	return NULL;
}

static struct hence_error *check_side(struct hybrids *h, const struct hybrid_point *point,
                                      bool in_failing)
{
	const struct point *at = &point->points[in_failing];
	struct experiment_result result = {0};
	struct hence_error *error = run_alone(h, at, in_failing, FORCE_NOTHING, &result);
	enum verdict verdict;

	if (error)
		return error;
	symptom_learn(h->symptom, in_failing, at->time, &result, 1);
	verdict = symptom_judge(h->symptom, in_failing, at->time, &result, 1);
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
