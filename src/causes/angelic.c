/* Is a node of the cause tree really a cause? See angelic.h. */
#include "causes/angelic.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "causes/angelic_work.h"

#define MOST   60u
#define TOTAL  3000u
#define STEPS  500000 /* of the solver, for one value: about a tenth of a second */
#define FLOATS 3      /* operations in a question: what they take is not counted in steps */
#define SIZE   400    /* nodes of a question */

bool angelic_is_over(void *context)
{
	const struct angelic *a = context;

	return a->options->stop && a->options->stop(a->options->context);
}

static void tell(void *context)
{
	const struct angelic *a = context;

	if (a->options->progress)
		a->options->progress(a->options->context, a->attempts.done, "trying causes");
}

/* --- which are made --- */

static bool is_possible(const struct angelic_target *target, const struct angelic_way *way)
{
	return target->time && target->changed && way->to && (target->branch || target->at);
}

static void add_attempt(struct angelic *a, uint32_t target, uint32_t way)
{
	uint32_t total = a->options->total ? a->options->total : TOTAL;

	if (a->targets.at[target].ways.at[way].attempt || a->all.size >= total ||
	    !is_possible(&a->targets.at[target], &a->targets.at[target].ways.at[way]))
		return;
	*vec_push(&a->all) = (struct angelic_attempt){.target = target, .way = way};
	a->targets.at[target].ways.at[way].attempt = a->all.size;
}

/* Is that way of its target meant by the use? */
static bool is_meant(const struct angelic *a, const struct angelic_use *use, uint32_t way)
{
	const struct angelic_target *target = &a->targets.at[use->target];

	return target->branch || target->ways.at[way].value == use->value;
}

/* Up to so many for each node; `give` is called for each way, in order. */
static void each_way(struct angelic *a,
                     void (*give)(struct angelic *a, const struct angelic_use *use, uint32_t way))
{
	uint32_t most = a->options->most ? a->options->most : MOST, count = 0;

	for (uint32_t i = 0; i < a->uses.size; i++) {
		const struct angelic_use *use = &a->uses.at[i];

		if (!i || use->node != use[-1].node)
			count = 0;
		for (uint32_t k = 0; k < a->targets.at[use->target].ways.size; k++)
			if (is_meant(a, use, k) && count++ < most)
				give(a, use, k);
	}
}

static void add_use(struct angelic *a, const struct angelic_use *use, uint32_t way)
{
	add_attempt(a, use->target, way);
}

/* --- level by level --- */

static struct hence_error *check_level(struct angelic *a, uint32_t level)
{
	uint32_t first = a->all.size;
	struct hence_error *error;

	a->uses.size = 0;
	for (uint32_t i = 0; i < a->tree->nodes.size && !angelic_is_over(a); i++) {
		const struct tree_node *node = &a->tree->nodes.at[i];

		if (node->level == level && node->described && !node->tried)
			angelic_plan(a, i);
	}
	error = angelic_describe(a);
	if (error || !a->uses.size)
		return error;
	each_way(a, add_use);
	if (a->all.size > first)
		error = angelic_set_points(a, first);
	if (!error)
		error = attempts_run(&a->attempts);
	each_way(a, angelic_add_proof);
	for (uint32_t i = 0; i < a->uses.size; i++)
		if (!i || a->uses.at[i].node != a->uses.at[i - 1].node) {
			angelic_tidy(&a->tree->nodes.at[a->uses.at[i].node]);
			tree_follow_proofs(a->tree, a->uses.at[i].node);
		}
	return error;
}

static void mark_tried(struct angelic *a, uint32_t level)
{
	for (uint32_t i = 0; i < a->tree->nodes.size; i++)
		if (a->tree->nodes.at[i].level == level && a->tree->nodes.at[i].described)
			a->tree->nodes.at[i].tried = true;
}

static struct hence_error *check_all(struct angelic *a)
{
	struct hence_error *error = NULL;
	uint32_t deepest = 0;

	for (uint32_t i = 0; i < a->tree->nodes.size; i++)
		if (a->tree->nodes.at[i].level > deepest)
			deepest = a->tree->nodes.at[i].level;
	for (uint32_t level = 0; level <= deepest && !error && !a->attempts.stopped; level++) {
		error = check_level(a, level);
		a->attempts.stopped |= angelic_is_over(a);
		if (!error && !a->attempts.stopped)
			mark_tried(a, level);
	}
	return error;
}

/* --- the whole --- */

/* Experiments of an earlier check of the same tree keep their numbers. */
static uint64_t count_before(const struct tree *tree)
{
	uint64_t last = 0;

	for (uint32_t i = 0; i < tree->nodes.size; i++)
		for (uint32_t k = 0; k < tree->nodes.at[i].proofs.size; k++)
			if (tree->nodes.at[i].proofs.at[k].experiment > last)
				last = tree->nodes.at[i].proofs.at[k].experiment;
	return last;
}

static void note_test(const struct angelic *a)
{
	if (!a->values)
		*vec_push(&a->tree->notes) = mem_strdup(
			a->attempts.oracle->judge_patched
				? "only branches were tried, no values: whether a run makes a "
				  "memory error is seen only when it is recorded"
				: "only branches were tried, no values: where a test runs the "
				  "program, variables may lie elsewhere than in the failing run");
}

static void deinit(struct angelic *a)
{
	for (uint32_t i = 0; i < a->targets.size; i++) {
		struct angelic_target *target = &a->targets.at[i];

		for (uint32_t k = 0; k < target->ways.size; k++)
			free(target->ways.at[k].to);
		vec_deinit(&target->ways);
		free(target->place.file);
		free(target->place.function);
		free(target->point.file);
		free(target->point.function);
		free(target->changed);
		free(target->from);
	}
	vec_deinit(&a->targets);
	vec_deinit(&a->uses);
	vec_deinit(&a->all);
	angelic_map_deinit(&a->numbers);
	solver_destroy(a->solver);
	refute_cache_destroy(a->cache);
	attempts_close(&a->attempts);
}

static struct angelic_counts count(const struct angelic *a)
{
	struct angelic_counts counts = {.experiments = a->attempts.done,
	                                .stopped = a->attempts.stopped};

	for (uint32_t i = 0; i < a->all.size; i++)
		counts.passed += a->all.at[i].ended && a->all.at[i].end.verdict == VERDICT_PASS;
	for (uint32_t i = 0; i < a->tree->nodes.size; i++)
		counts.proven += a->tree->nodes.at[i].proven;
	return counts;
}

struct hence_error *angelic_check(struct experiments *pool, const struct recording *run,
                                  const struct trial_result *result, const struct oracle *oracle,
                                  const struct angelic_options *options, struct tree *tree,
                                  struct angelic_counts *out)
{
	struct angelic a = {.run = run,
	                    .options = options,
	                    .tree = tree,
	                    .values = !oracle->options->test && !oracle->judge_patched,
	                    .before = count_before(tree),
	                    .attempts = {.pool = pool,
	                                 .run = run,
	                                 .result = result,
	                                 .oracle = oracle,
	                                 .trials = options->trials,
	                                 .next = angelic_next,
	                                 .ended = angelic_ended,
	                                 .tell = tell,
	                                 .stop = angelic_is_over,
	                                 .context = &a}};
	const struct solver_options solver = {.steps = STEPS,
	                                      .floats = FLOATS,
	                                      .size = SIZE,
	                                      .stop = angelic_is_late,
	                                      .context = &a};
	struct hence_error *error = attempts_open(&a.attempts);

	a.solver = solver_create(symbolic_terms(tree_symbolic(tree)), &solver);
	a.cache = refute_cache_create();

	if (!error && !oracle->options->expected && !oracle->options->test)
		error = attempts_find_printed(&a.attempts);
	if (!error)
		error = angelic_find_check(&a);
	if (!error && !a.attempts.stopped)
		error = check_all(&a);
	if (!error) {
		tree_sort(tree);
		if (!a.before)
			note_test(&a);
		*out = count(&a);
	}
	deinit(&a);
	return error;
}
