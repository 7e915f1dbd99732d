/* From a command line to a cause tree: see tree.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/tree.h"

#define SHARE 0.7 /* of the time that the tree may take when causes are to be tried, too */

/* --- ends --- */

/* The time of what is under way, and signals. */
static bool is_over(void *context)
{
	const struct tree_run *run = context;

	return search_is_interrupted() || (run->until > 0 && progress_clock() >= run->until);
}

static bool is_correct(void *context, const char *function)
{
	const struct tree_run *run = context;

	return tree_correct_has(&run->correct, function);
}

/* Whoever was at work when the time was over may call it an error. */
static struct hence_error *forgive(struct tree_run *run, struct hence_error *error)
{
	if (!error || !is_over(run))
		return error;
	error_destroy(error);
	run->tree.stopped = true;
	return NULL;
}

/* --- the tree --- */

/* Who gives a line on the command line leaves out its end. */
static void find_expected(struct tree_run *run)
{
	const struct oracle_options *oracle = &run->pair.failure.reduce.oracle;
	const struct str *output = &run->pair.failing.result.output;
	struct str *expected = &run->expected;

	str_add_bytes(expected, str_text(oracle->expected), oracle->expected->length);
	if (oracle->line && output->length && output->text[output->length - 1] == '\n' &&
	    !(expected->length && expected->text[expected->length - 1] == '\n'))
		str_add_char(expected, '\n');
}

static struct hence_error *build(struct tree_run *run)
{
	const struct tree_command *c = run->command;
	struct violation_question question = {
		.outcome = &run->pair.failing.result.outcome,
		.check = c->check ? &run->check : NULL,
		.output = &run->pair.failing.result.output,
		.until = run->until,
	};
	struct hence_error *error;

	if (run->pair.failure.reduce.oracle.expected) {
		find_expected(run);
		question.expected = str_text(&run->expected);
		question.expected_size = run->expected.length;
	}
	run->options = (struct tree_options){
		.levels = (uint32_t)(c->levels ? c->levels : TREE_LEVELS),
		.nodes = (uint32_t)c->nodes,
		.is_correct = run->correct.names.size ? is_correct : NULL,
		.stop = is_over,
		.context = run,
	};
	progress_show(&run->pair.search.progress, "the cause tree");
	error = tree_build(&run->pair.failing.recording, &question, &run->options, &run->tree);
	run->built = !error;
	if (!error)
		error = tree_describe(&run->tree);
	return error;
}

/* --- experiments --- */

static void show(void *context, uint64_t experiments, const char *phase)
{
	struct tree_run *run = context;

	if (progress_due(&run->pair.search.progress))
		progress_show(&run->pair.search.progress, "%s: %llu experiments", phase,
		              (unsigned long long)experiments);
}

/* What judges a run? With a condition of the user's alone nothing does: it is not looked at from outside. */
static bool can_judge(const struct tree_run *run)
{
	const struct failure_options *failure = &run->command->report.failure;

	if (run->command->no_experiments || run->pair.reduced.end == REDUCE_NO_FAILURE)
		return false;
	return !run->command->check || failure->expect || failure->expect_text || failure->test;
}

static struct hence_error *try_causes(struct tree_run *run)
{
	const struct angelic_options options = {
		.trials = &run->pair.failure.reduce.trials,
		.stop = is_over,
		.progress = show,
		.context = run,
	};
	struct angelic_counts counts = {0};
	struct hence_error *error = angelic_check(
		run->pair.failing.pool, &run->pair.failing.recording, &run->pair.failing.result,
		&run->pair.reduced.oracle, &options, &run->tree, &counts);

	if (error)
		return error;
	run->counts.experiments += counts.experiments;
	run->counts.passed += counts.passed;
	run->counts.proven += counts.proven;
	run->counts.stopped |= counts.stopped;
	return NULL;
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

	if (!run->experiments && run->command->check && !run->command->no_experiments)
		*vec_push(&report->notes) = mem_strdup(
			"no experiments were made: whether the condition holds in "
			"another run cannot be seen from outside; say what is right with "
			"--expect or --test");
	if (run->counts.stopped)
		*vec_push(&report->notes) = mem_strdup(
			"the time was up before all causes were tried; give more with --time");
}

static void make_report(struct tree_run *run)
{
	struct explanation e = {0};

	cause_tree_deinit(&run->report);
	tree_report(&run->tree, &run->counts, run->sources, &run->report);
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
}

struct hence_error *tree_run_expand(struct tree_run *run, uint32_t number)
{
	double time = run->command->report.failure.time;
	struct hence_error *error;

	run->until = time > 0 ? progress_clock() + time : 0;
	progress_begin(&run->pair.search.progress);
	tree_expand(&run->tree, number - 1);
	error = tree_describe(&run->tree);
	if (!error && run->experiments)
		error = try_causes(run);
	progress_end(&run->pair.search.progress);
	error = forgive(run, error);
	make_report(run);
	return error;
}

/* --- the whole --- */

static struct hence_error *find(struct tree_run *run)
{
	double left = run->pair.search.until - progress_clock();
	struct hence_error *error;

	run->experiments = can_judge(run);
	if (run->pair.search.until > 0)
		run->until = progress_clock() + left * (run->experiments ? SHARE : 1);
	progress_begin(&run->pair.search.progress);
	error = forgive(run, build(run));
	run->until = run->pair.search.until;
	if (!error && run->built && run->experiments && !is_over(run))
		error = forgive(run, try_causes(run));
	progress_end(&run->pair.search.progress);
	if (!error)
		error = explain_sources_create(&run->pair.failing.recording, &run->sources);
	return error;
}

/* Is something proven, or where nothing can be, is there a cause at all? */
static int exit_code(const struct tree_run *run)
{
	const struct cause_tree *t = &run->report;

	if (run->experiments)
		return t->stats.proven ? CLI_DONE : CLI_NOT_PROVEN;
	return t->nodes.size && t->nodes.at[0].statements.size ? CLI_DONE : CLI_NOT_PROVEN;
}

static struct hence_error *tell(struct tree_run *run, int *code)
{
	struct hence_error *error = NULL;

	make_report(run);
	*code = exit_code(run);
	if (run->command->smt)
		error = tree_write_smt(run->command, &run->tree);
	if (error)
		return error;
	return run->command->interactive ? tree_talk(run, code) : tree_print(run, 0);
}

static struct hence_error *search(struct tree_run *run, int *code)
{
	struct hence_error *error = pair_find(&run->pair, code);

	if (error || *code)
		return error;
	if (run->pair.has_failing)
		error = find(run);
	if (!error && run->built)
		return tell(run, code);
	if (!error) {
		fprintf(stderr, "hence: the time was up before a cause was found; give more with "
		                "--time\n");
		*code = CLI_NOT_PROVEN;
	}
	return error;
}

static void deinit(struct tree_run *run)
{
	cause_tree_deinit(&run->report);
	explain_sources_destroy(run->sources);
	if (run->built)
		tree_deinit(&run->tree);
	str_deinit(&run->expected);
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
