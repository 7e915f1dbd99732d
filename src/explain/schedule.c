/* Runs the methods that compare two runs: see schedule.h. */
#include <stdlib.h>

#include "methods/chain.h"
#include "methods/compare.h"
#include "explain/schedule.h"

#define SHARE 4.0 /* seconds that comparative causality may take when others come after it */

static void note(struct schedule *m, char *text)
{
	*vec_push(&m->explanation->notes) = text;
}

void schedule_note_error(struct schedule *m, const char *what, struct hence_error *error)
{
	if (error && !budget_is_over(&m->pair->search.budget))
		note(m, str_format("%s: %s", what, error->message));
	error_destroy(error);
}

/* --- transitions and chains --- */

static struct hence_error *find_transitions(struct schedule *m)
{
	return transitions_find(&m->compared, m->question->all_points, &m->transitions);
}

static struct hence_error *find_chain(struct schedule *m)
{
	return chain_find(&m->compared,
	                  m->question->hierarchical ? BACKWARD_HIERARCHICAL : BACKWARD_DEPENDENCE,
	                  &m->chain);
}

/* --- comparative causality --- */

static void tell_counts(struct schedule *m, const struct compare_counts *c)
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

static void keep_lines(void *context, const struct dual *dual)
{
	struct schedule *m = context;

	if (m->pair->alignment.a_statements <= SUSPECTS_MOST_STATEMENTS)
		suspect_lines_add_dual(&m->dual, dual);
}

static struct hence_error *find_compared(struct schedule *m)
{
	bool alone = m->question->method == EXPLAIN_COMPARE;
	/* Something is left for the others. */
	const struct budget share = {.whole = m->compared.budget,
	                             .until = alone ? 0 : budget_clock() + SHARE};
	struct compare_counts counts = {0};
	const struct compare_options options = {
		.no_rails = m->question->no_rails,
		.exact = m->question->exact,
		.counts = m->question->count ? &counts : NULL,
		.sliced = keep_lines,
		.context = m,
	};
	struct comparison compared = m->compared;
	struct hence_error *error;
	bool over;

	compared.budget = &share;
	error = compare_find(&compared, &options, &m->by_comparison);
	over = share.until > 0 && budget_clock() >= share.until;
	if (error && over) {
		error_destroy(error);
		error = NULL;
	}
	if (!error && m->question->count)
		tell_counts(m, &counts);
	if (over && !budget_is_over(m->compared.budget)) {
		m->by_comparison.stopped = false;
		note(m,
		     str_format("comparative causality was ended after %.0f seconds, so that time "
		                "was left for cause transitions; 'hence compare' goes on",
		                SHARE));
	}
	return error;
}

/* --- the whole --- */

static void run(struct schedule *m, const char *what,
                struct hence_error *(*find)(struct schedule *m), const struct causes *found)
{
	struct hence_error *error;

	error = find(m);
	budget_hide(m->compared.budget);
	m->any |= !error;
	m->stopped |= found->stopped;
	schedule_note_error(m, what, error);
}

void schedule_run(struct schedule *m)
{
	enum explain_method method = m->question->method;
	bool all = method == EXPLAIN_ALL;
	/* Each experiment on a run without end takes long: one method is enough then. */
	bool slow = m->pair->reduced.oracle.failure.kind == FAILURE_HANG;

	if (method == EXPLAIN_COMPARE || (all && !slow))
		run(m, "comparative causality", find_compared, &m->by_comparison);
	/* A chain needs no dual slice and no rails: where those are no help it may be. */
	if (method == EXPLAIN_CHAIN || (all && !slow && !causes_proven(&m->by_comparison)))
		run(m, "the chain", find_chain, &m->chain);
	if (method == EXPLAIN_TRANSITIONS || all)
		run(m, "cause transitions", find_transitions, &m->transitions.found);
}

void schedule_deinit(struct schedule *m)
{
	causes_deinit(&m->by_comparison);
	causes_deinit(&m->chain);
	transitions_deinit(&m->transitions);
	suspect_lines_deinit(&m->dual);
}
