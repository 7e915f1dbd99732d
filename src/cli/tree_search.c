/* The cause tree of a failing run: see tree_search.h. */
#include "cli/tree_search.h"

#include <string.h>

#include "trace/walk.h"

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

/* Whoever was at work when the time was over may call it an error. */
static struct hence_error *forgive(struct tree_search *s, struct hence_error *error)
{
	if (!error || !budget_is_over(&s->budget))
		return error;
	error_destroy(error);
	s->tree.stopped = true;
	return NULL;
}

/* --- the tree --- */

/* Who gives a line on the command line leaves out its end. */
static void find_expected(struct tree_search *s)
{
	const struct oracle_options *oracle = &s->pair->failure.reduce.oracle;
	const struct str *output = &s->pair->failing.result.output;
	struct str *expected = &s->expected;

	str_add_bytes(expected, str_text(oracle->expected), oracle->expected->length);
	if (oracle->line && output->length && output->text[output->length - 1] == '\n' &&
	    !(expected->length && expected->text[expected->length - 1] == '\n'))
		str_add_char(expected, '\n');
}

/* What was not recorded cannot be followed; a condition of the user's may lie before that, and what goes on for
   ever is the same all the time. */
static struct hence_error *check_recording(const struct tree_search *s)
{
	const struct run *run = &s->pair->run;
	const struct pair_side *failing = &s->pair->failing;
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
		find_expected(s);
		question.expected = str_text(&s->expected);
		question.expected_size = s->expected.length;
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
	struct comparison pair = pair_comparison(s->pair);
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
}
