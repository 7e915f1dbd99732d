/*
 * Branches as causes: see transition_work.h. Between two moments of the chain the cause may be in no variable
 * but in the way that the program takes: a branch went another way than in the reference. That it is so
 * is shown by letting it go the other way, in both runs.
 */
#include "causes/transition_work.h"

#define MOST 12u /* branches that are tried between two moments */

/* A branch that may be a cause. */
struct candidate {
	const struct align_fork *fork;
	uint32_t link;
	struct point points[2];
	struct cause_point point;
};

struct candidates {
	VEC(struct candidate) all;
};

/* --- which branches --- */

/* The last moment at which the variables of that link of the chain are still relevant. */
static uint64_t end_of_link(const struct transition_moments *moments, const struct chain *chain,
                            uint32_t link)
{
	uint32_t next = link + 1 < chain->at.size ? chain->at.at[link + 1] : moments->all.size;
	uint32_t set = moments->all.at[chain->at.at[link]].set;

	while (moments->all.at[next - 1].set != set)
		next--;
	return moments->all.at[next - 1].time;
}

static void list_candidates(const struct finder *f, const struct transition_moments *moments,
                            const struct chain *chain, struct candidates *out)
{
	const struct alignment *alignment = f->h.alignment;

	for (uint32_t link = 0; link < chain->at.size; link++) {
		uint64_t from = end_of_link(moments, chain, link);
		uint64_t to = link + 1 < chain->at.size
		                      ? moments->all.at[chain->at.at[link + 1]].time
		                      : f->h.symptom->failing_time;
		uint32_t count = 0;

		for (uint32_t i = 0; i < alignment->forks.size && count < MOST; i++) {
			const struct align_fork *fork = &alignment->forks.at[i];
			struct candidate *candidate;

			if (fork->a < from || fork->a >= to || fork->kind != FORK_BRANCH)
				continue;
			candidate = vec_push(&out->all);
			candidate->fork = fork;
			candidate->link = link;
			count++;
		}
	}
}

static struct hence_error *find_points(struct finder *f, struct candidates *candidates,
                                       bool in_failing)
{
	uint32_t count = candidates->all.size;
	uint64_t *times = mem_alloc((count + 1) * sizeof(*times));
	struct point *points = mem_alloc((count + 1) * sizeof(*points));
	struct hence_error *error;

	for (uint32_t i = 0; i < count; i++) {
		const struct align_fork *fork = candidates->all.at[i].fork;

		times[i] = in_failing ? fork->a : fork->b;
	}
	error = points_find(f->h.runs[in_failing], times, count, points);
	if (!error)
		error = symptom_expect(f->h.symptom, in_failing, times, count);
	for (uint32_t i = 0; i < count && !error; i++)
		candidates->all.at[i].points[in_failing] = points[i];
	free(times);
	free(points);
	return error;
}

/* --- what they are --- */

static void set_condition(struct cause_point *point, char *condition, bool outcome)
{
	struct cause_variable *variable = vec_push(&point->variables);

	point->branch = true;
	point->direct = true;
	variable->name = condition;
	variable->failing = mem_strdup(outcome ? "true" : "false");
	variable->reference = mem_strdup(outcome ? "false" : "true");
	variable->function = point->cause_function ? mem_strdup(point->cause_function) : NULL;
}

/* Describes all; those that are no conditional branch have no variable then. */
static struct hence_error *describe(struct finder *f, struct candidates *candidates)
{
	uint32_t count = candidates->all.size;
	struct described_point *described = mem_alloc((count + 1) * sizeof(*described));
	struct hence_error *error;

	for (uint32_t i = 0; i < count; i++) {
		struct candidate *candidate = &candidates->all.at[i];

		candidate->point = (struct cause_point){
			.failing_time = candidate->fork->a,
			.reference_time = candidate->fork->b,
			.instance = candidate->points[true].count,
			.reference_instance = candidate->points[false].count,
		};
		described[i].point = &candidate->point;
		described[i].maker = candidate->fork->a;
	}
	error = cause_describe(f->h.runs[true], described, count);
	for (uint32_t i = 0; i < count; i++) {
		if (described[i].condition)
			set_condition(described[i].point, described[i].condition,
			              described[i].outcome);
		described[i].condition = NULL;
		described_point_deinit(&described[i]);
	}
	free(described);
	return error;
}

/* --- experiments --- */

static struct hence_error *switch_in(struct finder *f, struct candidate *candidate, bool in_failing,
                                     bool *proven)
{
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct proof *proof;
	struct hence_error *error =
		hybrid_switch(&f->h, &candidate->points[in_failing], in_failing, &verdict);

	if (error)
		return error;
	*proven = verdict == (in_failing ? VERDICT_PASS : VERDICT_FAIL);
	proof = cause_add_proof(&candidate->point, in_failing, verdict);
	proof->experiment = f->h.asked;
	proof->time = candidate->points[in_failing].time;
	return NULL;
}

/* Proven in both runs, or not at all: one that only one of them proves may be chance. */
static struct hence_error *prove(struct finder *f, struct candidate *candidate)
{
	bool proven = false;
	struct hence_error *error = switch_in(f, candidate, false, &proven);

	if (!error && proven)
		error = switch_in(f, candidate, true, &proven);
	candidate->point.proven = !error && proven;
	return error;
}

static struct hence_error *prove_all(struct finder *f, struct candidates *candidates,
                                     struct fork_steps *out)
{
	struct hence_error *error = NULL;

	for (uint32_t i = 0; i < candidates->all.size && !error && !finder_is_over(f); i++) {
		struct candidate *candidate = &candidates->all.at[i];
		bool done = out->all.size && out->all.at[out->all.size - 1].link == candidate->link;

		if (done || !candidate->point.branch)
			continue;
		error = prove(f, candidate);
		if (!candidate->point.proven)
			continue;
		*vec_push(&out->all) = (struct fork_step){candidate->link, candidate->point};
		candidate->point = (struct cause_point){0};
	}
	return error;
}

struct hence_error *fork_steps_find(struct finder *f, const struct transition_moments *moments,
                                    const struct chain *chain, struct fork_steps *out)
{
	struct candidates candidates = {0};
	struct hence_error *error = NULL;

	list_candidates(f, moments, chain, &candidates);
	for (uint32_t side = 0; side < 2 && !error && candidates.all.size; side++)
		error = find_points(f, &candidates, side);
	if (!error && candidates.all.size)
		error = describe(f, &candidates);
	if (!error)
		error = prove_all(f, &candidates, out);
	for (uint32_t i = 0; i < candidates.all.size; i++)
		cause_point_deinit(&candidates.all.at[i].point);
	vec_deinit(&candidates.all);
	return error;
}
