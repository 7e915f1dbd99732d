/* What the failing run tells by itself: its cause tree, as part of an explanation. See explain.h. */
#include <stdlib.h>
#include <string.h>

#include "explain/explain.h"
#include "explain/explain_memory.h"
#include "explain/tree_report.h"
#include "cli/explain.h"
#include "cli/tree_search.h"
#include "report/recipe.h"

#define LEVELS 3u
#define ALONE  8.0 /* seconds, when nothing is proven otherwise */
/* Beside others it must be small, which the clock does not decide: the answer is to be the same each time. */
#define BESIDE_LEVELS 2u
#define BESIDE_NODES  40u
#define BESIDE        2.0

static bool is_explained(const struct explanation *e)
{
	return !strcmp(e->verdict, "explained");
}

static void note(struct explanation *e, char *text)
{
	*vec_push(&e->notes) = text;
}

/* --- the explanation --- */

static void drop_doubt(struct explanation *e)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < e->notes.size; i++)
		if (!strcmp(e->notes.at[i], explain_doubt))
			free(e->notes.at[i]);
		else
			e->notes.at[kept++] = e->notes.at[i];
	e->notes.size = kept;
}

/* What it was compared with has not proven anything. */
static void drop_reference(struct explanation *e)
{
	drop_doubt(e);
	if (e->reference.text)
		note(e, str_format("compared with %s nothing could be proven; the steps are from "
		                   "the failing run alone",
		                   e->reference.text));
	free(e->reference.text);
	free(e->reference.stdin_file);
	free(e->reference.edit);
	for (uint32_t i = 0; i < e->reference.command.size; i++)
		free(e->reference.command.at[i]);
	vec_deinit(&e->reference.command);
	memset(&e->reference, 0, sizeof(e->reference));
	e->reference.kind = "none";
	if (e->recipe)
		e->recipe->kind = RECIPE_NONE;
}

/* What the memory looks like at the steps of the tree, and where the failure shows. */
static void add_memory(const struct tree_search *search, struct explanation *e)
{
	const struct explain_memory_options options = {
		.failing = &search->pair->failing.recording,
		.failing_time = search->tree.violation.time,
		.budget = &search->pair->search.budget,
	};
	struct hence_error *error = explain_memory(&options, e);

	if (error && !budget_is_over(&search->pair->search.budget))
		note(e, str_format("memory graphs: %s", error->message));
	error_destroy(error);
}

static void add(const struct explain_command *command, const struct tree_search *search,
                struct explanation *e)
{
	bool steps = !is_explained(e);
	struct explain_sources *sources = NULL;
	struct cause_tree *tree = mem_alloc(sizeof(*tree));

	error_destroy(explain_sources_create(&search->pair->failing.recording,
	                                     &search->pair->search.budget, &sources));
	tree_report(&search->tree, &search->counts, sources, tree);
	explain_add_tree(tree, steps, e);
	if (steps && tree->stats.proven) {
		drop_reference(e);
		explain_verdict(false, e);
		if (command->memory)
			add_memory(search, e);
	}
	if (is_explained(e)) {
		free(e->hint);
		e->hint = NULL;
	}
	if (command->sources)
		explain_add_sources(sources, e);
	explain_sources_destroy(sources);
}

/* --- the run --- */

/* The steps may be of the failing input when it was reduced, and the tree of that which was given. */
static void tell_input(const struct pair *pair, struct explanation *e)
{
	if (e->recipe && !input_equal(&e->recipe->failing, &pair->reduced.failing))
		e->recipe->tree_of_given = true;
}

static void find(const struct explain_command *command, struct pair *pair, struct explanation *e)
{
	bool explained = is_explained(e);
	double until = budget_clock() + (explained ? BESIDE : ALONE);
	struct tree_search search = {
		.pair = pair,
		.levels = explained ? BESIDE_LEVELS : LEVELS,
		.nodes = explained ? BESIDE_NODES : 0,
		.experiments = true,
		.until = pair->search.budget.until > 0 && pair->search.budget.until < until
	                         ? pair->search.budget.until
	                         : until,
	};
	struct hence_error *error = tree_search_run(&search);

	if (!error && search.built) {
		add(command, &search, e);
		tell_input(pair, e);
	}
	if (!is_explained(e) && budget_is_over(&pair->search.budget) &&
	    (search.counts.stopped || !search.built))
		explain_verdict(true, e);
	if (error && !explained)
		note(e, str_format("the cause tree: %s", error->message));
	error_destroy(error);
	tree_search_deinit(&search);
}

void explain_alone(const struct explain_command *command, struct pair *pair, struct explanation *e)
{
	bool explained = is_explained(e);

	if (e->tree || !pair->has_failing || budget_is_over(&pair->search.budget) ||
	    (explained && pair->reduced.oracle.failure.kind == FAILURE_HANG))
		return;
	/* What is expected is about the input as it was given. */
	if (!pair->failure.reduce.oracle.expected ||
	    input_equal(&pair->reduced.given, &pair->reduced.failing))
		find(command, pair, e);
}
