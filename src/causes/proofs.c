/*
 * What is shown by experiment: that the variables of a step cause the failure, in both runs where that
 * is possible, and that they cause those of the next step (the chain property of M2).
 */
#include "causes/transition_work.h"

#define DETOUR 4u /* steps of another chain that are looked past */

/* --- the chain --- */

/* Sets that make the goal come true at that point, and a smallest of them. `out` is empty if all
   differences together do not. */
static struct hence_error *isolate_goal(struct finder *f, struct hybrid_point *point,
                                        struct hybrid_goal *goal, struct dd_set *out)
{
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct dd_set passing, failing;
	struct hence_error *error;

	dd_set_init(&passing, point->count, false);
	dd_set_init(&failing, point->count, true);
	error = hybrid_ask(&f->h, point, HYBRID_REFERENCE, &failing, goal, &verdict);
	if (!error && verdict == VERDICT_FAIL) {
		error = hybrid_isolate(&f->h, point, goal, &passing, &failing);
		dd_set_subtract(out, &failing, &passing);
		if (!error && passing.size)
			error = hybrid_ask(&f->h, point, HYBRID_REFERENCE, out, goal, &verdict);
		if (!error && verdict != VERDICT_FAIL) {
			error = hybrid_minimise(&f->h, point, HYBRID_REFERENCE, goal, &failing);
			dd_set_assign(out, &failing);
		}
	}
	dd_set_deinit(&passing);
	dd_set_deinit(&failing);
	return error;
}

/* Finds anew what is relevant at a point, so that it causes what is at the next. */
static struct hence_error *recompute(struct finder *f, struct hybrid_point *point,
                                     struct hybrid_goal *goal, bool *found)
{
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct dd_set chosen;
	struct hence_error *error;

	dd_set_init(&chosen, point->count, false);
	error = isolate_goal(f, point, goal, &chosen);
	/* It must cause the failure as well. */
	if (!error && chosen.size)
		error = hybrid_ask(&f->h, point, HYBRID_REFERENCE, &chosen, NULL, &verdict);
	*found = !error && verdict == VERDICT_FAIL && !finder_is_over(f);
	if (*found)
		isolate_set(f, point, &chosen);
	dd_set_deinit(&chosen);
	return error;
}

static struct hence_error *make_goal(struct finder *f, const struct transition_moment *moment,
                                     struct hybrid_goal **out)
{
	struct hybrid_point *point = finder_point(f, moment->time);
	struct dd_set chosen;
	struct hence_error *error;

	*out = NULL;
	isolate_choose(f, point, moment->set, &chosen);
	error = chosen.size ? hybrid_goal_create(&f->h, point, &chosen, NULL, 0, out) : NULL;
	dd_set_deinit(&chosen);
	return error;
}

static struct hence_error *check_link(struct finder *f, struct transition_moment *from,
                                      struct hybrid_goal *goal, bool certain, bool *changed)
{
	struct hybrid_point *point = finder_point(f, from->time);
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct dd_set chosen;
	struct hence_error *error;
	bool found;

	isolate_choose(f, point, from->set, &chosen);
	error = hybrid_ask(&f->h, point, HYBRID_REFERENCE, &chosen, goal, &verdict);
	dd_set_deinit(&chosen);
	/* Neither value: the hybrid went a way of its own, which says nothing. */
	if (error || verdict == VERDICT_FAIL || (verdict == VERDICT_UNRESOLVED && !certain))
		return error;
	error = recompute(f, point, goal, &found);
	if (error || !found)
		return error;
	*changed |= isolate_look(f, from->time)->set != from->set;
	from->set = isolate_look(f, from->time)->set;
	return NULL;
}

struct hence_error *proofs_check_chain(struct finder *f, struct transition_moments *moments,
                                       const struct chain *chain, bool certain, bool *changed)
{
	struct hence_error *error = NULL;

	*changed = false;
	for (uint32_t i = chain->at.size; i-- > 1 && !error && !finder_is_over(f);) {
		struct hybrid_goal *goal;

		error = make_goal(f, &moments->all.at[chain->at.at[i]], &goal);
		if (!error && goal)
			error = check_link(f, &moments->all.at[chain->at.at[i - 1]], goal, certain,
			                   changed);
		if (!error)
			hybrid_goal_destroy(goal);
	}
	return error;
}

/* Does what is relevant at a moment cause what is at a later one? Unresolved: nobody knows. */
static struct hence_error *ask_link(struct finder *f, const struct transition_moment *from,
                                    const struct transition_moment *to, enum verdict *verdict)
{
	struct hybrid_goal *goal;
	struct hence_error *error = make_goal(f, to, &goal);
	struct dd_set chosen;

	*verdict = VERDICT_UNRESOLVED;
	if (error || !goal)
		return error;
	isolate_choose(f, finder_point(f, from->time), from->set, &chosen);
	error = hybrid_ask(&f->h, finder_point(f, from->time), HYBRID_REFERENCE, &chosen, goal,
	                   verdict);
	dd_set_deinit(&chosen);
	hybrid_goal_destroy(goal);
	return error;
}

static void take_out(struct chain *chain, uint32_t at)
{
	memmove(&chain->at.at[at], &chain->at.at[at + 1],
	        (chain->at.size - at - 1) * sizeof(*chain->at.at));
	chain->at.size--;
}

/* Does the one at `from` in the chain cause the one at `to`, for certain? Each causes the failure. */
static struct hence_error *causes(struct finder *f, const struct transition_moments *moments,
                                  const struct chain *chain, uint32_t from, uint32_t to, bool *out)
{
	enum verdict verdict = VERDICT_FAIL;
	struct hence_error *error = NULL;

	if (to < chain->at.size)
		error = ask_link(f, &moments->all.at[chain->at.at[from]],
		                 &moments->all.at[chain->at.at[to]], &verdict);
	*out = !error && verdict == VERDICT_FAIL;
	return error;
}

/* The moment at `at` is not caused by the one before it: one of them does not belong to the chain. Gives
   where to look on. */
static struct hence_error *mend(struct finder *f, struct transition_moments *moments,
                                struct chain *chain, uint32_t *at)
{
	struct hence_error *error = NULL;
	bool good = false;
	uint32_t to;

	if (*at > 1)
		error = causes(f, moments, chain, *at - 2, *at, &good);
	if (good) {
		take_out(chain, --*at);
		return NULL;
	}
	for (to = *at + 1; !good && !error && to <= *at + DETOUR; to++)
		if (to < chain->at.size || to == *at + 1)
			error = causes(f, moments, chain, *at - 1, to, &good);
	moments->all.at[chain->at.at[*at]].apart = !good;
	if (!good)
		return error;
	for (uint32_t i = *at + 1; i < to; i++)
		take_out(chain, *at);
	if (*at < chain->at.size)
		moments->all.at[chain->at.at[*at]].apart = false;
	return NULL;
}

struct hence_error *proofs_prune_chain(struct finder *f, struct transition_moments *moments,
                                       struct chain *chain)
{
	struct hence_error *error = NULL;

	for (uint32_t i = chain->at.size; i-- > 1 && !error && !finder_is_over(f);) {
		enum verdict verdict;

		error = ask_link(f, &moments->all.at[chain->at.at[i - 1]],
		                 &moments->all.at[chain->at.at[i]], &verdict);
		if (!error && verdict == VERDICT_PASS)
			error = mend(f, moments, chain, &i);
	}
	return error;
}

/* --- one step --- */

static struct hence_error *add_proof(struct finder *f, struct cause_point *to,
                                     struct hybrid_point *point, const struct dd_set *chosen,
                                     bool in_failing)
{
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct hence_error *error =
		hybrid_ask(&f->h, point, in_failing ? HYBRID_FAILING : HYBRID_REFERENCE, chosen,
	                   NULL, &verdict);
	struct proof *proof;

	if (error || finder_is_over(f))
		return error;
	proof = cause_add_proof(to, in_failing, verdict);
	proof->experiment = f->h.asked;
	proof->time = point->times[in_failing];
	to->proven |= verdict == (in_failing ? VERDICT_PASS : VERDICT_FAIL);
	return NULL;
}

struct hence_error *proofs_add(struct finder *f, struct cause_point *to)
{
	struct hybrid_point *point = finder_point(f, to->failing_time);
	struct dd_set chosen;
	struct hence_error *error;

	isolate_choose(f, point, isolate_look(f, to->failing_time)->set, &chosen);
	error = add_proof(f, to, point, &chosen, false);
	if (!error)
		error = add_proof(f, to, point, &chosen, true);
	dd_set_deinit(&chosen);
	return error;
}
