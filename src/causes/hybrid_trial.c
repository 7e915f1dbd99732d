/* One experiment on a hybrid run: see hybrid_work.h. */
#include "causes/hybrid_work.h"

static struct hence_error *add_stops(const struct hybrid_trial *t, struct stop *stops,
                                     uint32_t *count)
{
	if (t->goal)
		return hybrid_goal_stops(t->h, t->goal, t->in_failing, t->at.time, stops, count);
	return symptom_stops(t->h->symptom, t->in_failing, t->at.time, stops, count);
}

struct hence_error *hybrid_trial_start(const struct hybrid_trial *t, struct stop first,
                                       uint64_t serial)
{
	uint32_t room = 1 + (t->goal ? hybrid_goal_stop_count(t->goal) : SYMPTOM_STOPS);
	struct stop *stops = mem_alloc(room * sizeof(*stops));
	const struct rails *rails = t->h->rails[t->in_failing];
	struct experiment experiment = {.time = t->at.time,
	                                .stops = stops,
	                                .stop_count = 1,
	                                .on_rails = rails,
	                                .rail = rails ? rails_at(rails, t->at.time) : 0,
	                                .ends = t->goal};
	struct hence_error *error;

	stops[0] = first;
	stops[0].site = t->at.site;
	stops[0].count = t->at.count;
	error = add_stops(t, stops, &experiment.stop_count);
	if (!error)
		error = experiments_start(t->h->pools[t->in_failing], &experiment, serial);
	free(stops);
	return error;
}

enum verdict hybrid_trial_judge(const struct hybrid_trial *t,
                                const struct experiment_result *result)
{
	enum verdict verdict;

	if (t->goal)
		verdict = hybrid_goal_judge(t->goal, t->in_failing, t->at.time, result);
	else if (result->off_rails)
		verdict = VERDICT_UNRESOLVED;
	else
		verdict = symptom_judge(t->h->symptom, t->in_failing, t->at.time, result, 1);
	t->h->confounded += result->off_rails && verdict == VERDICT_UNRESOLVED;
	return verdict;
}

void hybrid_count(struct hybrids *h, uint64_t asked)
{
	h->asked += asked;
	if (h->progress)
		h->progress(h->context, h->asked, h->phase);
}
