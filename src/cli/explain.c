/* `hence explain`: why a program failed; and what the commands of single methods share. */
#include "cli/explain.h"

#include <stdio.h>
#include <string.h>

#include "base/guard.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/record.h"
#include "explain/fixes.h"
#include "explain/rank_suite.h"
#include "explain/suspects.h"

/* A dual slice is no explanation. */
static struct hence_error *check_slice(const struct explain_command *c)
{
	if (!c->dual_slice)
		return NULL;
	if (c->report.save)
		return error_create(HENCE_ERROR_INPUT,
		                    "--save is about explanations, and --dual-slice makes none; "
		                    "use --json -o FILE");
	if (c->report.format == REPORT_TEXT || c->report.format == REPORT_JSON)
		return NULL;
	return error_create(HENCE_ERROR_INPUT, "a dual slice is printed as text or json, not as %s",
	                    explanation_formats[c->report.format].name);
}

/* It is a file of its own. */
static struct hence_error *check_patch(const struct explain_command *c)
{
	const struct report_options *r = &c->report;

	if (!c->patch ||
	    ((!r->out || strcmp(r->out, c->patch)) && (!r->save || strcmp(r->save, c->patch))))
		return NULL;
	return error_create(HENCE_ERROR_INPUT, "--patch and %s are the same file, %s; give two",
	                    r->out && !strcmp(r->out, c->patch) ? "-o" : "--save", c->patch);
}

struct hence_error *explain_command_fill(struct options *o, enum explain_method method,
                                         struct explain_command *out)
{
	static const enum explain_method methods[] = {EXPLAIN_ALL, EXPLAIN_COMPARE, EXPLAIN_CHAIN,
	                                              EXPLAIN_TRANSITIONS, EXPLAIN_TREE};
	struct explain_command c = {
		.question = {.method = method == EXPLAIN_ALL ? methods[o->method] : method,
	                     .as_given = o->as_given,
	                     .no_edits = o->no_edits,
	                     .all_points = o->all_points,
	                     .hierarchical = o->algorithm == 1,
	                     .no_rails = o->no_rails,
	                     .exact = o->exact,
	                     .count = o->count,
	                     .tests = o->tests,
	                     .against = o->against},
		.report = o->report,
		.dual_slice = o->dual_slice,
		.patch = o->patch,
		.all_fixes = o->all,
	};
	struct hence_error *error = check_slice(&c);

	if (!error)
		error = check_patch(&c);
	if (error)
		return error;
	c.report.failure.fixed = true;
	c.question.memory =
		c.report.format == REPORT_JSON || c.report.format == REPORT_HTML || c.report.save;
	c.question.sources = c.question.memory || c.report.format == REPORT_SARIF;
	*out = c;
	return NULL;
}

void explain_command_ready(struct explain_command *command)
{
	command->question.failure = &command->report.failure;
	command->question.run = &command->report.run;
	progress_watch(&command->question.search);
}

struct hence_error *explain_ask(const struct explain_command *command, struct explanation *out,
                                int *code)
{
	struct refused refused GUARD(refused_deinit) = {0};
	struct hence_error *error = explain_find(&command->question, out, &refused);

	*code = cli_refused(&refused);
	if (!error && out->verdict)
		*code = out->verdict != EXPLANATION_EXPLAINED ? CLI_NOT_PROVEN : CLI_DONE;
	return error;
}

/* --- printing --- */

struct hence_error *explain_save(const char *path, const struct explanation *explanation)
{
	const struct explanation_style style = {0};
	FILE *file;
	struct hence_error *error = record_open_option(path, "--save", &file);

	if (error)
		return error;
	explanation_print_json(explanation, &style, file);
	return record_close_option(path, "--save", file);
}

struct hence_error *explain_print(const struct explain_command *command,
                                  const struct explanation *explanation)
{
	const struct report_options *report = &command->report;
	struct explanation_style style = report_options_style(report);
	struct hence_error *error = report->save ? explain_save(report->save, explanation) : NULL;
	FILE *file;

	if (!error)
		error = record_open(report->out, &file);
	if (error)
		return error;
	style.all_fixes = command->all_fixes;
	explanation_formats[report->format].print(explanation, &style, file);
	return record_close(report->out, file);
}

/* The same, and prints the report. */
static struct hence_error *explain_perform(const struct explain_command *given, int *code)
{
	struct explain_command timed = *given, *command = &timed;
	struct explain_question *question = &timed.question;
	struct explanation explanation = {0};
	struct spectra spectra = {0};
	uint32_t missed = 0;
	struct hence_error *error = run_check_output(command->report.out, "-o", false);

	if (!error)
		error = run_check_output(command->report.save, "--save", false);
	explain_command_ready(command);
	question->started = budget_clock();
	if (!error && command->dual_slice)
		return compare_print_slice(command, code);
	if (!error)
		error = explain_find_spectra(question, &spectra, &missed);
	question->spectra = &spectra;
	if (!error)
		error = explain_ask(command, &explanation, code);
	if (!error && explanation.verdict && missed)
		*vec_push(&explanation.notes) = str_format(
			"the lines that %u of the tests execute are not known: there was no "
			"time left for %s",
			missed, missed == 1 ? "it" : "them");
	if (!error && explanation.verdict && question->tests && spectra.failed)
		rank_add_spectra(&spectra, SPECTRA_OCHIAI, explanation.program, &explanation);
	spectra_deinit(&spectra);
	if (!error && explanation.verdict) {
		explain_order_fixes(&explanation);
		suspects_cut(&explanation);
		explanation_settle(&explanation);
		error = explain_print(command, &explanation);
	}
	explanation_deinit(&explanation);
	return error;
}

/* --- the commands --- */

struct hence_error *explain_command_run(struct options *options, enum explain_method method,
                                        int *code)
{
	struct explain_command command;
	struct hence_error *error = explain_command_fill(options, method, &command);

	if (error)
		return error;
	if (command.report.sources)
		error = error_create(HENCE_ERROR_INPUT,
		                     "%s is a source file; 'hence explain' compiles sources, this "
		                     "command wants a program",
		                     command.report.sources[0]);
	else if (command.question.against)
		error = chain_statements_read(command.question.against, &command.question.ideal);
	if (!error)
		error = explain_perform(&command, code);
	chain_statements_deinit(&command.question.ideal);
	return error;
}

static struct hence_error *explain(struct options *options, int *code)
{
	struct explain_command command;
	struct explain_compiled compiled = {0};
	struct hence_error *error = explain_command_fill(options, EXPLAIN_ALL, &command);

	if (!error && command.report.sources)
		error = explain_compile(&command.report, false, &compiled, code);
	if (!error && !*code)
		error = explain_perform(&command, code);
	explain_compiled_deinit(&compiled);
	return error;
}

const struct command command_explain = {
	.name = "explain",
	.bit = COMMAND_EXPLAIN,
	.formats = REPORT_ALL,
	.usage = "hence explain [OPTIONS] -- PROGRAM ARGS...\n"
		 "hence explain [OPTIONS] FILE.c ... [-- ARGS...]",
	.summary = "explain why a program failed: a chain of causes, each proven by experiment",
	.about =
		"Explains a failure as a chain of causes from the input to the failure. Each step "
		"names a variable, its value in the failing run and in a run that passes, and is "
		"proven by experiment: the program was run again with just that value changed. The "
		"program must have been built with hence cc; sources are compiled first, with the "
		"options that stand among them. It runs confined, so no file of yours is changed.",
	.run = explain,
};
