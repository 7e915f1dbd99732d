/*
 * Hybrid runs, judged at the symptom: see symptom.h. A call or branch is known by how often its site is
 * passed since the experiment began; that this is the same execution of it is told by the stack, which
 * must be where it is in the unchanged run. A hybrid may go the way of either run, so where the two
 * runs pass the site a different number of times, both are looked at: one that fails does so where the
 * failing run does, one that passes where the reference does.
 */
#include "causes/symptom_work.h"

/* --- how often sites are passed --- */

static bool is_used(const struct symptom_side *side, uint32_t site)
{
	return side->used >> site & 1;
}

/* The symptom is the first stop itself. */
static bool is_itself(const struct symptom_side *side, uint32_t site, uint64_t time)
{
	return side->sites[site].until == time;
}

/* After `time` (the passing of the first stop's own site there not counted) and before the symptom. */
static struct hence_error *count_site(struct symptom_side *side, uint32_t site,
                                      const uint64_t *times, uint32_t count)
{
	uint64_t until = side->sites[site].until;
	uint64_t *asked = mem_alloc((count + 1) * sizeof(*asked));
	uint64_t *passed = mem_alloc((count + 1) * sizeof(*passed));
	struct hence_error *error;

	for (uint32_t i = 0; i < count; i++)
		asked[i] = times[i] + 1 < until ? times[i] + 1 : until;
	asked[count] = until;
	error = points_count(side->run.recording, &side->sites[site].site, asked, count + 1,
	                     passed);
	for (uint32_t i = 0; i < count && !error; i++)
		passes_map_put(&side->passes, times[i])->count[site] =
			passed[count] - passed[i] + 1;
	free(asked);
	free(passed);
	return error;
}

struct hence_error *symptom_expect(const struct symptom *symptom, bool in_failing,
                                   const uint64_t *times, uint32_t count)
{
	struct symptom_side *side = &symptom->judge->sides[in_failing];
	struct hence_error *error = NULL;

	for (uint32_t site = 0; site < SITES && !error; site++)
		if (is_used(side, site))
			error = count_site(side, site, times, count);
	return error;
}

/* How often the other run passes its sites after the same point. NULL: that is not known, or not to be
   looked at, or the same. */
static const struct symptom_passes *other_passes(const struct symptom_judge *judge, bool in_failing,
                                                 uint64_t time)
{
	const struct symptom_side *own = &judge->sides[in_failing];
	const struct symptom_side *other = &judge->sides[!in_failing];
	uint64_t aligned = in_failing ? alignment_of_a(judge->alignment, time)
	                              : alignment_of_b(judge->alignment, time);
	const struct symptom_passes *passes = passes_map_find(&other->passes, aligned);

	if (own->own_only || own->absent || other->absent || is_itself(own, 0, time) || !passes ||
	    !memcmp(passes, passes_map_find(&own->passes, time), sizeof(*passes)))
		return NULL;
	return passes;
}

static void add_stops(const struct symptom_side *side, const struct symptom_passes *passes,
                      uint64_t time, struct stop *stops, uint32_t *count)
{
	for (uint32_t site = 0; site < SITES; site++)
		if (is_used(side, site) && !is_itself(side, site, time))
			stops[(*count)++] = (struct stop){.site = side->sites[site].site,
			                                  .count = passes->count[site]};
}

struct hence_error *symptom_stops(const struct symptom *symptom, bool in_failing, uint64_t time,
                                  struct stop *stops, uint32_t *count)
{
	struct symptom_side *side = &symptom->judge->sides[in_failing];
	const struct symptom_passes *other;
	struct hence_error *error;

	if (!side->used)
		return NULL;
	if (!passes_map_find(&side->passes, time)) {
		error = symptom_expect(symptom, in_failing, &time, 1);
		if (error)
			return error;
	}
	add_stops(side, passes_map_find(&side->passes, time), time, stops, count);
	other = other_passes(symptom->judge, in_failing, time);
	if (other)
		add_stops(side, other, time, stops, count);
	return NULL;
}

/* --- judgement --- */

/* What was found at the sites. NULL: not reached, or there is no such site. */
struct found {
	const struct stopped *at[SITES];
};

static struct found find_stops(const struct symptom_side *side, uint64_t time,
                               const struct experiment_result *result, uint32_t *first)
{
	struct found found = {0};

	for (uint32_t site = 0; site < SITES; site++) {
		uint32_t at;

		if (!is_used(side, site))
			continue;
		at = is_itself(side, site, time) ? 0 : (*first)++;
		if (at < result->stops.size && result->stops.at[at].reached)
			found.at[site] = &result->stops.at[at];
	}
	return found;
}

static enum verdict judge_output(const struct symptom_judge *judge, const struct stopped *call,
                                 const struct stopped *after,
                                 const struct experiment_result *result)
{
	const struct str *output = &result->run.output;
	size_t end = output->length;

	if (call->printed > end)
		return VERDICT_UNRESOLVED;
	/* A stop that came before the call is that of another execution of it. */
	if (after && after->printed >= call->printed && after->printed <= end)
		end = after->printed;
	else
		after = NULL;
	return symptom_text_judge(&judge->text, str_text(output) + call->printed,
	                          end - call->printed, after);
}

/* Is it the call at that site that puts something out next after the branch? */
static bool comes_next(const struct symptom_side *side, uint32_t site, const struct found *found,
                       bool silent)
{
	const struct stopped *at = found->at[site];

	if (side->absent >> site & 1)
		return false;
	return is_used(side, site) ? at && at->printed == found->at[SITE_BRANCH]->printed : silent;
}

/* Which call puts something out next? That which does so stops where the branch did; a way on
   which nothing is put out any more is known by the end of the output. */
static enum verdict judge_branch(const struct symptom_judge *judge, const struct symptom_side *side,
                                 const struct found *found, const struct experiment_result *result)
{
	const struct stopped *branch = found->at[SITE_BRANCH];
	bool silent = result->run.output.length == branch->printed &&
	              result->run.outcome.kind == OUTCOME_EXITED;
	bool fails, passes;

	if (judge->by_text)
		return branch->printed > result->run.output.length
		               ? VERDICT_UNRESOLVED
		               : symptom_text_judge(&judge->text,
		                                    str_text(&result->run.output) + branch->printed,
		                                    result->run.output.length - branch->printed,
		                                    false);
	fails = comes_next(side, SITE_FAILING, found, silent);
	passes = comes_next(side, SITE_REFERENCE, found, silent);
	if (fails == passes)
		return VERDICT_UNRESOLVED;
	return fails ? VERDICT_FAIL : VERDICT_PASS;
}

static bool same_exit(const struct outcome *a, const struct outcome *b)
{
	return a->kind == OUTCOME_EXITED && b->kind == OUTCOME_EXITED && a->status == b->status;
}

static enum verdict judge_end(const struct symptom_judge *judge, bool in_failing,
                              const struct experiment_result *result)
{
	const struct oracle *oracle = &judge->oracles[in_failing];
	const struct outcome *outcome = &result->run.outcome;
	const struct outcome *reference = &judge->sides[false].run.result->outcome;
	enum failure_kind kind = oracle->failure.kind;

	/* Of what only the user's test or another build calls a failure the status is what can be
	   compared; it may be 0. */
	if ((kind == FAILURE_TEST || kind == FAILURE_EXIT) &&
	    same_exit(outcome, &oracle->failure.outcome))
		return VERDICT_FAIL;
	if (same_exit(outcome, reference))
		return VERDICT_PASS;
	return oracle_judge(oracle, &result->run) == VERDICT_FAIL ? VERDICT_FAIL
	                                                          : VERDICT_UNRESOLVED;
}

static enum verdict judge_found(const struct symptom *symptom, const struct symptom_side *side,
                                const struct found *found, const struct experiment_result *result)
{
	const struct stopped *at = found->at[0];

	if (!at || (side->stack && at->stack != side->stack))
		return VERDICT_UNRESOLVED;
	if (symptom->kind == SYMPTOM_OUTPUT)
		return judge_output(symptom->judge, at, found->at[SITE_AFTER], result);
	return judge_branch(symptom->judge, side, found, result);
}

/* Of the same experiment, seen as the way of its own run and as that of the other. */
static enum verdict combine(enum verdict own, enum verdict other, bool in_failing)
{
	enum verdict failing = in_failing ? own : other, reference = in_failing ? other : own;

	if (failing == VERDICT_FAIL && reference != VERDICT_PASS)
		return VERDICT_FAIL;
	if (reference == VERDICT_PASS && failing != VERDICT_FAIL)
		return VERDICT_PASS;
	return VERDICT_UNRESOLVED;
}

enum verdict symptom_judge(const struct symptom *symptom, bool in_failing, uint64_t time,
                           const struct experiment_result *result, uint32_t first)
{
	const struct symptom_judge *judge = symptom->judge;
	const struct symptom_side *side = &judge->sides[in_failing];
	struct found found;
	enum verdict own;

	if (result->unreadable || result->diverged)
		return VERDICT_UNRESOLVED;
	if (symptom->kind == SYMPTOM_END)
		return judge_end(judge, in_failing, result);
	found = find_stops(side, time, result, &first);
	own = judge_found(symptom, side, &found, result);
	if (!other_passes(judge, in_failing, time))
		return own;
	found = find_stops(side, time, result, &first);
	return combine(own, judge_found(symptom, side, &found, result), in_failing);
}

void symptom_learn(const struct symptom *symptom, bool in_failing, uint64_t time,
                   const struct experiment_result *result, uint32_t first)
{
	struct symptom_side *side = &symptom->judge->sides[in_failing];
	uint32_t next = first;
	struct found found;

	if (!side->used)
		return;
	found = find_stops(side, time, result, &next);
	if (found.at[0])
		side->stack = found.at[0]->stack;
	/* What the other run would show must not be there by chance. */
	side->own_only = symptom_judge(symptom, in_failing, time, result, first) !=
	                 (in_failing ? VERDICT_FAIL : VERDICT_PASS);
}
