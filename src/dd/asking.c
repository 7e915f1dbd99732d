/*
 * Asking: runs the tests that an algorithm asks for, with a cache of verdicts, and others ahead of
 * time while there is room. The algorithm sees the verdicts in the order of its questions only.
 *
 * A set is remembered by its hash and size: sets of a million bytes and a hundred thousand tests
 * would not fit into memory. Of 10^9 searches with that many tests one would take two sets for
 * the same.
 */
#include <assert.h>

#include "base/map.h"
#include "base/vec.h"
#include "dd/ahead.h"
#include "dd/state.h"

struct answer {
	enum verdict verdict;
	uint32_t size; /* of the set */
	bool used;     /* by the algorithm */
};

MAP_DEFINE_U64(answer_map, struct answer);

struct running {
	uint64_t id;
	uint64_t hash;
	uint32_t size;
};

struct asking {
	const struct dd_search *search;
	struct dd_state *state;
	struct dd_stats stats;
	struct answer_map answers;
	VEC(struct running) running;
	uint64_t next; /* id */
	uint32_t room;
};

static struct answer *find_answer(struct asking *a, uint64_t hash, uint32_t size)
{
	struct answer *answer = answer_map_find(&a->answers, hash);

	return answer && answer->size == size ? answer : NULL;
}

static bool is_known(void *context, const struct dd_set *set, uint64_t hash, enum verdict *out)
{
	struct answer *answer = find_answer(context, hash, set->size);

	if (answer)
		*out = answer->verdict;
	return answer;
}

static bool is_running(const struct asking *a, const struct dd_wanted *wanted)
{
	for (uint32_t i = 0; i < a->running.size; i++)
		if (a->running.at[i].hash == wanted->hash &&
		    a->running.at[i].size == wanted->set.size)
			return true;
	return false;
}

static void forget_running(struct asking *a, uint32_t at)
{
	a->running.at[at] = a->running.at[--a->running.size];
}

static void cancel(struct asking *a, uint32_t at)
{
	if (a->search->cancel)
		a->search->cancel(a->search->context, a->running.at[at].id);
	forget_running(a, at);
}

/* Makes room: ends a test that is not wanted any more. */
static void cancel_unwanted(struct asking *a, const struct dd_ahead *ahead)
{
	for (uint32_t r = 0; r < a->running.size; r++) {
		bool wanted = false;

		for (uint32_t i = 0; i < ahead->sets.size && !wanted; i++)
			wanted = ahead->sets.at[i].hash == a->running.at[r].hash &&
			         ahead->sets.at[i].set.size == a->running.at[r].size;
		if (!wanted) {
			cancel(a, r);
			return;
		}
	}
	assert(!"all that runs is wanted, and more than fits");
}

static struct hence_error *start(struct asking *a, const struct dd_wanted *wanted)
{
	uint64_t id = a->next++;
	struct hence_error *error = a->search->start(a->search->context, &wanted->set, id);

	if (error)
		return error;
	a->stats.tests++;
	*vec_push(&a->running) = (struct running){id, wanted->hash, wanted->set.size};
	return NULL;
}

/* Starts the test of the present question and of those that will probably follow. */
static struct hence_error *start_wanted(struct asking *a)
{
	struct dd_ahead ahead;
	struct hence_error *error = NULL;

	dd_ahead_find(a->state, a->room, is_known, a, &ahead);
	for (uint32_t i = 0; i < ahead.sets.size && !error; i++) {
		if (is_running(a, &ahead.sets.at[i]))
			continue;
		if (a->running.size >= a->room)
			cancel_unwanted(a, &ahead);
		error = start(a, &ahead.sets.at[i]);
	}
	dd_ahead_deinit(&ahead);
	return error;
}

/* Waits for one verdict, of whichever test. */
static struct hence_error *wait_for_one(struct asking *a)
{
	uint64_t id;
	enum verdict verdict;
	struct hence_error *error = a->search->wait(a->search->context, &id, &verdict);

	if (error)
		return error;
	for (uint32_t i = 0; i < a->running.size; i++) {
		struct running *r = &a->running.at[i];

		if (r->id != id)
			continue;
		*answer_map_put(&a->answers, r->hash) =
			(struct answer){.verdict = verdict, .size = r->size};
		forget_running(a, i);
		break;
	}
	return NULL;
}

static void tell_better(const struct asking *a, const struct dd_set *set, enum verdict verdict)
{
	if (a->search->better)
		a->search->better(a->search->context, set, verdict);
}

/* Gives the algorithm the verdict that it waits for. */
static void use(struct asking *a, struct answer *answer)
{
	uint32_t failing = a->state->failing.size, passing = a->state->passing.size;

	if (answer->used)
		a->stats.cached++;
	else
		a->stats.asked++;
	answer->used = true;
	a->state->tell(a->state, answer->verdict);
	if (a->state->failing.size != failing)
		tell_better(a, &a->state->failing, VERDICT_FAIL);
	if (a->state->passing.size != passing)
		tell_better(a, &a->state->passing, VERDICT_PASS);
}

static struct hence_error *step(struct asking *a)
{
	const struct dd_set *candidate = &a->state->candidate;
	struct answer *answer = find_answer(a, dd_set_hash(candidate), candidate->size);
	struct hence_error *error;

	if (answer) {
		use(a, answer);
		return NULL;
	}
	if (a->search->stop && a->search->stop(a->search->context)) {
		a->stats.stopped = true;
		return NULL;
	}
	error = start_wanted(a);
	return error ? error : wait_for_one(a);
}

struct hence_error *dd_ask(const struct dd_search *search, struct dd_state *state,
                           struct dd_stats *stats)
{
	struct asking a = {.search = search, .state = state, .room = search->room};
	struct hence_error *error = NULL;

	if (!a.room)
		a.room = 1;
	while (!state->done && !a.stats.stopped && !error)
		error = step(&a);
	while (a.running.size)
		cancel(&a, a.running.size - 1);
	if (stats)
		*stats = a.stats;
	vec_deinit(&a.running);
	answer_map_deinit(&a.answers);
	return error;
}
