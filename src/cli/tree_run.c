/* From a command line to a cause tree: see tree.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/tree.h"

/* What judges a run? With a condition of the user's alone nothing does: it is not looked at from outside. */
static bool can_judge(const struct tree_run *run)
{
	const struct failure_options *failure = &run->command->report.failure;

	if (run->command->no_experiments || run->pair.reduced.end == REDUCE_NO_FAILURE)
		return false;
	return !run->command->check || failure->expect || failure->expect_text || failure->test;
}

/* --- the report --- */

static void take_notes(char **from, uint32_t count, struct cause_tree *out)
{
	for (uint32_t i = 0; i < count; i++) {
		*vec_push(&out->notes) = from[i];
		from[i] = NULL;
	}
}

static void note(struct tree_run *run)
{
	struct cause_tree *report = &run->report;

	if (!run->search.experiments && run->command->check && !run->command->no_experiments)
		*vec_push(&report->notes) = mem_strdup(
			"no experiments were made: whether the condition holds in "
			"another run cannot be seen from outside; say what is right with "
			"--expect or --test");
	if (run->search.counts.stopped)
		*vec_push(&report->notes) = mem_strdup(
			search_is_interrupted()
				? "interrupted before all causes were tried"
				: "the time was up before all causes were tried; give more with "
				  "--time");
}

static void make_report(struct tree_run *run)
{
	struct explanation e = {0};

	cause_tree_deinit(&run->report);
	tree_report(&run->search.tree, &run->search.counts, run->sources, &run->report);
	pair_describe(&run->pair, &e);
	run->report.program = e.program;
	e.program = NULL;
	for (uint32_t i = 0; i < e.command.size; i++)
		*vec_push(&run->report.command) = e.command.at[i];
	e.command.size = 0;
	explain_sources_note(run->sources, &e);
	take_notes(e.notes.at, e.notes.size, &run->report);
	explanation_deinit(&e);
	note(run);
	run->report.stats.seconds = progress_clock() - run->pair.began;
	cause_tree_settle(&run->report);
}

struct hence_error *tree_run_expand(struct tree_run *run, uint32_t number)
{
	double time = run->command->report.failure.time;
	struct hence_error *error;

	run->search.until = time > 0 ? progress_clock() + time : 0;
	tree_expand(&run->search.tree, number - 1);
	error = tree_search_go_on(&run->search);
	make_report(run);
	return error;
}

/* --- the whole --- */

static struct hence_error *find(struct tree_run *run)
{
	const struct tree_command *c = run->command;
	struct hence_error *error;

	run->search = (struct tree_search){
		.pair = &run->pair,
		.check = c->check ? &run->check : NULL,
		.correct = &run->correct,
		.levels = (uint32_t)(c->levels ? c->levels : TREE_LEVELS),
		.nodes = (uint32_t)c->nodes,
		.experiments = can_judge(run),
		.until = run->pair.search.until,
	};
	error = tree_search_run(&run->search);
	if (!error)
		error = explain_sources_create(&run->pair.failing.recording, pair_is_over,
		                               &run->pair, &run->sources);
	return error;
}

/* Is something proven, or where nothing can be, is there a cause at all? */
static int exit_code(const struct tree_run *run)
{
	const struct cause_tree *t = &run->report;

	if (run->search.experiments)
		return t->stats.proven ? CLI_DONE : CLI_NOT_PROVEN;
	return t->nodes.size && t->nodes.at[0].statements.size ? CLI_DONE : CLI_NOT_PROVEN;
}

static struct hence_error *tell(struct tree_run *run, int *code)
{
	struct hence_error *error = NULL;

	make_report(run);
	*code = exit_code(run);
	if (run->command->smt)
		error = tree_write_smt(run->command, &run->search.tree);
	if (error)
		return error;
	return run->command->interactive ? tree_talk(run, code) : tree_print(run, 0);
}

/* A test says that a run fails, but not where that shows. */
static struct hence_error *explain_test(const struct tree_run *run, struct hence_error *error)
{
	if (!error || error->kind != HENCE_ERROR_NOTHING || !run->command->report.failure.test ||
	    run->command->check)
		return error;
	error_destroy(error);
	return error_create(
		HENCE_ERROR_INPUT,
		"the test calls the run a failure, but the run ends well: say what is "
		"wrong with it with --check 'FILE:LINE: EXPR' as well, or with --expect "
		"instead");
}

static struct hence_error *search(struct tree_run *run, int *code)
{
	struct hence_error *error = pair_find(&run->pair, code);

	if (error || *code)
		return error;
	if (run->pair.has_failing)
		error = explain_test(run, find(run));
	if (!error && run->search.built)
		return tell(run, code);
	if (!error) {
		fprintf(stderr, search_is_interrupted()
		                        ? "hence: interrupted before a cause was found\n"
		                        : "hence: the time was up before a cause was found; give "
		                          "more with --time\n");
		*code = CLI_NOT_PROVEN;
	}
	return error;
}

static void deinit(struct tree_run *run)
{
	cause_tree_deinit(&run->report);
	explain_sources_destroy(run->sources);
	tree_search_deinit(&run->search);
	tree_correct_deinit(&run->correct);
	violation_check_deinit(&run->check);
	pair_deinit(&run->pair);
}

struct hence_error *tree_perform(const struct tree_command *command, int *code)
{
	char *words[] = {NULL, NULL};
	struct tree_run run = {.command = command,
	                       .pair = {.options = &command->report.failure,
	                                .as_given = true,
	                                .alone = true,
	                                .may_pass = command->check != NULL,
	                                .memory_errors = true,
	                                .run_options = command->report.run,
	                                .run = {.input = -1, .output = -1}}};
	struct hence_error *error = NULL;

	words[0] = (char *)pair_program(&run.pair);
	run.pair.run_options.command = words;
	run.pair.run.options = &run.pair.run_options;
	if (command->check)
		error = violation_check_parse(command->check, &run.check);
	if (!error)
		error = tree_correct_read(command, &run.correct);
	if (!error)
		error = search(&run, code);
	deinit(&run);
	return error;
}
