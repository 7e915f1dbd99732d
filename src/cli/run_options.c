/* The command line of `hence run`. */
#include <stdlib.h>
#include <string.h>

#include "cli/run.h"
#include "cli/words.h"

static struct hence_error *take_models(struct words *words, struct run_options *options)
{
	const char *file;
	struct hence_error *error = words_value(words, "--models", &file);

	if (!error)
		*vec_push(&options->models) = (char *)file;
	return error;
}

static struct hence_error *unknown(const struct words *words, const char *name)
{
	static const char *const names[] = {
		"--save",    "--account",    "--timeout", "--models", "--check-repeat", "--stdin",
		"--no-walk", "--tape-limit", "--verbose", "--help",   "--io",           "--time",
	};

	return words_unknown(words, name, names, sizeof(names) / sizeof(*names));
}

bool run_options_take(struct run_options *options, struct words *words, const char *name,
                      struct hence_error **error)
{
	if (!strcmp(name, "--stdin"))
		*error = words_value(words, name, &options->input);
	else if (!strcmp(name, "--timeout"))
		*error = words_seconds(words, name, &options->timeout);
	else if (!strcmp(name, "--time"))
		*error = words_seconds(words, name, &options->time);
	else if (!strcmp(name, "--tape-limit"))
		*error = words_size(words, name, &options->tape_limit);
	else if (!strcmp(name, "--models"))
		*error = take_models(words, options);
	else if (!strcmp(name, "-h") || !strcmp(name, "--help"))
		options->help = true;
	else
		return false;
	return true;
}

static struct hence_error *take(void *context, struct words *words, const char *name)
{
	struct run_options *options = context;
	struct hence_error *error = NULL;

	if (run_options_take(options, words, name, &error))
		return error;
	if (!strcmp(name, "--save"))
		return words_value(words, name, &options->save);
	if (!strcmp(name, "--account"))
		return words_value(words, name, &options->account);
	if (!strcmp(name, "--io"))
		return words_value(words, name, &options->io);
	if (!strcmp(name, "--check-repeat"))
		options->check_repeat = true;
	else if (!strcmp(name, "--no-walk"))
		options->no_walk = true;
	else if (!strcmp(name, "-v") || !strcmp(name, "--verbose"))
		options->verbose = true;
	else
		return unknown(words, name);
	return NULL;
}

struct hence_error *run_options_parse(int argc, char **argv, struct run_options *out)
{
	struct run_options options = {.tape_limit = RUN_TAPE_LIMIT, .time = RUN_TIME};
	struct words words = {argv + 1, NULL, "run"};
	struct hence_error *error = words_read(&words, take, &options);

	if (!error && !*words.at && !options.help)
		error = words_no_program(&words);
	if (!error && options.io && options.no_walk)
		error = error_create(HENCE_ERROR_INPUT, "--io needs the walk; leave out --no-walk");
	options.command = words.at;
	if (error)
		run_options_deinit(&options);
	else
		*out = options;
	return error;
}

void run_options_deinit(struct run_options *options)
{
	vec_deinit(&options->models);
}
