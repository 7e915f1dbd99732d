/* Options of commands that search for the reasons of a failure: see report_options.h. */
#include "cli/report_options.h"

#include <assert.h>
#include <string.h>
#include <sys/ioctl.h>

#include "report/explanation.h"

#define MOST_OWN  16
#define NARROWEST 60u
#define WIDEST    120u

const char report_options_help[] =
	"  --format FORMAT     text, json (--json for short), gcc (for editors)\n"
	"  -o FILE             write to FILE\n"
	"  --color[=WHEN]      auto, always or never\n"
	"  --models FILE       models of further outside functions (may be repeated)\n"
	"  --tape-limit SIZE   most that one process may record, like 500M (8G)\n";

static const char *const option_names[] = {"--format",     "--json",   "--color",
                                           "--tape-limit", "--models", "--output"};

#define OPTION_NAMES (sizeof(option_names) / sizeof(*option_names))

static struct hence_error *take_format(struct words *words, struct report_options *options)
{
	const char *names[REPORT_FORMATS];
	enum report_format formats[REPORT_FORMATS];
	unsigned count = 0;
	int chosen = 0;
	struct hence_error *error;

	assert(explanation_format_count == REPORT_FORMATS);
	for (unsigned i = 0; i < REPORT_FORMATS; i++) {
		if (!(options->formats & 1u << i))
			continue;
		names[count] = explanation_formats[i].name;
		formats[count++] = (enum report_format)i;
	}
	error = words_choice(words, "--format", names, count, &chosen);
	if (!error)
		options->format = formats[chosen];
	return error;
}

bool report_options_take(struct report_options *options, struct words *words, const char *name,
                         struct hence_error **error)
{
	if (failure_options_take(&options->failure, words, name, error))
		return true;
	if (!strcmp(name, "--models") || !strcmp(name, "--tape-limit"))
		run_options_take(&options->run, words, name, error);
	else if (!strcmp(name, "-o") || !strcmp(name, "--output"))
		*error = words_value(words, name, &options->out);
	else if (!strcmp(name, "--format"))
		*error = take_format(words, options);
	else if (!strcmp(name, "--color"))
		*error = words_color(words, &options->color);
	else if (!strcmp(name, "--json"))
		options->format = REPORT_JSON;
	else if (!strcmp(name, "-h") || !strcmp(name, "--help"))
		options->help = true;
	else
		return false;
	return true;
}

struct hence_error *report_options_unknown(const struct words *words, const char *name,
                                           const char *const *own, size_t count)
{
	const char *names[MOST_OWN + OPTION_NAMES + FAILURE_OPTION_NAMES];

	assert(count <= MOST_OWN);
	memcpy(names, own, count * sizeof(*own));
	memcpy(names + count, option_names, sizeof(option_names));
	return words_unknown(words, name, names,
	                     failure_options_names(names, count + OPTION_NAMES));
}

struct hence_error *report_options_check(struct report_options *options, const struct words *words,
                                         struct hence_error *error)
{
	if (!error && !*words->at && !options->help)
		error = words_no_program(words);
	if (!error)
		error = failure_options_check(&options->failure);
	if (error)
		report_options_deinit(options);
	return error;
}

static bool is_source(const char *word)
{
	size_t length = strlen(word);

	return length > 2 && !strcmp(word + length - 2, ".c");
}

void report_options_take_command(struct report_options *options, const struct words *words)
{
	char **at = words->at;

	options->failure.command = at;
	if (!*at || !is_source(*at) || !strcmp(at[-1], "--"))
		return;
	options->sources = at;
	while (at[options->source_count] && strcmp(at[options->source_count], "--"))
		options->source_count++;
	at += options->source_count;
	options->failure.command = at + (*at != NULL);
}

unsigned report_options_width(const struct report_options *options)
{
	struct winsize size;

	if (options->out || ioctl(1, TIOCGWINSZ, &size) || size.ws_col < NARROWEST)
		return 0;
	return size.ws_col < WIDEST ? size.ws_col : WIDEST;
}

void report_options_deinit(struct report_options *options)
{
	failure_options_deinit(&options->failure);
	run_options_deinit(&options->run);
}
