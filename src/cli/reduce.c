/* `hence reduce`: the smallest input that still fails, or the smallest difference to one that does
   not. */
#include "cli/reduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cli/commands.h"
#include "cli/search.h"

#define NOT_PROVEN 3 /* exit code: see design.md */

static const char help[] =
	"hence reduce [OPTIONS] -- PROGRAM ARGS...\n"
	"\n"
	"Finds the smallest input with which a program still fails in the same way; with an input\n"
	"that passes, the smallest difference between the two. Any program will do, also one that\n"
	"was not built with hence cc. No file of yours is changed: the program runs confined.\n"
	"\n"
	"  -o FILE             write the reduced input to FILE (a directory for several parts)\n"
	"  --format text|json  how the result is shown; --json for short\n"
	"  --color[=WHEN]      auto, always or never\n";

/* What happens during the search; `search` comes first, so that its callbacks find it. */
struct reducing {
	struct search search;
	struct reduce_output output;
	struct hence_error *problem; /* the output could not be written */
};

static void better(void *context, const struct input *failing)
{
	struct reducing *reducing = context;

	if (!reducing->problem)
		reducing->problem = reduce_output_write(&reducing->output, failing, false);
}

/* An output that cannot be written ends the search. */
static bool stop(void *context)
{
	struct reducing *reducing = context;

	return reducing->problem;
}

static void print(const struct reduce_report *report)
{
	struct str text = STR_INIT;

	if (report->command->json)
		reduce_report_json(report, &text);
	else
		reduce_report_text(report, &text);
	fwrite(str_text(&text), 1, text.length, stdout);
	str_deinit(&text);
}

/* People who give only the command mean what is in its files. */
static void hint_at_files(const struct failure_options *options)
{
	struct stat info;

	if (failure_options_name_input(options))
		return;
	for (char **word = options->command + 1; *word; word++)
		if (!stat(*word, &info) && S_ISREG(info.st_mode)) {
			fprintf(stderr,
			        "hence: the argument %s is a file, which was not varied; to reduce "
			        "it, "
			        "say --file %s\n",
			        *word, *word);
			return;
		}
}

static struct hence_error *finish(const struct reduce_report *report, struct reducing *reducing,
                                  int *code)
{
	const struct reduce_result *result = report->result;
	struct hence_error *error;

	if (result->end != REDUCE_DONE && result->end != REDUCE_STOPPED) {
		*code = search_refuse(&report->command->failure, result);
		return NULL;
	}
	error = reduce_output_write(&reducing->output, &result->failing, true);
	hint_at_files(&report->command->failure);
	print(report);
	*code = result->end == REDUCE_DONE ? 0 : NOT_PROVEN;
	return error;
}

static struct hence_error *perform(const struct reduce_command *command,
                                   struct failure_case *failure, int *code)
{
	struct reducing reducing = {.search.stop = stop};
	struct reduce_result result = {0};
	struct reduce_report report = {command, &result, &reducing.output};
	struct hence_error *error, *later = NULL;
	bool found = false;

	error = failure_case_read(&command->failure, failure);
	if (!error)
		error = reduce_output_open(command, &failure->input, &reducing.output);
	if (error)
		return error;
	reducing.search.context = &reducing;
	failure->reduce.better = better;
	search_begin(&reducing.search, &command->failure, &failure->reduce);
	error = reduce_run(&failure->reduce, &result, &found);
	search_end(&reducing.search, &result);
	/* What was found is told in any case. */
	if (!error || found)
		later = finish(&report, &reducing, code);
	reduce_result_deinit(&result);
	error_destroy(reducing.problem);
	if (!error)
		return later;
	error_destroy(later);
	return error;
}

int command_reduce(int argc, char **argv)
{
	struct reduce_command command;
	struct failure_case failure = {0};
	struct hence_error *error = reduce_command_parse(argc, argv, &command);
	int code = 0;

	if (error)
		return cli_fail(error);
	if (command.help)
		printf("%s%s", help, failure_options_help);
	else
		error = perform(&command, &failure, &code);
	failure_case_deinit(&failure);
	failure_options_deinit(&command.failure);
	return error ? cli_fail(error) : code;
}
