/* What the failing run tells by itself: see alone.h. */
#include "explain/alone.h"

#include <stdlib.h>
#include <string.h>

#include "explain/illustrations.h"
#include "explain/steps.h"
#include "report/recipe.h"
#include "trace/walk.h"

/* ------ the tree: built, and its causes tried ------ */

#define FEW   8   /* experiments on a node */
#define SHARE 0.7 /* of the time that the tree may take when causes are to be tried, too */

/* --- ends --- */

static bool is_correct(void *context, const char *function)
{
	const struct tree_search *s = context;

	for (uint32_t i = 0; i < s->correct->names.size; i++)
		if (!strcmp(s->correct->names.at[i], function))
			return true;
	return false;
}

/* Is it too late even to describe a tree that was found? */
static bool is_late(void *context)
{
	struct tree_search *s = context;

	return budget_clock() > s->until;
}

/* When the time is over, the method under way may return an error for it. */
static struct hence_error *forgive(struct tree_search *s, struct hence_error *error)
{
	if (!error || !budget_is_over(&s->budget))
		return error;
	error_destroy(error);
	s->tree.stopped = true;
	return NULL;
}

/* --- the tree --- */

/* What was not recorded cannot be followed; a condition of the user's may lie before that, and what goes on for
   ever is the same all the time. */
static struct hence_error *check_recording(const struct tree_search *s)
{
	const struct run *run = &s->pair->run;
	const struct recorded_side *failing = &s->pair->failing;
	uint32_t state = run->recorded.at[failing->tape].tape->head.state;

	if (s->check || failing->result.outcome.kind == OUTCOME_TIMED_OUT ||
	    (state != HENCE_FULL && state != HENCE_THREADS && state != HENCE_CONTEXTS &&
	     state != HENCE_NESTED))
		return NULL;
	return error_create(HENCE_ERROR_INPUT, "the recording ends before the failure: %s",
	                    run->notes.size ? run->notes.at[0] : "raise --tape-limit");
}

static struct hence_error *build(struct tree_search *s)
{
	struct violation_question question = {
		.outcome = &s->pair->failing.result.outcome,
		.status = s->pair->failure.reduce.oracle.status,
		.check = s->check,
		.output = &s->pair->failing.result.output,
		.until = s->budget.until,
	};
	struct hence_error *error = check_recording(s);

	if (error)
		return error;
	if (s->pair->failure.reduce.oracle.expected) {
		/* Who gives a line on the command line leaves out its end. */
		const struct oracle_options *oracle = &s->pair->failure.reduce.oracle;
		const struct str *output = &s->pair->failing.result.output;
		struct str *expected = &s->expected;

		str_add_bytes(expected, str_text(oracle->expected), oracle->expected->length);
		if (oracle->line && output->length && output->text[output->length - 1] == '\n' &&
		    !(expected->length && expected->text[expected->length - 1] == '\n'))
			str_add_char(expected, '\n');
		question.expected = str_text(&s->expected);
		question.expected_size = s->expected.length;
	} else if (s->pair->options->expect_files.size) {
		const struct failure_options *options = s->pair->options;

		error = expected_file_find(&s->pair->failing.recording,
		                           (const char *const *)options->expect_files.at,
		                           options->expect_files.size, &s->file);
		if (error)
			return error;
		if (s->file.name) {
			question.stream = s->file.name;
			question.output = &s->file.has;
			question.expected = str_text(&s->file.right);
			question.expected_size = s->file.right.length;
		}
	}
	s->options = (struct tree_options){
		.levels = s->levels,
		.nodes = s->nodes,
		.is_correct = s->correct && s->correct->names.size ? is_correct : NULL,
		.context = s,
		.budget = &s->budget,
	};
	budget_show(&s->budget, 0, "building the cause tree");
	error = tree_build(&s->pair->failing.recording, &question, &s->options, &s->tree);
	if (error)
		return error;
	error = tree_describe(&s->tree);
	s->built = !error;
	if (error)
		tree_deinit(&s->tree);
	return error;
}

/* --- experiments --- */

static struct hence_error *try_causes(struct tree_search *s)
{
	const struct angelic_options options = {
		/* Of a run without end, each that does not help takes as long as that run. */
		.most = s->pair->failing.result.outcome.kind == OUTCOME_TIMED_OUT ? FEW : 0,
	};
	struct angelic_counts counts = {0};
	struct comparison pair = references_comparison(s->pair);
	struct hence_error *error;

	pair.budget = &s->budget;
	error = angelic_check(&pair, &options, &s->tree, &counts);
	if (error)
		return error;
	s->counts.experiments += counts.experiments;
	s->counts.passed += counts.passed;
	s->counts.proven = counts.proven;
	s->counts.stopped |= counts.stopped;
	return NULL;
}

/* --- the whole --- */

struct hence_error *tree_search_run(struct tree_search *s)
{
	double left = s->until - budget_clock();
	struct walk_limit before = {NULL, NULL};
	struct hence_error *error;

	s->budget = s->pair->search.budget;
	s->budget.until = s->until > 0 ? budget_clock() + left * (s->experiments ? SHARE : 1) : 0;
	if (s->until > 0)
		before = walk_set_limit((struct walk_limit){is_late, s});
	error = forgive(s, build(s));
	s->budget.until = s->until;
	if (!error && s->built && s->experiments) {
		s->counts.stopped |= budget_is_over(&s->budget);
		if (!s->counts.stopped)
			error = forgive(s, try_causes(s));
	}
	if (s->until > 0)
		walk_set_limit(before);
	budget_hide(&s->budget);
	return error;
}

struct hence_error *tree_search_go_on(struct tree_search *s)
{
	struct hence_error *error;

	s->budget.until = s->until;
	error = tree_describe(&s->tree);
	if (!error && s->experiments)
		error = try_causes(s);
	budget_hide(&s->budget);
	return forgive(s, error);
}

void tree_search_deinit(struct tree_search *s)
{
	if (s->built)
		tree_deinit(&s->tree);
	str_deinit(&s->expected);
	expected_file_deinit(&s->file);
}

/* ------ the tree for printers ------ */

static char *copy(const char *text)
{
	return text && *text ? mem_strdup(text) : NULL;
}

/* --- nodes --- */

static enum cause_reason reason_of(enum tree_reason reason)
{
	switch (reason) {
	case TREE_FAILURE: return CAUSE_FAILURE;
	case TREE_DIRECT: return CAUSE_DIRECT;
	case TREE_INDIRECT: return CAUSE_INDIRECT;
	case TREE_ADDRESS: return CAUSE_ADDRESS;
	case TREE_MISSED: return CAUSE_MISSED;
	}
	return CAUSE_FAILURE;
}

static enum cause_how how_of(enum refuted how)
{
	switch (how) {
	case REFUTED_FOLDED: return CAUSE_FOLDED;
	case REFUTED_SOLVED: return CAUSE_SOLVED;
	case REFUTED_UNKNOWN: return CAUSE_UNKNOWN;
	case REFUTED_NOT: return CAUSE_NOT_REFUTED;
	}
	return CAUSE_NOT_REFUTED;
}

static void add_proofs(const struct tree_node *node, struct explain_sources *sources,
                       struct cause_node *out)
{
	for (uint32_t i = 0; i < node->proofs.size; i++) {
		const struct tree_proof *p = &node->proofs.at[i];

		*vec_push(&out->proofs) = (struct cause_proof){
			.experiment = p->experiment,
			.at = explain_place(sources, p->file, p->line, p->column, p->function),
			.instance = p->occurrence,
			.time = p->time,
			.point = explain_place(NULL, p->point.file, p->point.line, p->point.column,
		                               p->point.function),
			.point_instance = p->point.occurrence,
			.point_time = p->point.time,
			.changed = copy(p->changed),
			.from = copy(p->from),
			.to = copy(p->to),
			.bits = p->value,
			.kind = p->branch ? CAUSE_BRANCH : CAUSE_VALUE,
			.outcome = p->outcome,
			.early = p->early,
			.avoids = p->avoids,
			.counts = p->counts,
			.after = p->after,
		};
	}
}

#define add_numbers(from, to)                                                                      \
	do {                                                                                       \
		for (uint32_t i_ = 0; i_ < (from)->size; i_++)                                     \
			*vec_push(to) = (from)->at[i_] + 1;                                        \
	} while (0)

static void add_node(const struct tree *tree, uint32_t index, struct explain_sources *sources,
                     struct cause_tree *out)
{
	const struct tree_node *node = &tree->nodes.at[index];
	struct cause_node *n = vec_push(&out->nodes);

	*n = (struct cause_node){
		.number = index + 1,
		.parent = index ? node->parent + 1 : 0,
		.level = node->level,
		.reason = reason_of(node->reason),
		.at = explain_place(sources, node->file, node->line, node->column, node->function),
		.via = explain_place(sources, node->via_file, node->via_line, 0, NULL),
		.instance = node->occurrence,
		.instances = node->conditions.size,
		.size = node->cause.size,
		.wanted = copy(node->wanted),
		.numbers = copy(node->numbers),
		.how = how_of(node->how),
		.minimal = node->certain,
		.limited = node->limited,
		.tried = node->tried,
		.proven = node->proven,
		.expanded = node->expanded,
	};
	for (uint32_t i = 0; i < node->statements.size; i++) {
		const struct tree_statement *s = &node->statements.at[i];

		*vec_push(&n->statements) = (struct cause_statement){
			.at = explain_place(sources, s->file, s->line, s->column, s->function),
			.text = copy(s->text),
			.count = s->count,
			.time = s->time,
			.condition = s->condition,
		};
	}
	add_proofs(node, sources, n);
	add_numbers(&node->children, &n->children);
	add_numbers(&node->again, &n->again);
	out->stats.proven += node->proven;
}

/* --- the rest --- */

void tree_report(const struct tree *tree, const struct angelic_counts *counts,
                 struct explain_sources *sources, struct cause_tree *out)
{
	struct tree_counts c;

	*out = (struct cause_tree){
		.failure = tree->violation.failure,
		.what = copy(str_text(&tree->violation.what)),
		.complete = !tree->stopped && !tree->full && !tree->window &&
	                    !(counts && counts->stopped),
	};
	for (uint32_t i = 0; i < tree->nodes.size; i++)
		add_node(tree, i, sources, out);
	for (uint32_t i = 0; i < tree->violation.notes.size; i++)
		*vec_push(&out->notes) = mem_strdup(tree->violation.notes.at[i]);
	for (uint32_t i = 0; i < tree->notes.size; i++)
		*vec_push(&out->notes) = mem_strdup(tree->notes.at[i]);
	if (tree->stopped)
		*vec_push(&out->notes) =
			mem_strdup("ended before all causes were found; give more time with "
		                   "--time, or ask for fewer with --levels");
	if (tree->full)
		*vec_push(&out->notes) = mem_strdup(
			"there are more causes than the tree may have; --nodes allows more");
	if (tree->window)
		*vec_push(&out->notes) = mem_strdup("only the end of the run fits into memory; "
		                                    "what came before is not followed");
	c = tree_counts(tree);
	out->stats.instances = c.instances;
	out->stats.inside = c.inside;
	out->stats.collapsed = c.collapsed;
	out->stats.lines = c.lines;
	out->stats.nodes = tree->nodes.size;
	out->stats.solver_calls = c.solver.calls;
	out->stats.folded = c.solver.folded;
	out->stats.unknown = c.solver.unknown;
	out->stats.solver_seconds = c.solver.seconds;
	out->stats.seconds = c.seconds;
	out->stats.experiments = counts ? counts->experiments : 0;
}

/* ------ the tree as part of an explanation ------ */

#define LEVELS 3u
#define ALONE  8.0 /* seconds, when nothing is proven otherwise */
/* Beside others it must be small, which the clock does not decide: the answer is to be the same each time. */
#define BESIDE_LEVELS 2u
#define BESIDE_NODES  40u
#define BESIDE        2.0

static bool is_explained(const struct explanation *e)
{
	return e->verdict == EXPLANATION_EXPLAINED;
}

static void note_alone(struct explanation *e, char *text)
{
	*vec_push(&e->notes) = text;
}

/* --- the explanation --- */

static void drop_doubt(struct explanation *e)
{
	if (!e->doubt)
		return;
	free(e->notes.at[e->doubt - 1]);
	memmove(e->notes.at + e->doubt - 1, e->notes.at + e->doubt,
	        (e->notes.size - e->doubt) * sizeof(*e->notes.at));
	e->notes.size--;
	e->doubt = 0;
}

static void add_found(const struct explain_question *question, const struct tree_search *search,
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
		/* What it was compared with has not proven anything. */
		drop_doubt(e);
		if (e->reference.text)
			note_alone(e, str_format("compared with %s nothing could be proven; the "
			                         "steps are from "
			                         "the failing run alone",
			                         e->reference.text));
		free(e->reference.text);
		free(e->reference.stdin_file);
		free(e->reference.edit);
		vec_free(&e->reference.command);
		memset(&e->reference, 0, sizeof(e->reference));
		e->reference.kind = RECIPE_NONE;
		if (e->recipe)
			e->recipe->kind = RECIPE_NONE;
		explain_verdict(false, e);
		if (question->memory) {
			/* What the memory looks like at the steps of the tree, and where the failure shows. */
			const struct explain_memory_options options = {
				.failing = &search->pair->failing.recording,
				.failing_time = search->tree.violation.time,
				.budget = &search->pair->search.budget,
			};
			struct hence_error *error = explain_memory(&options, e);

			if (error && !budget_is_over(&search->pair->search.budget))
				note_alone(e, str_format("memory graphs: %s", error->message));
			error_destroy(error);
		}
	}
	if (is_explained(e)) {
		free(e->hint);
		e->hint = NULL;
	}
	if (question->sources)
		explain_add_sources(sources, e);
	explain_sources_destroy(sources);
}

/* --- the run --- */

static void find_alone(const struct explain_question *question, struct references *pair,
                       struct explanation *e)
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
		add_found(question, &search, e);
		/* The steps may be of the failing input when it was reduced, and the tree of that which was given. */
		if (e->recipe && !input_equal(&e->recipe->failing, &pair->reduced.failing))
			e->recipe->tree_of_given = true;
	}
	if (!is_explained(e) && budget_is_over(&pair->search.budget) &&
	    (search.counts.stopped || !search.built))
		explain_verdict(true, e);
	if (error && !explained)
		note_alone(e, str_format("the cause tree: %s", error->message));
	error_destroy(error);
	tree_search_deinit(&search);
}

void explain_alone(const struct explain_question *question, struct references *pair,
                   struct explanation *e)
{
	bool explained = is_explained(e);

	if (e->tree || !pair->has_failing || budget_is_over(&pair->search.budget) ||
	    (explained && pair->reduced.oracle.failure.kind == FAILURE_HANG))
		return;
	/* What is expected is about the input as it was given. */
	if (!pair->failure.reduce.oracle.expected ||
	    input_equal(&pair->reduced.given, &pair->reduced.failing))
		find_alone(question, pair, e);
}
