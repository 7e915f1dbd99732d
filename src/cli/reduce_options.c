/* The command line of `hence reduce`. */
#include <stdlib.h>
#include <string.h>

#include "cli/reduce.h"

struct reading {
	struct reduce_command command;
	enum words_when color;
};

static struct hence_error *take_format(struct reading *reading, struct words *words)
{
	static const char *const known[] = {"text", "json"};
	int chosen = 0;
	struct hence_error *error = words_choice(words, "--format", known, 2, &chosen);

	if (!error)
		reading->command.json = chosen == 1;
	return error;
}

static struct hence_error *unknown(const struct words *words, const char *name)
{
	const char *names[FAILURE_OPTION_NAMES + 4] = {"--output", "--json", "--format", "--color"};

	return words_unknown(words, name, names, failure_options_names(names, 4));
}

static struct hence_error *take(void *context, struct words *words, const char *name)
{
	struct reading *reading = context;
	struct hence_error *error = NULL;

	if (failure_options_take(&reading->command.failure, words, name, &error))
		return error;
	if (!strcmp(name, "-o") || !strcmp(name, "--output"))
		return words_value(words, name, &reading->command.output);
	if (!strcmp(name, "--format"))
		return take_format(reading, words);
	if (!strcmp(name, "--color"))
		return words_color(words, &reading->color);
	if (!strcmp(name, "--json"))
		reading->command.json = true;
	else if (!strcmp(name, "-h") || !strcmp(name, "--help"))
		reading->command.help = true;
	else
		return unknown(words, name);
	return NULL;
}

struct hence_error *reduce_command_parse(int argc, char **argv, struct reduce_command *out)
{
	struct reading reading = {.color = WORDS_AUTO};
	struct words words = {argv + 1, NULL, "reduce"};
	struct hence_error *error = words_read(&words, take, &reading);

	if (!error && !*words.at && !reading.command.help)
		error = words_no_program(&words);
	if (!error)
		error = failure_options_check(&reading.command.failure);
	reading.command.failure.command = words.at;
	reading.command.color = words_use_color(reading.color, NULL);
	if (error)
		failure_options_deinit(&reading.command.failure);
	else
		*out = reading.command;
	return error;
}
