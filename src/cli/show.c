/* `hence show`: prints a saved report again, in any format. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/record.h"
#include "cli/tree.h"
#include "report/saved.h"

static const char help[] =
	"hence show [OPTIONS] REPORT\n"
	"\n"
	"Prints a report that was saved with --save FILE or --json again, in any format. Nothing "
	"is\n"
	"run, and neither the program nor its source is needed. REPORT is a file, or - for "
	"standard\n"
	"input; reports of explain, fix, transitions, chain, compare and tree are shown.\n"
	"\n";

static const char *const names[] = {"--format", "--json", "--color", "--full", "--output"};

static struct hence_error *take(void *context, struct words *words, const char *name)
{
	struct hence_error *error = NULL;

	if (report_options_take_output(context, words, name, &error))
		return error;
	return words_unknown(words, name, names, sizeof(names) / sizeof(*names));
}

/* The one word behind the options, unless it is help that is wanted. */
static struct hence_error *parse(char **argv, struct report_options *out, const char **path)
{
	struct words words = {argv + 1, NULL, "show"};
	struct hence_error *error = words_read(&words, take, out);

	if (error || out->help)
		return error;
	if (!*words.at)
		return error_create(HENCE_ERROR_INPUT,
		                    "no report given; use 'hence show [OPTIONS] REPORT', or - for "
		                    "standard input");
	*path = *words.at++;
	if (*words.at)
		return error_create(HENCE_ERROR_INPUT,
		                    "hence show takes one report; what is %s? Options come before "
		                    "the report",
		                    *words.at);
	report_options_choose_format(out);
	return run_check_output(out->out, "-o", false);
}

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
		return error_create(
			HENCE_ERROR_INPUT,
			"%s is a report of 'hence tree', which can be shown as text, json, "
			"dot or gcc, not as %s",
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

static struct hence_error *show(const char *path, const struct report_options *options)
{
	struct saved saved;
	struct hence_error *error = saved_read(path, &saved);

	if (error)
		return error;
	error = saved_check_kind(&saved);
	if (!error)
		error = saved_is_tree(&saved) ? show_tree(&saved, options)
		                              : show_explanation(&saved, options);
	saved_deinit(&saved);
	return error;
}

int command_show(int argc, char **argv)
{
	struct report_options options = {.formats = REPORT_ALL, .saves = true};
	const char *path = NULL;
	struct hence_error *error = parse(argv, &options, &path);

	if (!error && options.help)
		printf("%s%s", help, report_output_help);
	else if (!error)
		error = show(path, &options);
	return error ? cli_fail(error) : CLI_DONE;
}
