/* The command line of `hence chop`. */
#include <string.h>

#include "cli/chop.h"

static const char *const own_names[] = {"--relevant", "--isolate", "--no-reduce"};

static struct hence_error *take(void *context, struct words *words, const char *name)
{
	struct chop_command *c = context;
	struct hence_error *error = NULL;

	if (report_options_take(&c->report, words, name, &error))
		return error;
	if (!strcmp(name, "--relevant"))
		c->relevant = true;
	else if (!strcmp(name, "--isolate"))
		c->isolate = true;
	else if (!strcmp(name, "--no-reduce"))
		c->as_given = true;
	else
		return report_options_unknown(words, name, own_names,
		                              sizeof(own_names) / sizeof(*own_names));
	return NULL;
}

struct hence_error *chop_command_parse(int argc, char **argv, struct chop_command *out)
{
	struct chop_command c = {
		.report = {.formats = REPORT_LISTS,
	                   .run = {.tape_limit = RUN_TAPE_LIMIT, .time = RUN_TIME}}};
	struct words words = {argv + 1, NULL, "chop"};
	struct hence_error *error = words_read(&words, take, &c);

	error = report_options_check(&c.report, &words, error);
	if (error)
		return error;
	c.report.failure.command = c.report.run.command = words.at;
	c.coloured = words_use_color(c.report.color, c.report.out);
	*out = c;
	return NULL;
}

void chop_command_deinit(struct chop_command *command)
{
	report_options_deinit(&command->report);
}
