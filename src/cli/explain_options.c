/* The command line of `hence explain` and of the commands of single methods: see explain.h. */
#include <string.h>

#include "cli/explain.h"
#include "cli/words.h"

const char explain_options_help[] =
	"  --no-reduce         explain the input as it is; only what it is compared with is "
	"searched for\n"
	"  --format FORMAT     text, json or gcc (for editors); --json for short\n"
	"  -o FILE             write to FILE\n"
	"  --color[=WHEN]      auto, always or never\n"
	"  --models FILE       models of further outside functions (may be repeated)\n"
	"  --tape-limit SIZE   most that one process may record, like 500M (8G)\n";

static const char *const own_names[] = {"--all-points", "--no-reduce",  "--format", "--json",
                                        "--color",      "--tape-limit", "--models"};

#define OWN_NAMES (sizeof(own_names) / sizeof(*own_names))

struct reading {
	struct explain_command command;
	enum words_when color;
	bool has_points; /* the command knows --all-points */
};

static struct hence_error *take_format(struct words *words, struct explain_command *c)
{
	static const char *const known[] = {"text", "json", "gcc"};
	int chosen = 0;
	struct hence_error *error = words_choice(words, "--format", known, 3, &chosen);

	if (!error)
		c->format = (enum explain_format)chosen;
	return error;
}

static struct hence_error *refuse(const struct reading *reading, const struct words *words,
                                  const char *name)
{
	const char *names[FAILURE_OPTION_NAMES + OWN_NAMES];
	size_t skipped = !reading->has_points;

	memcpy(names, own_names + skipped, sizeof(own_names) - skipped * sizeof(*own_names));
	return words_unknown(words, name, names, failure_options_names(names, OWN_NAMES - skipped));
}

static struct hence_error *take(void *context, struct words *words, const char *name)
{
	struct reading *reading = context;
	struct explain_command *c = &reading->command;
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
		c->format = EXPLAIN_JSON;
	else if (!strcmp(name, "--no-reduce"))
		c->as_given = true;
	else if (!strcmp(name, "--all-points") && reading->has_points)
		c->all_points = true;
	else if (!strcmp(name, "-h") || !strcmp(name, "--help"))
		c->help = true;
	else
		return refuse(reading, words, name);
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
	c->failure.command = words + count + (words[count] != NULL);
}

struct hence_error *explain_command_parse(int argc, char **argv, const char *name,
                                          struct explain_command *out)
{
	struct reading reading = {.command.run = {.tape_limit = RUN_TAPE_LIMIT, .time = RUN_TIME},
	                          .command.failure.fixed = true,
	                          .has_points = !strcmp(name, "transitions")};
	struct explain_command *c = &reading.command;
	struct words words = {argv + 1, NULL, name};
	struct hence_error *error = words_read(&words, take, &reading);

	if (!error && !*words.at && !c->help)
		error = words_no_program(&words);
	if (!error)
		error = failure_options_check(&c->failure);
	if (error) {
		explain_command_deinit(c);
		return error;
	}
	c->failure.command = words.at;
	if (*words.at && is_source(*words.at) && strcmp(words.at[-1], "--"))
		take_sources(c, words.at);
	c->coloured = words_use_color(reading.color, c->out);
	*out = *c;
	return NULL;
}

void explain_command_deinit(struct explain_command *command)
{
	failure_options_deinit(&command->failure);
	run_options_deinit(&command->run);
}
