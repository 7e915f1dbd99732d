/* From a command line to a printed explanation: see explain.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "causes/chain.h"
#include "causes/explain.h"
#include "cli/commands.h"
#include "cli/explain.h"
#include "cli/pair.h"
#include "cli/record.h"

#define NARROWEST 60u
#define WIDEST    120u

/* All that is made on the way. */
struct work {
	const struct explain_command *command;
	struct pair pair;
	struct explain_sources *sources;
	struct symptom symptom;
	bool has_symptom;
	struct transitions transitions;
	bool has_transitions;
	struct causes chain;
	bool has_chain;
	struct explanation explanation;
};

static void note(struct work *w, char *text)
{
	*vec_push(&w->explanation.notes) = text;
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
	const struct symptom_run failing = {&w->pair.failing.recording, &w->pair.failing.result};
	const struct symptom_run reference = {&w->pair.reference.recording,
	                                      &w->pair.reference.result};
	const struct transitions_options options = {
		.failing_pool = w->pair.failing.pool,
		.reference_pool = w->pair.reference.pool,
		.workers = (uint32_t)w->pair.options->jobs,
		.stop = pair_is_over,
		.progress = show,
		.context = &w->pair,
		.all_points = w->command->all_points,
	};
	struct hence_error *error;

	progress_begin(&w->pair.search.progress);
	error = transitions_find(&failing, &reference, &w->pair.alignment, &w->symptom, &options,
	                         &w->transitions);
	progress_end(&w->pair.search.progress);
	w->has_transitions = !error;
	return error;
}

static struct hence_error *find_chain(struct work *w)
{
	const struct symptom_run failing = {&w->pair.failing.recording, &w->pair.failing.result};
	const struct symptom_run reference = {&w->pair.reference.recording,
	                                      &w->pair.reference.result};
	const struct chain_options options = {
		.failing_pool = w->pair.failing.pool,
		.reference_pool = w->pair.reference.pool,
		.workers = (uint32_t)w->pair.options->jobs,
		.algorithm = w->command->hierarchical ? BACKWARD_HIERARCHICAL : BACKWARD_DEPENDENCE,
		.stop = pair_is_over,
		.progress = show,
		.context = &w->pair,
	};
	struct hence_error *error;

	progress_begin(&w->pair.search.progress);
	error = chain_find(&failing, &reference, &w->pair.alignment, &w->symptom, &options,
	                   &w->chain);
	progress_end(&w->pair.search.progress);
	w->has_chain = !error;
	return error;
}

/* What went wrong in a method is told; what else is known, too. */
static void tell(struct work *w, const char *what, struct hence_error *error)
{
	if (error && !pair_is_over(&w->pair))
		note(w, str_format("%s: %s", what, error->message));
	error_destroy(error);
}

static void compare(struct work *w)
{
	const struct symptom_run failing = {&w->pair.failing.recording, &w->pair.failing.result};
	const struct symptom_run reference = {&w->pair.reference.recording,
	                                      &w->pair.reference.result};
	struct hence_error *error = symptom_find(&failing, &reference, &w->pair.alignment,
	                                         &w->pair.reduced.oracle, &w->symptom);

	w->has_symptom = !error;
	if (error) {
		tell(w, "the failure cannot be compared with the reference", error);
		return;
	}
	if (w->command->method == EXPLAIN_CHAIN)
		tell(w, "the chain", find_chain(w));
	else
		tell(w, "cause transitions", find_transitions(w));
}

/* --- the explanation --- */

static void find_sources(struct work *w)
{
	if (w->pair.has_failing)
		tell(w, "the source",
		     explain_sources_create(&w->pair.failing.recording, &w->sources));
}

/* What else the user could do. */
static char *hint(const struct work *w)
{
	char *command = pair_command_text(&w->pair, &w->pair.reduced.given);
	char *text = str_format(
		"What may help: %s with --pass 'ARGS' or --pass-stdin FILE; or 'hence chop "
		"... -- %s', which shows the code between the input and the "
		"failure and needs no other run.",
		w->pair.reduced.has_passing ? "another input that passes, nearer to "
					      "the failing one,"
					    : "an input that passes,",
		command);

	free(command);
	return text;
}

/* Was something left out because the time was over? */
static bool is_cut(const struct work *w)
{
	if (w->has_chain)
		return w->chain.stopped || w->pair.alignment.stopped;
	if (w->has_transitions)
		return w->transitions.found.stopped || w->pair.alignment.stopped;
	return search_is_over(&w->pair.search);
}

/* Does nobody know whether the reference is right? --expect is about the failing input only, so of one that was
   found it is known only that it does not put out the same wrong line. */
static bool is_doubtful(const struct work *w)
{
	const struct pair *p = &w->pair;
	const struct str *output = &p->reference.result.output;
	const struct str *expected = &p->failure.expected;

	if (!p->has_reference || p->reduced.chosen >= 0)
		return false;
	return (p->options->expect || p->options->expect_text) &&
	       (output->length != expected->length ||
	        memcmp(str_text(output), str_text(expected), expected->length));
}

static void assemble(struct work *w)
{
	struct explanation *e = &w->explanation;

	pair_describe(&w->pair, e);
	explain_failure(&w->pair.reduced.oracle, w->sources, e);
	explain_add_transitions(&w->transitions, w->sources, e);
	explain_add_causes(&w->chain, "chain", w->sources, e);
	if (w->has_symptom)
		explain_add_symptom(&w->symptom, &w->pair.reduced.oracle, w->sources, e);
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

/* --- printing --- */

static unsigned width(const struct explain_command *command)
{
	struct winsize size;

	if (command->report.out || ioctl(1, TIOCGWINSZ, &size) || size.ws_col < NARROWEST)
		return 0;
	return size.ws_col < WIDEST ? size.ws_col : WIDEST;
}

static struct hence_error *print(struct work *w)
{
	const struct explanation_style style = {w->command->coloured, width(w->command)};
	struct hence_error *error;
	FILE *file;

	error = record_open(w->command->report.out, &file);
	if (error)
		return error;
	switch (w->command->report.format) {
	case REPORT_TEXT: explanation_print_text(&w->explanation, &style, file); break;
	case REPORT_JSON: explanation_print_json(&w->explanation, file); break;
	case REPORT_GCC: explanation_print_gcc(&w->explanation, file); break;
	}
	return record_close(w->command->report.out, file);
}

/* --- the whole --- */

static struct hence_error *perform(struct work *w, int *code)
{
	struct hence_error *error = run_check_output(w->command->report.out, "-o", false);

	search_catch_signals();
	if (!error)
		error = pair_find(&w->pair, code);
	if (error || *code)
		return error;
	find_sources(w);
	if (w->pair.is_aligned)
		compare(w);
	assemble(w);
	*code = strcmp(w->explanation.verdict, "explained") ? CLI_NOT_PROVEN : CLI_DONE;
	return print(w);
}

static void deinit(struct work *w)
{
	explanation_deinit(&w->explanation);
	transitions_deinit(&w->transitions);
	causes_deinit(&w->chain);
	if (w->has_symptom)
		symptom_deinit(&w->symptom);
	explain_sources_destroy(w->sources);
	pair_deinit(&w->pair);
}

struct hence_error *explain_perform(const struct explain_command *command, int *code)
{
	char *words[] = {NULL, NULL};
	struct work w = {.command = command,
	                 .pair = {.options = &command->report.failure,
	                          .as_given = command->as_given,
	                          .run_options = command->report.run,
	                          .run = {.input = -1, .output = -1}}};
	struct hence_error *error;

	words[0] = (char *)pair_program(&w.pair);
	w.pair.run_options.command = words;
	w.pair.run.options = &w.pair.run_options;
	error = perform(&w, code);
	deinit(&w);
	return error;
}
