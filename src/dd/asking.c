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
#include "dd/state.h"

/* ------ what to test ahead ------ */

/*
 * A tree of what may come: the root is the state of the search, the children of a state are what it
 * becomes with each verdict. The likeliest are looked at first, until enough sets are found.
 */

#define LEAST 0.02 /* a state that is less likely is not worth a test */

struct dd_wanted {
	struct dd_set set;
	uint64_t hash;
};

struct dd_ahead {
	VEC(struct dd_wanted) sets; /* likely ones first; the first is the state's candidate */
};

/* A state that may come. It is made from its parent's only when its turn comes. */
struct leaf {
	uint32_t parent; /* of nodes; the root has itself */
	enum verdict verdict;
	double chance;
};

struct tree {
	VEC(struct dd_state) nodes; /* the root is not in it, see node_of() */
	VEC(struct leaf) leaves;
	const struct dd_state *root;
};

/* Node 0 is the root. */
static const struct dd_state *node_of(const struct tree *tree, uint32_t node)
{
	return node ? &tree->nodes.at[node - 1] : tree->root;
}

static void add_leaf(struct tree *tree, uint32_t parent, enum verdict verdict, double chance)
{
	if (chance >= LEAST)
		*vec_push(&tree->leaves) = (struct leaf){parent, verdict, chance};
}

/* Takes out the likeliest leaf, of equal ones the oldest, and makes its state. 0: there is none. */
static uint32_t grow(struct tree *tree, double *chance)
{
	struct leaf best;
	struct dd_state state;
	uint32_t at = 0;

	if (!tree->leaves.size)
		return 0;
	for (uint32_t i = 1; i < tree->leaves.size; i++)
		if (tree->leaves.at[i].chance > tree->leaves.at[at].chance)
			at = i;
	best = tree->leaves.at[at];
	memmove(&tree->leaves.at[at], &tree->leaves.at[at + 1],
	        sizeof(struct leaf) * (tree->leaves.size - at - 1));
	tree->leaves.size--;
	*chance = best.chance;
	dd_state_copy(&state, node_of(tree, best.parent));
	state.tell(&state, best.verdict);
	*vec_push(&tree->nodes) = state;
	return tree->nodes.size;
}

static void want(struct dd_ahead *ahead, const struct dd_set *set, uint64_t hash)
{
	struct dd_wanted wanted = {.hash = hash};

	for (uint32_t i = 0; i < ahead->sets.size; i++)
		if (ahead->sets.at[i].hash == hash && dd_set_equal(&ahead->sets.at[i].set, set))
			return;
	dd_set_copy(&wanted.set, set);
	*vec_push(&ahead->sets) = wanted;
}

static void tree_deinit(struct tree *tree)
{
	for (uint32_t i = 0; i < tree->nodes.size; i++)
		dd_state_deinit(&tree->nodes.at[i]);
	vec_deinit(&tree->nodes);
	vec_deinit(&tree->leaves);
}

/* Finds up to `room` sets without a known verdict. `known` says whether there is one. `state` is not
   done and its candidate has none. Caller frees with dd_ahead_deinit(). */
static void dd_ahead_find(const struct dd_state *state, uint32_t room,
                          bool (*known)(void *context, const struct dd_set *set, uint64_t hash,
                                        enum verdict *out),
                          void *context, struct dd_ahead *out)
{
	struct tree tree = {.root = state};
	uint32_t node = 0, most = 4 * room + 8;
	double chance = 1;

	assert(!state->done);
	*out = (struct dd_ahead){0};
	do {
		const struct dd_state *now = node_of(&tree, node);
		enum verdict verdict;
		uint64_t hash;

		if (now->done)
			continue;
		hash = dd_set_hash(&now->candidate);
		if (known(context, &now->candidate, hash, &verdict)) {
			add_leaf(&tree, node, verdict, chance);
			continue;
		}
		want(out, &now->candidate, hash);
		for (enum verdict v = VERDICT_PASS; v <= VERDICT_UNRESOLVED; v++)
			add_leaf(&tree, node, v, chance * now->chance[v]);
	} while (out->sets.size < room && tree.nodes.size < most && (node = grow(&tree, &chance)));
	tree_deinit(&tree);
}

static void dd_ahead_deinit(struct dd_ahead *ahead)
{
	for (uint32_t i = 0; i < ahead->sets.size; i++)
		dd_set_deinit(&ahead->sets.at[i].set);
	vec_deinit(&ahead->sets);
}

/* ------ tests and verdicts ------ */

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

/* Starts the test of the present question and of those that will probably follow. */
static struct hence_error *start_wanted(struct asking *a)
{
	struct dd_ahead ahead;
	struct hence_error *error = NULL;

	dd_ahead_find(a->state, a->room, is_known, a, &ahead);
	for (uint32_t i = 0; i < ahead.sets.size && !error; i++) {
		const struct dd_wanted *wanted;
		uint64_t id;

		if (is_running(a, &ahead.sets.at[i]))
			continue;
		if (a->running.size >= a->room)
			cancel_unwanted(a, &ahead);
		wanted = &ahead.sets.at[i];
		id = a->next++;
		error = a->search->start(a->search->context, &wanted->set, id);
		if (!error) {
			a->stats.tests++;
			*vec_push(&a->running) =
				(struct running){id, wanted->hash, wanted->set.size};
		}
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
