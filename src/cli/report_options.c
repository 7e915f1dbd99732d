/* Options of commands that search for the reasons of a failure: see report_options.h. */
#include "cli/report_options.h"

#include <assert.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>

#include "report/explanation.h"

#define MOST_OWN  16
#define NARROWEST 60u
#define WIDEST    120u

#define RECORD_HELP                                                                                \
	"  --models FILE       models of further outside functions (may be repeated)\n"            \
	"  --tape-limit SIZE   most that one process may record, like 500M (8G)\n"

const char report_options_help[] =
	"  --format FORMAT     text, json (--json for short), gcc (for editors)\n"
	"  -o FILE             write to FILE\n"
	"  --color[=WHEN]      auto, always or never\n" RECORD_HELP;

const char report_record_help[] = RECORD_HELP;

const char report_output_help[] =
	"  --format FORMAT     text, json (--json for short), sarif (for code review), html (a\n"
	"                      page that needs nothing else), dot (a graph), gcc (for editors);\n"
	"                      else what the ending of -o says: .json, .sarif, .html or .dot\n"
	"  -o FILE             write to FILE\n"
	"  --full              fold and shorten nothing\n"
	"  --color[=WHEN]      auto, always or never\n";

static const char *const option_names[] = {"--format",     "--json",   "--color",
                                           "--tape-limit", "--models", "--output"};

#define OPTION_NAMES (sizeof(option_names) / sizeof(*option_names))

/* --- formats --- */

static bool has_format(const struct report_options *options, enum report_format format)
{
	return options->formats & 1u << format;
}

static struct hence_error *take_format(struct words *words, struct report_options *options)
{
	const char *names[REPORT_FORMATS];
	enum report_format formats[REPORT_FORMATS];
	int count = 0, chosen = 0;
	struct hence_error *error;

	assert(explanation_format_count == REPORT_FORMATS);
	for (unsigned i = 0; i < explanation_format_count; i++)
		if (has_format(options, (enum report_format)i)) {
			names[count] = explanation_formats[i].name;
			formats[count++] = (enum report_format)i;
		}
	error = words_choice(words, "--format", names, count, &chosen);
	if (error)
		return error;
	options->format = formats[chosen];
	options->has_format = true;
	return NULL;
}

void report_options_choose_format(struct report_options *options)
{
	static const enum report_format endings[] = {REPORT_JSON, REPORT_SARIF, REPORT_HTML,
	                                             REPORT_DOT};
	const char *dot = options->out ? strrchr(options->out, '.') : NULL;

	if (options->has_format || !dot)
		return;
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		if (has_format(options, endings[i]) &&
		    !strcmp(dot + 1, explanation_formats[endings[i]].name))
			options->format = endings[i];
}

/* --- taking them --- */

static void take_json(struct report_options *options)
{
	options->format = REPORT_JSON;
	options->has_format = true;
}

bool report_options_take_output(struct report_options *options, struct words *words,
                                const char *name, struct hence_error **error)
{
	if (!strcmp(name, "-o") || !strcmp(name, "--output"))
		*error = words_value(words, name, &options->out);
	else if (!strcmp(name, "--format"))
		*error = take_format(words, options);
	else if (!strcmp(name, "--color"))
		*error = words_color(words, &options->color);
	else if (!strcmp(name, "--json"))
		take_json(options);
	else if (!strcmp(name, "--full") && options->saves)
		options->full = true;
	else if (!strcmp(name, "-h") || !strcmp(name, "--help"))
		options->help = true;
	else
		return false;
	return true;
}

bool report_options_take(struct report_options *options, struct words *words, const char *name,
                         struct hence_error **error)
{
	if (failure_options_take(&options->failure, words, name, error))
		return true;
	if (!strcmp(name, "--models") || !strcmp(name, "--tape-limit"))
		run_options_take(&options->run, words, name, error);
	else if (!strcmp(name, "--save") && options->saves)
		*error = words_value(words, name, &options->save);
	else
		return report_options_take_output(options, words, name, error);
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
	if (!error && options->save && options->out && !strcmp(options->save, options->out))
		error = error_create(
			HENCE_ERROR_INPUT,
			"-o and --save are the same file, %s; give two, or only one with "
			"--json",
			options->out);
	if (error)
		report_options_deinit(options);
	else
		report_options_choose_format(options);
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

/* --- how it looks --- */

/* Does the name of a locale say UTF-8: 'de_DE.utf8@euro'? */
static bool names_utf8(const char *locale)
{
	const char *dot = strchr(locale, '.');
	size_t length = dot ? strcspn(dot + 1, "@") : 0;

	return (length == 5 && !strncasecmp(dot + 1, "utf-8", 5)) ||
	       (length == 4 && !strncasecmp(dot + 1, "utf8", 4));
}

/* The first of these that is set to something counts. */
static const char *locale_of_environment(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			return value;
	}
	return "C";
}

/* Are characters shown as UTF-8? A locale that is not installed, as in small containers, is
   believed by its name. */
static bool uses_utf8(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", NULL);
	bool utf8;

	if (!locale)
		return names_utf8(locale_of_environment());
	utf8 = !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");
	freelocale(locale);
	return utf8;
}

struct explanation_style report_options_style(const struct report_options *options)
{
	return (struct explanation_style){
		.coloured = words_use_color(options->color, options->out),
		.unicode = uses_utf8(),
		.full = options->full,
		.width = report_options_width(options),
	};
}

void report_options_deinit(struct report_options *options)
{
	failure_options_deinit(&options->failure);
	run_options_deinit(&options->run);
}
