/* Options of commands that search for the reasons of a failure: see report_options.h. */
#include "cli/report_options.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "report/explanation.h"

#define NARROWEST 60u
#define WIDEST    120u

/* --- formats --- */

static bool has_format(const struct report_options *options, enum report_format format)
{
	return options->formats & 1u << format;
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

/* --- how it looks --- */

bool report_terminal_is_dumb(void)
{
	const char *terminal = getenv("TERM");

	return terminal && !strcmp(terminal, "dumb");
}

bool report_use_color(enum color_when when, const char *file)
{
	const char *none = getenv("NO_COLOR");

	if (when != COLOR_AUTO)
		return when == COLOR_ALWAYS;
	return !file && isatty(1) && !(none && *none) && !report_terminal_is_dumb();
}

/* Columns of the terminal that a text goes to, within reason; 0: it goes elsewhere. */
static unsigned report_options_width(const struct report_options *options)
{
	struct winsize size;

	if (options->out || ioctl(1, TIOCGWINSZ, &size) || size.ws_col < NARROWEST)
		return 0;
	return size.ws_col < WIDEST ? size.ws_col : WIDEST;
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

	if (!locale) {
		/* Does the name of a locale say UTF-8: 'de_DE.utf8@euro'? */
		const char *dot = strchr(locale_of_environment(), '.');
		size_t length = dot ? strcspn(dot + 1, "@") : 0;

		return (length == 5 && !strncasecmp(dot + 1, "utf-8", 5)) ||
		       (length == 4 && !strncasecmp(dot + 1, "utf8", 4));
	}
	utf8 = !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");
	freelocale(locale);
	return utf8;
}

struct explanation_style report_options_style(const struct report_options *options)
{
	return (struct explanation_style){
		.coloured = report_use_color(options->color, options->out),
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
