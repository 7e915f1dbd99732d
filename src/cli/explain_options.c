/* The command line of `hence explain` and of the commands of single methods: see explain.h. */
#include <string.h>

#include "cli/explain.h"

const char explain_options_help[] =
	"  --no-reduce         explain the input as it is; only what it is compared with is\n"
	"                      searched for\n";

static const char *const own_names[] = {"--no-reduce", "--all-points"};

static struct hence_error *take(void *context, struct words *words, const char *name)
{
	struct explain_command *c = context;
	struct hence_error *error = NULL;

	if (report_options_take(&c->report, words, name, &error))
		return error;
	if (!strcmp(name, "--no-reduce"))
		c->as_given = true;
	else if (!strcmp(name, "--all-points") && c->has_points)
		c->all_points = true;
	else
		return report_options_unknown(words, name, own_names, c->has_points ? 2 : 1);
	return NULL;
}

static bool is_source(const char *word)
{
	size_t length = strlen(word);

	return length > 2 && !strcmp(word + length - 2, ".c");
}

/* 'prog.c -lm -- ARGS' instead of a command. */
static void take_sources(struct explain_command *c, char **words)
{
	uint32_t count = 0;

	while (words[count] && strcmp(words[count], "--"))
		count++;
	c->sources = words;
	c->source_count = count;
	c->report.failure.command = words + count + (words[count] != NULL);
}

struct hence_error *explain_command_parse(int argc, char **argv, const char *name,
                                          struct explain_command *out)
{
	struct explain_command c = {
		.report = {.run = {.tape_limit = RUN_TAPE_LIMIT, .time = RUN_TIME},
	                   .failure.fixed = true},
		.has_points = !strcmp(name, "transitions")};
	struct words words = {argv + 1, NULL, name};
	struct hence_error *error = words_read(&words, take, &c);

	if (error)
		report_options_deinit(&c.report);
	else
		error = report_options_check(&c.report, &words);
	if (error)
		return error;
	c.report.failure.command = words.at;
	if (*words.at && is_source(*words.at) && strcmp(words.at[-1], "--"))
		take_sources(&c, words.at);
	c.coloured = words_use_color(c.report.color, c.report.out);
	*out = c;
	return NULL;
}

void explain_command_deinit(struct explain_command *command)
{
	report_options_deinit(&command->report);
}
