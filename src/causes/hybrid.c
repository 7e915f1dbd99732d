/* Questions about hybrid runs: see hybrid.h. */
#include "causes/hybrid_work.h"

#include <assert.h>

#define PATIENCE 0.2        /* seconds between two questions whether the search is to end */
#define NOBODY   UINT64_MAX /* no question */

/* A question with experiments under way: one in each run that is asked. */
struct question {
	uint64_t id; /* of whoever asks */
	uint64_t hash;
	uint64_t serials[2]; /* 0: none, or it has answered */
	enum verdict verdicts[2];
};

struct answer {
	uint64_t id;
	enum verdict verdict;
};

/* Questions about one point. */
struct asking {
	struct hybrids *h;
	struct hybrid_point *point;
	bool asks[2];  /* which runs */
	bool opposite; /* a search for the opposite verdict */
	struct hybrid_goal *goal;
	VEC(struct question) running;
	VEC(struct answer) known; /* not waited for yet */
};

static struct asking asking_of(struct hybrids *h, struct hybrid_point *point, enum hybrid_way way,
                               struct hybrid_goal *goal)
{
	struct asking a = {.h = h, .point = point, .goal = goal};

	a.asks[false] = way != HYBRID_FAILING;
	a.asks[true] = way != HYBRID_REFERENCE;
	/* What only one of the runs can tell is told by that one. */
	for (unsigned side = 0; side < 2 && goal && way == HYBRID_BOTH; side++)
		a.asks[side] = hybrid_goal_tells(goal, side);
	a.opposite = way == HYBRID_BOTH && !a.asks[false];
	return a;
}

static void asking_deinit(struct asking *a)
{
	vec_deinit(&a->running);
	vec_deinit(&a->known);
}

/* --- verdicts --- */

/* Of a search, VERDICT_FAIL is what is looked for. Of one run, its verdict is what it shows. Of both,
   both must show what the other did, or both what they did themselves. */
static enum verdict combine(const struct asking *a, const enum verdict verdicts[2])
{
	enum verdict verdict = verdicts[a->asks[true] && !a->asks[false]];

	if (a->asks[false] && a->asks[true]) {
		if (verdicts[false] == VERDICT_FAIL && verdicts[true] == VERDICT_PASS)
			return VERDICT_FAIL;
		return verdicts[false] == VERDICT_PASS && verdicts[true] == VERDICT_FAIL
		               ? VERDICT_PASS
		               : VERDICT_UNRESOLVED;
	}
	if (!a->opposite || verdict == VERDICT_UNRESOLVED)
		return verdict;
	return verdict == VERDICT_FAIL ? VERDICT_PASS : VERDICT_FAIL;
}

static bool is_answered(const struct question *q)
{
	return !q->serials[false] && !q->serials[true];
}

static void answer(struct asking *a, const struct question *q)
{
	*vec_push(&a->known) = (struct answer){q->id, combine(a, q->verdicts)};
}

/* Verdicts about a goal are not those about the symptom, or about another goal; and a run on rails is not one
   that goes where it goes. */
static uint64_t key_of(const struct asking *a, bool in_failing, uint64_t hash)
{
	uint64_t goal = a->goal ? hybrid_goal_number(a->goal) : 0;

	return hash ^ (2 * goal + (a->h->rails[in_failing] != NULL)) * 0x9e3779b97f4a7c15;
}

/* What is known without an experiment: the verdict on a set that was asked about before, or on a run that
   gets nothing, which is as it was recorded. */
static bool find_kept(const struct asking *a, bool in_failing, const struct dd_set *set,
                      enum verdict *out)
{
	const uint8_t *kept;

	if (!set->size) {
		*out = in_failing ? VERDICT_FAIL : VERDICT_PASS;
		return true;
	}
	kept = hybrid_verdicts_find(&a->point->verdicts[in_failing],
	                            key_of(a, in_failing, dd_set_hash(set)));
	if (kept)
		*out = *kept;
	return kept;
}

static void keep(struct asking *a, bool in_failing, uint64_t hash, enum verdict verdict)
{
	*hybrid_verdicts_put(&a->point->verdicts[in_failing], key_of(a, in_failing, hash)) =
		(uint8_t)verdict;
}

/* --- experiments --- */

static struct hybrid_trial trial_of(const struct asking *a, bool in_failing)
{
	return (struct hybrid_trial){.h = a->h,
	                             .in_failing = in_failing,
	                             .at = a->point->points[in_failing],
	                             .goal = a->goal};
}

static struct hence_error *start_experiment(struct asking *a, bool in_failing,
                                            const struct dd_set *set, uint64_t serial)
{
	struct hybrid_trial trial = trial_of(a, in_failing);
	struct stop first = {0};
	VEC(uint32_t) chosen = VEC_INIT;
	struct hence_error *error;

	for (uint32_t i = 0; i < set->size; i++)
		*vec_push(&chosen) = dd_set_nth(set, i);
	if (chosen.size)
		first.changes = state_diff_changes(a->point->diff, chosen.at, chosen.size,
		                                   in_failing, &first.change_count);
	error = hybrid_trial_start(&trial, first, serial);
	vec_deinit(&chosen);
	return error;
}

static struct hence_error *start(void *context, const struct dd_set *set, uint64_t id)
{
	struct asking *a = context;
	struct question q = {.id = id, .hash = dd_set_hash(set)};
	struct hence_error *error = NULL;

	for (unsigned side = 0; side < 2 && !error; side++) {
		if (a->asks[side] && !find_kept(a, side, set, &q.verdicts[side]))
			error = start_experiment(a, side, set, q.serials[side] = ++a->h->serial);
	}
	if (error)
		return error;
	if (is_answered(&q))
		answer(a, &q);
	else
		*vec_push(&a->running) = q;
	return NULL;
}

static void take(struct asking *a, bool in_failing, uint64_t serial,
                 const struct experiment_result *result)
{
	struct hybrid_trial trial = trial_of(a, in_failing);

	for (uint32_t i = 0; i < a->running.size; i++) {
		struct question *q = &a->running.at[i];

		if (q->serials[in_failing] != serial)
			continue;
		q->serials[in_failing] = 0;
		q->verdicts[in_failing] = hybrid_trial_judge(&trial, result);
		keep(a, in_failing, q->hash, q->verdicts[in_failing]);
		if (is_answered(q)) {
			answer(a, q);
			*q = a->running.at[--a->running.size];
		}
		return;
	}
	assert(!"a result of an experiment that was not started");
}

/* Waits a moment for a result; there may be none then. */
static struct hence_error *collect(struct asking *a)
{
	bool in_failing = !a->running.at[0].serials[false], ended = false;
	struct experiments *pool = a->h->pools[in_failing];
	struct experiment_result result = {0};
	struct hence_error *error;
	uint64_t serial;

	error = experiments_poll(pool, PATIENCE, &ended);
	if (error || !ended)
		return error;
	error = experiments_wait(pool, &serial, &result);
	if (error)
		return error;
	take(a, in_failing, serial, &result);
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

static void cancel_question(struct asking *a, uint32_t i)
{
	for (unsigned side = 0; side < 2; side++)
		if (a->running.at[i].serials[side])
			experiments_cancel(a->h->pools[side], a->running.at[i].serials[side]);
	a->running.at[i] = a->running.at[--a->running.size];
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
			cancel_question(a, i);
			return;
		}
}

static bool is_over(void *context)
{
	const struct asking *a = context;

	return a->h->stop && a->h->stop(a->h->context);
}

/* --- who asks --- */

static void count(const struct asking *a, uint64_t asked)
{
	hybrid_count(a->h, asked * (a->asks[false] + a->asks[true]));
}

struct hence_error *hybrid_ask(struct hybrids *h, struct hybrid_point *point, enum hybrid_way way,
                               const struct dd_set *set, struct hybrid_goal *goal,
                               enum verdict *out)
{
	struct asking a = asking_of(h, point, way, goal);
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
	count(&a, 1);
	asking_deinit(&a);
	return error;
}

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
	struct asking a = asking_of(h, point, HYBRID_REFERENCE, goal);
	struct dd_search search = search_of(&a);
	struct dd_stats stats = {0};
	struct hence_error *error = dd_isolate(&search, passing, failing, &stats);

	count(&a, stats.asked);
	asking_deinit(&a);
	return error;
}

struct hence_error *hybrid_minimise(struct hybrids *h, struct hybrid_point *point,
                                    enum hybrid_way way, struct hybrid_goal *goal,
                                    struct dd_set *failing)
{
	struct asking a = asking_of(h, point, way, goal);
	struct dd_search search = search_of(&a);
	struct dd_stats stats = {0};
	struct hence_error *error;

	a.opposite |= way == HYBRID_FAILING;
	error = dd_minimise(&search, failing, &stats);
	count(&a, stats.asked);
	asking_deinit(&a);
	return error;
}
