/* `hence fix`: small changes of the code with which a failing program passes. */
#include "cli/fix.h"
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/record.h"
#include "report/explanation_words.h"
#include "spectra/spectra.h"

static const char help[] =
	"hence fix [OPTIONS] -- PROGRAM ARGS...\n"
	"hence fix [OPTIONS] FILE.c ... [-- ARGS...]\n"
	"\n"
	"Looks for small changes of the code with which the failing run passes and runs that pass "
	"stay\n"
	"as they are, and shows them, best first. Each was tried by running the changed program; "
	"that\n"
	"it passes does not mean that it is right, and the more runs there are (--pass, --tests) "
	"the\n"
	"more it means. The program must have been built with hence cc; sources are compiled "
	"first,\n"
	"with the options that stand among them. It runs confined, so no file of yours is "
	"changed.\n"
	"\n"
	"  --patch FILE        write the best change as a unified diff of the source; - is "
	"standard\n"
	"                      output, where nothing else is printed then\n"
	"  --all               show all changes, not the best 5\n"
	"  --tests FILE        tests of the program, as of hence rank: changes are tried on them, "
	"too\n"
	"  --save FILE         write the report as JSON as well, for hence show\n";

/* As report_output_help, without graphs. */
static const char output_help[] =
	"  --format FORMAT     text, json (--json for short), sarif (for code review), html (a\n"
	"                      page that needs nothing else), gcc (for editors); else what the\n"
	"                      ending of -o says: .json, .sarif or .html\n"
	"  -o FILE             write to FILE\n"
	"  --full              fold and shorten nothing\n"
	"  --color[=WHEN]      auto, always or never\n";

/* --- the patch --- */

static bool is_standard_output(const struct explain_command *command)
{
	return command->patch && !strcmp(command->patch, "-");
}

/* 'hence: TEXT: WHY', where it is known why. */
static void say(const char *text, const char *why)
{
	struct str safe = STR_INIT;

	if (why) {
		str_add(&safe, ": ");
		explanation_add_safe(&safe, why);
	}
	fprintf(stderr, "hence: %s%s\n", text, str_text(&safe));
	str_deinit(&safe);
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
		char *text =
			str_format("the patch is that of change %u, since better ones cannot be "
		                   "made in the source",
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

/* Before any work: can all be written that is to be? */
static struct hence_error *check_files(const struct explain_command *command)
{
	struct hence_error *error = run_check_output(command->report.out, "-o", false);

	if (!error)
		error = run_check_output(command->report.save, "--save", false);
	if (!error && !is_standard_output(command))
		error = run_check_output(command->patch, "--patch", false);
	return error;
}

static struct hence_error *perform(const struct explain_command *given, int *code)
{
	struct explain_command timed = *given, *command = &timed;
	const struct report_options *report = &command->report;
	struct explanation e = {0};
	struct spectra spectra = {0};
	struct hence_error *error;
	uint32_t missed = 0;

	timed.started = progress_clock();
	timed.spectra = &spectra;
	error = explain_find_spectra(command, &spectra, &missed);
	if (!error)
		error = fix_find(command, &e, code);
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

int command_fix(int argc, char **argv)
{
	struct explain_command command;
	struct explain_compiled compiled = {0};
	struct hence_error *error = explain_command_parse(argc, argv, "fix", &command);
	int code = 0;

	if (error)
		return cli_fail(error);
	if (command.report.help) {
		printf("%s%s%s%s", help, output_help, report_record_help, failure_options_help);
	} else {
		error = check_files(&command);
		if (!error && command.report.sources)
			error = explain_compile(&command.report, false, &compiled, &code);
		if (!error && !code)
			error = perform(&command, &code);
	}
	explain_compiled_deinit(&compiled);
	explain_command_deinit(&command);
	return error ? cli_fail(error) : code;
}
