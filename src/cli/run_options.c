/* The command line of `hence run`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/run.h"

#define DEFAULT_LIMIT (8ull << 30)
#define DEFAULT_TIME  30 /* seconds that a person may wait for the account */

/* The arguments that are still to be read. */
struct words {
	char **at;
	const char *value; /* of --option=VALUE; NULL: none */
};

static struct hence_error *take_value(struct words *words, const char *name, const char **out)
{
	if (words->value) {
		*out = words->value;
		words->value = NULL;
		return NULL;
	}
	if (!*words->at || !strcmp(*words->at, "--"))
		return error_create(HENCE_ERROR_INPUT, "%s needs a value; see 'hence run --help'",
		                    name);
	*out = *words->at++;
	return NULL;
}

static struct hence_error *take_seconds(struct words *words, const char *name, double *out)
{
	const char *text;
	struct hence_error *error = take_value(words, name, &text);
	double seconds;
	char *end;

	if (error)
		return error;
	seconds = strtod(text, &end);
	if (end == text || *end || !isfinite(seconds) || seconds <= 0)
		return error_create(HENCE_ERROR_INPUT, "%s %s: give a number of seconds above 0",
		                    name, text);
	*out = seconds;
	return NULL;
}

static struct hence_error *take_size(struct words *words, uint64_t *out)
{
	static const char units[] = "KMGT";
	const char *text, *unit;
	struct hence_error *error = take_value(words, "--tape-limit", &text);
	unsigned long long size;
	int shift = 0;
	char *end;

	if (error)
		return error;
	size = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end & ~0x20) : NULL;
	if (unit) {
		shift = 10 * (int)(unit - units + 1);
		end++;
	}
	if (end == text || *text == '-' || *end || size >= 1ull << (62 - shift) ||
	    size << shift < 1 << 20)
		return error_create(HENCE_ERROR_INPUT,
		                    "--tape-limit %s: give a size of at least 1M, like 500M or 20G",
		                    text);
	*out = (uint64_t)size << shift;
	return NULL;
}

static struct hence_error *take_models(struct words *words, struct run_options *options)
{
	const char *file;
	struct hence_error *error = take_value(words, "--models", &file);

	if (!error)
		*vec_push(&options->models) = (char *)file;
	return error;
}

static struct hence_error *unknown(const char *name)
{
	static const char *const names[] = {
		"--save",    "--account",    "--timeout", "--models", "--check-repeat", "--stdin",
		"--no-walk", "--tape-limit", "--verbose", "--help",   "--io",           "--time",
	};
	const char *near = cli_nearest(name, names, sizeof(names) / sizeof(*names));

	if (near)
		return error_create(HENCE_ERROR_INPUT,
		                    "hence run has no option %s; did you mean %s?", name, near);
	return error_create(HENCE_ERROR_INPUT, "hence run has no option %s; see 'hence run --help'",
	                    name);
}

static struct hence_error *take_option(struct words *words, const char *name,
                                       struct run_options *options)
{
	if (!strcmp(name, "--save"))
		return take_value(words, name, &options->save);
	if (!strcmp(name, "--account"))
		return take_value(words, name, &options->account);
	if (!strcmp(name, "--io"))
		return take_value(words, name, &options->io);
	if (!strcmp(name, "--stdin"))
		return take_value(words, name, &options->input);
	if (!strcmp(name, "--timeout"))
		return take_seconds(words, name, &options->timeout);
	if (!strcmp(name, "--time"))
		return take_seconds(words, name, &options->time);
	if (!strcmp(name, "--tape-limit"))
		return take_size(words, &options->tape_limit);
	if (!strcmp(name, "--models"))
		return take_models(words, options);
	if (!strcmp(name, "--check-repeat"))
		options->check_repeat = true;
	else if (!strcmp(name, "--no-walk"))
		options->no_walk = true;
	else if (!strcmp(name, "-v") || !strcmp(name, "--verbose"))
		options->verbose = true;
	else if (!strcmp(name, "-h") || !strcmp(name, "--help"))
		options->help = true;
	else
		return unknown(name);
	return NULL;
}

/* One option, with '=VALUE' cut off its name. */
static struct hence_error *parse_option(struct words *words, struct run_options *options)
{
	const char *word = *words->at++;
	size_t length = strcspn(word, "=");
	char *name = strncmp(word, "--", 2) ? mem_strdup(word) : mem_strndup(word, length);
	struct hence_error *error;

	words->value = !strncmp(word, "--", 2) && word[length] ? word + length + 1 : NULL;
	error = take_option(words, name, options);
	if (!error && words->value)
		error = error_create(HENCE_ERROR_INPUT, "%s takes no value", name);
	free(name);
	return error;
}

struct hence_error *run_options_parse(int argc, char **argv, struct run_options *out)
{
	struct run_options options = {.tape_limit = DEFAULT_LIMIT, .time = DEFAULT_TIME};
	struct words words = {argv + 1, NULL};
	struct hence_error *error = NULL;

	while (!error && *words.at && **words.at == '-' && strcmp(*words.at, "--"))
		error = parse_option(&words, &options);
	if (!error && *words.at && !strcmp(*words.at, "--"))
		words.at++;
	if (!error && !*words.at && !options.help)
		error = error_create(HENCE_ERROR_INPUT,
		                     "no program given; use 'hence run [OPTIONS] -- ./prog ARGS'");
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
