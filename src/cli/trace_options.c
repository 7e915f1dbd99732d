/* The command line of `hence trace`. */
#include <stdlib.h>
#include <string.h>

#include "cli/trace.h"
#include "cli/words.h"

static struct hence_error *take_line(struct words *words, struct trace_options *options)
{
	const char *text, *colon;
	struct hence_error *error = words_value(words, "--line", &text);
	unsigned long number;
	char *end;

	if (error)
		return error;
	colon = strrchr(text, ':');
	number = colon ? strtoul(colon + 1, &end, 10) : 0;
	if (!colon || colon == text || !number || number > UINT32_MAX || *end)
		return error_create(HENCE_ERROR_INPUT, "--line %s: give FILE:N, like sort.c:12",
		                    text);
	free(options->file);
	options->file = mem_strndup(text, (size_t)(colon - text));
	options->line = number;
	return NULL;
}

static struct hence_error *unknown(const struct words *words, const char *name)
{
	static const char *const names[] = {
		"--function", "--line",   "--variable",   "--from",    "--to",
		"--check",    "--json",   "--stdin",      "--models",  "--timeout",
		"--time",     "--output", "--tape-limit", "--process", "--help",
	};

	return words_unknown(words, name, names, sizeof(names) / sizeof(*names));
}

static struct hence_error *take(void *context, struct words *words, const char *name)
{
	struct trace_options *options = context;
	struct hence_error *error = NULL;

	if (run_options_take(&options->run, words, name, &error))
		return error;
	if (!strcmp(name, "--function"))
		return words_value(words, name, &options->function);
	if (!strcmp(name, "--line"))
		return take_line(words, options);
	if (!strcmp(name, "--variable"))
		return words_value(words, name, &options->variable);
	if (!strcmp(name, "--from"))
		return words_number(words, name, &options->from);
	if (!strcmp(name, "--to"))
		return words_number(words, name, &options->to);
	if (!strcmp(name, "--process"))
		return words_number(words, name, &options->process);
	if (!strcmp(name, "-o") || !strcmp(name, "--output"))
		return words_value(words, name, &options->output);
	if (!strcmp(name, "--check"))
		options->check = true;
	else if (!strcmp(name, "--json"))
		options->json = true;
	else
		return unknown(words, name);
	return NULL;
}

/* What does not go together. */
static struct hence_error *judge(const struct trace_options *options)
{
	if (options->from && options->to && options->from > options->to)
		return error_create(HENCE_ERROR_INPUT, "--from %llu is behind --to %llu",
		                    (unsigned long long)options->from,
		                    (unsigned long long)options->to);
	if (options->check && (options->function || options->file || options->variable ||
	                       options->from || options->to || options->process))
		return error_create(HENCE_ERROR_INPUT,
		                    "--check looks at everything; leave out --function, --line, "
		                    "--variable, --from, --to and --process");
	return NULL;
}

struct hence_error *trace_options_parse(int argc, char **argv, struct trace_options *out)
{
	struct trace_options options = {.run = {.tape_limit = RUN_TAPE_LIMIT, .time = RUN_TIME}};
	struct words words = {argv + 1, NULL, "trace"};
	struct hence_error *error = words_read(&words, take, &options);

	if (!error && !*words.at && !options.run.help)
		error = words_no_program(&words);
	if (!error)
		error = judge(&options);
	options.run.command = words.at;
	if (error)
		trace_options_deinit(&options);
	else
		*out = options;
	return error;
}

void trace_options_deinit(struct trace_options *options)
{
	run_options_deinit(&options->run);
	free(options->file);
}
