/* `hence fix`: small changes of the code with which a failing program passes. */
#include "cli/explain.h"
#include "explain/fixes.h"
#include "explain/rank_suite.h"
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/record.h"
#include "report/explanation_words.h"
#include "spectra/spectra.h"

/* --- the patch --- */

static bool is_standard_output(const struct explain_command *command)
{
	return command->patch && !strcmp(command->patch, "-");
}

/* 'hence: TEXT: WHY', where it is known why. */
static void say(const char *text, const char *why)
{
	struct str safe GUARD(str_deinit) = STR_INIT;

	if (why) {
		str_add(&safe, ": ");
		explanation_add_safe(&safe, why);
	}
	fprintf(stderr, "hence: %s%s\n", text, str_text(&safe));
}

/* Writes the best change that can be made in the source. If there is none, *code says so. */
static struct hence_error *write_patch(const struct explain_command *command,
                                       const struct explanation *e, int *code)
{
	const char *path = is_standard_output(command) ? NULL : command->patch;
	struct hence_error *error;
	uint32_t best = 0;
	FILE *file;

	while (best < e->fixes.size && !e->fixes.at[best].patch)
		best++;
	if (best == e->fixes.size) {
		say(best ? "no patch is written: no change can be made in the source"
		         : "no patch is written: no change was found",
		    best ? e->fixes.at[0].no_patch : NULL);
		*code = CLI_NOT_PROVEN;
		return NULL;
	}
	if (best) {
		char *text = str_format("the patch is that of change %u, since better ones cannot "
		                        "be made in the source",
		                        best + 1);

		say(text, e->fixes.at[0].no_patch);
		free(text);
	}
	error = record_open_option(path, "--patch", &file);
	if (error)
		return error;
	fputs(e->fixes.at[best].patch, file);
	return record_close_option(path, "--patch", file);
}

/* --- the whole --- */

static struct hence_error *perform(const struct explain_command *given, int *code)
{
	struct explain_command timed = *given, *command = &timed;
	const struct report_options *report = &command->report;
	struct explanation e = {0};
	struct spectra spectra = {0};
	struct refused refused GUARD(refused_deinit) = {0};
	struct hence_error *error;
	uint32_t missed = 0;

	explain_command_ready(&timed);
	timed.question.started = budget_clock();
	timed.question.spectra = &spectra;
	error = explain_find_spectra(&timed.question, &spectra, &missed);
	if (!error)
		error = fixes_find(&timed.question, &e, &refused);
	*code = cli_refused(&refused);
	if (!error && e.verdict)
		*code = e.fixes.size ? CLI_DONE : CLI_NOT_PROVEN;
	spectra_deinit(&spectra);
	if (!error && e.verdict) {
		e.fixes_only = true;
		explanation_settle(&e);
		/* A patch on standard output is for another program: the report goes to files only. */
		if (!is_standard_output(command) || report->out)
			error = explain_print(command, &e);
		else if (report->save)
			error = explain_save(report->save, &e);
		if (!error && command->patch)
			error = write_patch(command, &e, code);
	}
	explanation_deinit(&e);
	return error;
}

static struct hence_error *fix(struct options *options, int *code)
{
	struct explain_command command;
	struct explain_compiled compiled = {0};
	struct hence_error *error = explain_command_fill(options, EXPLAIN_FIX, &command);

	if (!error) {
		/* Before any work: can all be written that is to be? */
		error = run_check_output(command.report.out, "-o", false);
		if (!error)
			error = run_check_output(command.report.save, "--save", false);
		if (!error && !is_standard_output(&command))
			error = run_check_output(command.patch, "--patch", false);
	}
	if (!error && command.report.sources)
		error = explain_compile(&command.report, false, &compiled, code);
	if (!error && !*code)
		error = perform(&command, code);
	explain_compiled_deinit(&compiled);
	return error;
}

const struct command command_fix = {
	.name = "fix",
	.bit = COMMAND_FIX,
	.formats = REPORT_ALL & ~(1u << REPORT_DOT),
	.usage = "hence fix [OPTIONS] -- PROGRAM ARGS...\n"
		 "hence fix [OPTIONS] FILE.c ... [-- ARGS...]",
	.summary = "find small changes of the code with which a failing program passes",
	.about = "Looks for small changes of the code with which the failing run passes and runs "
		 "that pass stay as they are, and shows them, best first. Each was tried by "
		 "running the changed program; that it passes does not mean that it is right, and "
		 "the more runs there are (--pass, --tests) the more it means. The program must "
		 "have been built with hence cc; sources are compiled first, with the options that "
		 "stand among them. It runs confined, so no file of yours is changed.",
	.run = fix,
};
