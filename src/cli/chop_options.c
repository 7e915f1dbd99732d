/* The command line of `hence chop`. */
#include <string.h>

#include "cli/chop.h"
#include "cli/words.h"

static const char *const own_names[] = {"--relevant", "--isolate", "--no-reduce",  "--format",
                                        "--json",     "--color",   "--tape-limit", "--models"};

#define OWN_NAMES (sizeof(own_names) / sizeof(*own_names))

struct reading {
	struct chop_command command;
	enum words_when color;
};

static struct hence_error *take_format(struct words *words, struct chop_command *c)
{
	static const char *const known[] = {"text", "gcc", "json"};
	int chosen = 0;
	struct hence_error *error = words_choice(words, "--format", known, 3, &chosen);

	if (!error)
		c->format = (enum chop_format)chosen;
	return error;
}

static struct hence_error *take(void *context, struct words *words, const char *name)
{
	struct reading *reading = context;
	struct chop_command *c = &reading->command;
	const char *names[FAILURE_OPTION_NAMES + OWN_NAMES];
	struct hence_error *error = NULL;

	if (failure_options_take(&c->failure, words, name, &error))
		return error;
	if (!strcmp(name, "--models") || !strcmp(name, "--tape-limit")) {
		run_options_take(&c->run, words, name, &error);
		return error;
	}
	if (!strcmp(name, "-o") || !strcmp(name, "--output"))
		return words_value(words, name, &c->out);
	if (!strcmp(name, "--format"))
		return take_format(words, c);
	if (!strcmp(name, "--color"))
		return words_color(words, &reading->color);
	if (!strcmp(name, "--json"))
		c->format = CHOP_JSON;
	else if (!strcmp(name, "--relevant"))
		c->relevant = true;
	else if (!strcmp(name, "--isolate"))
		c->isolate = true;
	else if (!strcmp(name, "--no-reduce"))
		c->as_given = true;
	else if (!strcmp(name, "-h") || !strcmp(name, "--help"))
		c->help = true;
	else {
		memcpy(names, own_names, sizeof(own_names));
		return words_unknown(words, name, names, failure_options_names(names, OWN_NAMES));
	}
	return NULL;
}

struct hence_error *chop_command_parse(int argc, char **argv, struct chop_command *out)
{
	struct reading reading = {.command.run = {.tape_limit = RUN_TAPE_LIMIT, .time = RUN_TIME}};
	struct words words = {argv + 1, NULL, "chop"};
	struct hence_error *error = words_read(&words, take, &reading);

	if (!error && !*words.at && !reading.command.help)
		error = words_no_program(&words);
	if (!error)
		error = failure_options_check(&reading.command.failure);
	if (error) {
		chop_command_deinit(&reading.command);
		return error;
	}
	reading.command.failure.command = reading.command.run.command = words.at;
	reading.command.coloured = words_use_color(reading.color, reading.command.out);
	*out = reading.command;
	return NULL;
}

void chop_command_deinit(struct chop_command *command)
{
	failure_options_deinit(&command->failure);
	run_options_deinit(&command->run);
}
