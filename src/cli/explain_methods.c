/* Runs the methods that compare two runs: see explain_methods.h. */
#include <stdlib.h>

#include "methods/chain.h"
#include "methods/compare.h"
#include "cli/explain_methods.h"

#define SHARE 4.0 /* seconds that comparative causality may take when others come after it */

static void note(struct explain_methods *m, char *text)
{
	*vec_push(&m->explanation->notes) = text;
}

void explain_tell(struct explain_methods *m, const char *what, struct hence_error *error)
{
	if (error && !pair_is_over(m->pair))
		note(m, str_format("%s: %s", what, error->message));
	error_destroy(error);
}

static void show(void *context, uint64_t experiments, const char *phase)
{
	struct pair *p = context;

	progress_count(&p->search.progress, phase, experiments, p->search.until);
}

/* --- transitions and chains --- */

static struct hence_error *find_transitions(struct explain_methods *m)
{
	struct pair *p = m->pair;
	const struct transitions_options options = {
		.failing_pool = p->failing.pool,
		.reference_pool = p->reference.pool,
		.workers = (uint32_t)p->options->jobs,
		.stop = pair_is_over,
		.progress = show,
		.context = p,
		.all_points = m->command->all_points,
	};

	return transitions_find(&m->failing, &m->reference, &p->alignment, m->symptom, &options,
	                        &m->transitions);
}

static struct hence_error *find_chain(struct explain_methods *m)
{
	struct pair *p = m->pair;
	const struct chain_options options = {
		.failing_pool = p->failing.pool,
		.reference_pool = p->reference.pool,
		.workers = (uint32_t)p->options->jobs,
		.algorithm = m->command->hierarchical ? BACKWARD_HIERARCHICAL : BACKWARD_DEPENDENCE,
		.stop = pair_is_over,
		.progress = show,
		.context = p,
	};

	return chain_find(&m->failing, &m->reference, &p->alignment, m->symptom, &options,
	                  &m->chain);
}

/* --- comparative causality --- */

static void tell_counts(struct explain_methods *m, const struct compare_counts *c)
{
	struct explanation_part *part = vec_push(&m->explanation->parts);

	part->key = "counts";
	str_printf(&part->json,
	           "{\"points\":%llu,"
	           "\"cut\":{\"candidates\":%llu,\"experiments\":%llu,\"left\":%llu},"
	           "\"plain\":{\"candidates\":%llu,\"experiments\":%llu,\"left\":%llu}}",
	           (unsigned long long)c->points, (unsigned long long)c->cut.candidates,
	           (unsigned long long)c->cut.experiments, (unsigned long long)c->cut.left,
	           (unsigned long long)c->plain.candidates,
	           (unsigned long long)c->plain.experiments, (unsigned long long)c->plain.left);
	note(m, str_format("at the %llu points above, the cut of the dual slice has %llu "
	                   "variables; it took %llu experiments to find %llu of them that decide. "
	                   "Of all %llu that differ it took %llu to find %llu",
	                   (unsigned long long)c->points, (unsigned long long)c->cut.candidates,
	                   (unsigned long long)c->cut.experiments, (unsigned long long)c->cut.left,
	                   (unsigned long long)c->plain.candidates,
	                   (unsigned long long)c->plain.experiments,
	                   (unsigned long long)c->plain.left));
}

/* Its time is up, so that something is left for the others. */
struct share {
	struct pair *pair;
	struct explain_methods *methods;
	double until; /* 0: all that there is */
	bool over;
};

static bool is_share_over(void *context)
{
	struct share *share = context;

	share->over |= share->until && progress_clock() > share->until;
	return share->over || pair_is_over(share->pair);
}

static void show_share(void *context, uint64_t experiments, const char *phase)
{
	const struct share *share = context;

	show(share->pair, experiments, phase);
}

static void keep_lines(void *context, const struct dual *dual)
{
	const struct share *share = context;

	if (share->pair->alignment.a_statements <= SUSPECTS_MOST_STATEMENTS)
		suspect_lines_add_dual(&share->methods->dual, dual);
}

static struct hence_error *find_compared(struct explain_methods *m)
{
	bool alone = m->command->method == EXPLAIN_COMPARE;
	struct share share = {m->pair, m, alone ? 0 : progress_clock() + SHARE, false};
	struct compare_counts counts = {0};
	const struct compare_options options = {
		.failing_pool = m->pair->failing.pool,
		.reference_pool = m->pair->reference.pool,
		.workers = (uint32_t)m->pair->options->jobs,
		.no_rails = m->command->no_rails,
		.exact = m->command->exact,
		.counts = m->command->count ? &counts : NULL,
		.sliced = keep_lines,
		.stop = is_share_over,
		.progress = show_share,
		.context = &share,
	};
	struct hence_error *error = compare_find(&m->failing, &m->reference, &m->pair->alignment,
	                                         m->symptom, &options, &m->compared);

	if (error && share.over) {
		error_destroy(error);
		error = NULL;
	}
	if (!error && m->command->count)
		tell_counts(m, &counts);
	if (share.over && !pair_is_over(m->pair)) {
		m->compared.stopped = false;
		note(m,
		     str_format("comparative causality was ended after %.0f seconds, so that time "
		                "was left for cause transitions; 'hence compare' goes on",
		                SHARE));
	}
	return error;
}

/* --- the whole --- */

static void run(struct explain_methods *m, const char *what,
                struct hence_error *(*find)(struct explain_methods *m), const struct causes *found)
{
	struct hence_error *error;

	progress_begin(&m->pair->search.progress);
	error = find(m);
	progress_end(&m->pair->search.progress);
	m->any |= !error;
	m->stopped |= found->stopped;
	explain_tell(m, what, error);
}

void explain_methods_run(struct explain_methods *m)
{
	enum explain_method method = m->command->method;
	bool all = method == EXPLAIN_ALL;
	/* Each experiment on a run without end takes long: one method is enough then. */
	bool slow = m->pair->reduced.oracle.failure.kind == FAILURE_HANG;

	if (method == EXPLAIN_COMPARE || (all && !slow))
		run(m, "comparative causality", find_compared, &m->compared);
	/* A chain needs no dual slice and no rails: where those are no help it may be. */
	if (method == EXPLAIN_CHAIN || (all && !slow && !causes_proven(&m->compared)))
		run(m, "the chain", find_chain, &m->chain);
	if (method == EXPLAIN_TRANSITIONS || all)
		run(m, "cause transitions", find_transitions, &m->transitions.found);
}

void explain_methods_deinit(struct explain_methods *m)
{
	causes_deinit(&m->compared);
	causes_deinit(&m->chain);
	transitions_deinit(&m->transitions);
	suspect_lines_deinit(&m->dual);
}
