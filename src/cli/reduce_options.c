/* The command line of `hence reduce`. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/reduce.h"

enum when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER };

struct reading {
	struct reduce_command command;
	enum when color;
};

static struct hence_error *take_word(struct words *words, const char *name,
                                     const char *const *known, int count, int *out)
{
	const char *text;
	struct hence_error *error = words_value(words, name, &text);
	struct str list = STR_INIT;

	if (error)
		return error;
	for (int i = 0; i < count; i++) {
		if (!strcmp(text, known[i])) {
			*out = i;
			str_deinit(&list);
			return NULL;
		}
		str_printf(&list, "%s%s", i ? i + 1 < count ? ", " : " or " : "", known[i]);
	}
	error = error_create(HENCE_ERROR_INPUT, "%s %s: give %s", name, text, str_text(&list));
	str_deinit(&list);
	return error;
}

static struct hence_error *take_format(struct reading *reading, struct words *words)
{
	static const char *const known[] = {"text", "json"};
	int chosen = 0;
	struct hence_error *error = take_word(words, "--format", known, 2, &chosen);

	if (!error)
		reading->command.json = chosen == 1;
	return error;
}

static struct hence_error *take_color(struct reading *reading, struct words *words)
{
	static const char *const known[] = {"auto", "always", "never"};
	int chosen = 0;
	struct hence_error *error;

	/* Without a value it is on. */
	if (!words->value) {
		reading->color = WHEN_ALWAYS;
		return NULL;
	}
	error = take_word(words, "--color", known, 3, &chosen);
	if (!error)
		reading->color = (enum when)chosen;
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
		return take_color(reading, words);
	if (!strcmp(name, "--json"))
		reading->command.json = true;
	else if (!strcmp(name, "-h") || !strcmp(name, "--help"))
		reading->command.help = true;
	else
		return unknown(words, name);
	return NULL;
}

static bool choose_color(enum when when)
{
	const char *none = getenv("NO_COLOR");

	if (when != WHEN_AUTO)
		return when == WHEN_ALWAYS;
	return isatty(1) && !(none && *none);
}

struct hence_error *reduce_command_parse(int argc, char **argv, struct reduce_command *out)
{
	struct reading reading = {.color = WHEN_AUTO};
	struct words words = {argv + 1, NULL, "reduce"};
	struct hence_error *error = words_read(&words, take, &reading);

	if (!error && !*words.at && !reading.command.help)
		error = words_no_program(&words);
	if (!error)
		error = failure_options_check(&reading.command.failure);
	reading.command.failure.command = words.at;
	reading.command.color = choose_color(reading.color);
	if (error)
		failure_options_deinit(&reading.command.failure);
	else
		*out = reading.command;
	return error;
}
