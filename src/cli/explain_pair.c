/* What one pair of runs tells: see explain.h. */
#include <stdlib.h>
#include <string.h>

#include "causes/chain.h"
#include "causes/compare.h"
#include "causes/explain.h"
#include "cli/explain.h"
#include "cli/pair.h"

/* All that is made on the way. */
struct work {
	const struct explain_command *command;
	struct pair *pair;
	struct explain_sources *sources;
	struct symptom_run failing, reference;
	struct symptom symptom;
	bool has_symptom;
	struct transitions transitions;
	bool has_transitions;
	struct causes chain, compared;
	bool has_chain, has_compared;
	struct explanation *explanation;
};

static void note(struct work *w, char *text)
{
	*vec_push(&w->explanation->notes) = text;
}

/* --- the methods --- */

static void show(void *context, uint64_t experiments, const char *phase)
{
	struct pair *p = context;

	if (progress_due(&p->search.progress))
		progress_show(&p->search.progress, "%s: %llu experiments", phase,
		              (unsigned long long)experiments);
}

static struct hence_error *find_transitions(struct work *w)
{
	struct pair *p = w->pair;
	const struct transitions_options options = {
		.failing_pool = p->failing.pool,
		.reference_pool = p->reference.pool,
		.workers = (uint32_t)p->options->jobs,
		.stop = pair_is_over,
		.progress = show,
		.context = p,
		.all_points = w->command->all_points,
	};
	struct hence_error *error;

	progress_begin(&p->search.progress);
	error = transitions_find(&w->failing, &w->reference, &p->alignment, &w->symptom, &options,
	                         &w->transitions);
	progress_end(&p->search.progress);
	w->has_transitions = !error;
	return error;
}

static struct hence_error *find_chain(struct work *w)
{
	struct pair *p = w->pair;
	const struct chain_options options = {
		.failing_pool = p->failing.pool,
		.reference_pool = p->reference.pool,
		.workers = (uint32_t)p->options->jobs,
		.algorithm = w->command->hierarchical ? BACKWARD_HIERARCHICAL : BACKWARD_DEPENDENCE,
		.stop = pair_is_over,
		.progress = show,
		.context = p,
	};
	struct hence_error *error;

	progress_begin(&p->search.progress);
	error = chain_find(&w->failing, &w->reference, &p->alignment, &w->symptom, &options,
	                   &w->chain);
	progress_end(&p->search.progress);
	w->has_chain = !error;
	return error;
}

static void tell_counts(struct work *w, const struct compare_counts *c)
{
	struct explanation_part *part = vec_push(&w->explanation->parts);

	part->key = "counts";
	str_printf(&part->json,
	           "{\"points\":%llu,"
	           "\"cut\":{\"candidates\":%llu,\"experiments\":%llu,\"left\":%llu},"
	           "\"plain\":{\"candidates\":%llu,\"experiments\":%llu,\"left\":%llu}}",
	           (unsigned long long)c->points, (unsigned long long)c->cut.candidates,
	           (unsigned long long)c->cut.experiments, (unsigned long long)c->cut.left,
	           (unsigned long long)c->plain.candidates,
	           (unsigned long long)c->plain.experiments, (unsigned long long)c->plain.left);
	note(w, str_format("at the %llu points above, the cut of the dual slice has %llu "
	                   "variables; it took %llu experiments to find %llu of them that decide. "
	                   "Of all %llu that differ it took %llu to find %llu",
	                   (unsigned long long)c->points, (unsigned long long)c->cut.candidates,
	                   (unsigned long long)c->cut.experiments, (unsigned long long)c->cut.left,
	                   (unsigned long long)c->plain.candidates,
	                   (unsigned long long)c->plain.experiments,
	                   (unsigned long long)c->plain.left));
}

static struct hence_error *find_compared(struct work *w)
{
	struct pair *p = w->pair;
	struct compare_counts counts = {0};
	const struct compare_options options = {
		.failing_pool = p->failing.pool,
		.reference_pool = p->reference.pool,
		.workers = (uint32_t)p->options->jobs,
		.no_rails = w->command->no_rails,
		.exact = w->command->exact,
		.counts = w->command->count ? &counts : NULL,
		.stop = pair_is_over,
		.progress = show,
		.context = p,
	};
	struct hence_error *error;

	progress_begin(&p->search.progress);
	error = compare_find(&w->failing, &w->reference, &p->alignment, &w->symptom, &options,
	                     &w->compared);
	w->has_compared = !error;
	if (!error && w->command->count)
		tell_counts(w, &counts);
	progress_end(&p->search.progress);
	return error;
}

/* What went wrong in a method is told; what else is known, too. */
static void tell(struct work *w, const char *what, struct hence_error *error)
{
	if (error && !pair_is_over(w->pair))
		note(w, str_format("%s: %s", what, error->message));
	error_destroy(error);
}

static void compare(struct work *w)
{
	enum explain_method method = w->command->method;
	struct hence_error *error = symptom_find(&w->failing, &w->reference, &w->pair->alignment,
	                                         &w->pair->reduced.oracle, &w->symptom);

	w->has_symptom = !error;
	if (error) {
		tell(w, "the failure cannot be compared with the reference", error);
		return;
	}
	if (method == EXPLAIN_COMPARE || method == EXPLAIN_ALL)
		tell(w, "comparative causality", find_compared(w));
	/* A chain needs no dual slice and no rails: where those are no help it may be. */
	if (method == EXPLAIN_CHAIN || (method == EXPLAIN_ALL && !causes_proven(&w->compared)))
		tell(w, "the chain", find_chain(w));
	if (method == EXPLAIN_TRANSITIONS || method == EXPLAIN_ALL)
		tell(w, "cause transitions", find_transitions(w));
}

/* --- the explanation --- */

static void find_sources(struct work *w)
{
	if (w->pair->has_failing)
		tell(w, "the source",
		     explain_sources_create(&w->pair->failing.recording, &w->sources));
}

/* What else the user could do. */
static char *hint(const struct work *w)
{
	char *command = pair_command_text(w->pair, &w->pair->reduced.given);
	char *text = str_format(
		"What may help: %s with --pass 'ARGS' or --pass-stdin FILE; or 'hence chop "
		"... -- %s', which shows the code between the input and the "
		"failure and needs no other run.",
		w->pair->reduced.has_passing ? "another input that passes, nearer to "
					       "the failing one,"
					     : "an input that passes,",
		command);

	free(command);
	return text;
}

/* Was something left out because the time was over? */
static bool is_cut(const struct work *w)
{
	if (w->has_chain || w->has_compared || w->has_transitions)
		return w->chain.stopped || w->compared.stopped || w->transitions.found.stopped ||
		       w->pair->alignment.stopped;
	return search_is_over(&w->pair->search);
}

/* Does nobody know whether the reference is right? --expect is about the failing input only, so of one that was
   found it is known only that it does not put out the same wrong line. */
static bool is_doubtful(const struct work *w)
{
	const struct pair *p = w->pair;
	const struct pair_candidate *candidate = pair_reference(p);

	return candidate && candidate->given < 0 && !pair_is_exact(p) &&
	       (p->options->expect || p->options->expect_text);
}

static void add_steps(struct work *w, const struct causes *causes, const char *method)
{
	struct explanation e = {0};

	explain_add_causes(causes, method, w->sources, &e);
	explain_merge(&e, w->explanation);
}

/* One chain, that of the first method which proves something; the others confirm it. */
static void add_all_steps(struct work *w)
{
	const struct {
		const struct causes *causes;
		const char *method;
	} all[] = {{&w->compared, "compare"},
	           {&w->chain, "chain"},
	           {&w->transitions.found, "transitions"}};

	for (unsigned proven = 2; proven-- > 0;)
		for (unsigned i = 0; i < 3; i++)
			if (causes_proven(all[i].causes) == proven)
				add_steps(w, all[i].causes, all[i].method);
	explain_add_points(&w->transitions, w->sources, w->explanation);
}

/* Up to the branch that makes the difference, both runs are the same: all others come from it. */
static void add_switched(struct work *w)
{
	const struct pair_candidate *candidate = pair_reference(w->pair);
	struct explanation *e = w->explanation, switched = {0};
	struct causes causes = {0};
	uint32_t count = e->steps.size;

	if (w->command->method != EXPLAIN_ALL || !candidate || candidate->kind != PAIR_PATCHED)
		return;
	predicate_cause(candidate->predicate, &causes);
	explain_add_causes(&causes, "switch", w->sources, &switched);
	explain_merge(&switched, e);
	if (count && e->steps.size > count)
		e->steps.at[1].apart = false;
	causes_deinit(&causes);
}

/* What runs that pass differ in as well, if another one was given. */
static void mark_usual(struct work *w)
{
	const struct align_options options = {.stop = pair_is_over, .context = w->pair};
	struct pair_side other = {0};
	struct hence_error *error = pair_record_other(w->pair, &other);

	if (!error && other.pool)
		error = explain_usual(&w->pair->reference.recording, &other.recording, &options,
		                      w->explanation);
	tell(w, "other runs that pass", error);
	pair_side_deinit(&other);
}

static void assemble(struct work *w)
{
	struct explanation *e = w->explanation;

	pair_describe(w->pair, e);
	explain_failure(&w->pair->reduced.oracle, w->sources, e);
	add_all_steps(w);
	add_switched(w);
	if (w->has_symptom)
		explain_add_symptom(&w->symptom, &w->pair->reduced.oracle, w->sources, e);
	mark_usual(w);
	explain_suspects(e);
	explain_sources_note(w->sources, e);
	explain_verdict(is_cut(w), e);
	if (is_doubtful(w) && !strcmp(e->verdict, "explained")) {
		e->verdict = "unproven";
		note(w, str_format("the reference was found, not given, and does not put out the "
		                   "expected text: nobody knows whether what it puts out is right, "
		                   "so the steps may tell of differences that are none of the "
		                   "fault's"));
	}
	if (strcmp(e->verdict, "explained"))
		e->hint = hint(w);
	if (w->command->against)
		chain_add_quality(w->command, e);
}

void explain_pair(const struct explain_command *command, struct pair *pair, struct explanation *out)
{
	struct work w = {.command = command,
	                 .pair = pair,
	                 .failing = {&pair->failing.recording, &pair->failing.result},
	                 .reference = {&pair->reference.recording, &pair->reference.result},
	                 .explanation = out};

	find_sources(&w);
	if (pair->is_aligned)
		compare(&w);
	assemble(&w);
	transitions_deinit(&w.transitions);
	causes_deinit(&w.chain);
	causes_deinit(&w.compared);
	if (w.has_symptom)
		symptom_deinit(&w.symptom);
	explain_sources_destroy(w.sources);
}
