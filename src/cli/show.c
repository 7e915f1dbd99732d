/* `hence show`: prints a saved report again, in any format. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/record.h"
#include "cli/tree.h"
#include "report/saved.h"

/* --- an explanation --- */

static struct hence_error *show_explanation(const struct saved *saved,
                                            const struct report_options *options)
{
	const struct explanation_style style = report_options_style(options);
	struct explanation e;
	struct hence_error *error = explanation_read_saved(saved, &e);
	FILE *file;

	if (error)
		return error;
	error = record_open(options->out, &file);
	if (!error) {
		explanation_formats[options->format].print(&e, &style, file);
		error = record_close(options->out, file);
	}
	explanation_deinit(&e);
	return error;
}

/* --- a tree --- */

static struct hence_error *show_tree(const struct saved *saved,
                                     const struct report_options *options)
{
	struct explanation kept = {0};
	struct cause_tree tree;
	uint32_t chosen = 0;
	struct hence_error *error = NULL;
	FILE *file;

	if (options->format == REPORT_SARIF || options->format == REPORT_HTML)
		return error_create(HENCE_ERROR_INPUT,
		                    "%s is a report of 'hence tree', which can be shown as text, "
		                    "json, dot or gcc, not as %s",
		                    saved->name, explanation_formats[options->format].name);
	error = cause_tree_read_saved(saved, &kept, &tree, &chosen);
	if (!error) {
		error = record_open(options->out, &file);
		if (!error) {
			tree_print_report(&tree, options, 0, chosen, file);
			error = record_close(options->out, file);
		}
		cause_tree_deinit(&tree);
	}
	explanation_deinit(&kept);
	return error;
}

/* --- the command --- */

static struct hence_error *show(struct options *options, int *code)
{
	struct hence_error *error;
	struct saved saved;

	if (!options->operands.size)
		return error_create(HENCE_ERROR_INPUT,
		                    "no report given; use 'hence show [OPTIONS] REPORT', or - for "
		                    "standard input");
	if (options->operands.size > 1)
		return error_create(HENCE_ERROR_INPUT, "hence show takes one report; what is %s?",
		                    options->operands.at[1]);
	error = run_check_output(options->report.out, "-o", false);
	if (!error)
		error = saved_read(options->operands.at[0], &saved);
	if (error)
		return error;
	error = saved_check_kind(&saved);
	if (!error)
		error = saved_is_tree(&saved) ? show_tree(&saved, &options->report)
		                              : show_explanation(&saved, &options->report);
	saved_deinit(&saved);
	return error;
}

const struct command command_show = {
	.name = "show",
	.bit = COMMAND_SHOW,
	.formats = REPORT_ALL,
	.usage = "hence show [OPTIONS] REPORT",
	.summary = "print a saved report again, in any format",
	.about = "Prints a report that was saved with --save FILE or --json again, in any format. "
		 "Nothing is run, and neither the program nor its source is needed. REPORT is a "
		 "file, or - for standard input; reports of explain, fix, transitions, chain, "
		 "compare and tree are shown.",
	.run = show,
};
