/* Reading options from a command line: see words.h. */
#include "cli/words.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "cli/commands.h"

struct hence_error *words_value(struct words *words, const char *name, const char **out)
{
	if (words->value) {
		*out = words->value;
		words->value = NULL;
		return NULL;
	}
	if (!*words->at || !strcmp(*words->at, "--"))
		return error_create(HENCE_ERROR_INPUT, "%s needs a value; see 'hence %s --help'",
		                    name, words->command);
	*out = *words->at++;
	return NULL;
}

struct hence_error *words_seconds(struct words *words, const char *name, double *out)
{
	const char *text;
	struct hence_error *error = words_value(words, name, &text);
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

struct hence_error *words_size(struct words *words, const char *name, uint64_t *out)
{
	static const char units[] = "KMGT";
	const char *text, *unit;
	struct hence_error *error = words_value(words, name, &text);
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
		                    "%s %s: give a size of at least 1M, like 500M or 20G", name,
		                    text);
	*out = (uint64_t)size << shift;
	return NULL;
}

struct hence_error *words_number(struct words *words, const char *name, uint64_t *out)
{
	const char *text;
	struct hence_error *error = words_value(words, name, &text);
	unsigned long long number;
	char *end;

	if (error)
		return error;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || !number)
		return error_create(HENCE_ERROR_INPUT, "%s %s: give a whole number above 0", name,
		                    text);
	*out = number;
	return NULL;
}

struct hence_error *words_unknown(const struct words *words, const char *name,
                                  const char *const *names, size_t count)
{
	const char *near = cli_nearest(name, names, count);

	if (near)
		return error_create(HENCE_ERROR_INPUT,
		                    "hence %s has no option %s; did you mean %s?", words->command,
		                    name, near);
	return error_create(HENCE_ERROR_INPUT, "hence %s has no option %s; see 'hence %s --help'",
	                    words->command, name, words->command);
}

struct hence_error *words_no_program(const struct words *words)
{
	return error_create(HENCE_ERROR_INPUT,
	                    "no program given; use 'hence %s [OPTIONS] -- ./prog ARGS'",
	                    words->command);
}

typedef struct hence_error *take_option(void *context, struct words *words, const char *name);

/* One option, with '=VALUE' cut off its name. */
static struct hence_error *read_one(struct words *words, take_option *take, void *context)
{
	const char *word = *words->at++;
	size_t length = strcspn(word, "=");
	char *name = strncmp(word, "--", 2) ? mem_strdup(word) : mem_strndup(word, length);
	struct hence_error *error;

	words->value = !strncmp(word, "--", 2) && word[length] ? word + length + 1 : NULL;
	error = take(context, words, name);
	if (!error && words->value)
		error = error_create(HENCE_ERROR_INPUT, "%s takes no value", name);
	free(name);
	return error;
}

struct hence_error *words_read(struct words *words, take_option *take, void *context)
{
	struct hence_error *error = NULL;

	/* '-' alone is standard input, and no option. */
	while (!error && *words->at && **words->at == '-' && strcmp(*words->at, "--") &&
	       strcmp(*words->at, "-"))
		error = read_one(words, take, context);
	if (!error && *words->at && !strcmp(*words->at, "--"))
		words->at++;
	return error;
}

struct hence_error *words_choice(struct words *words, const char *name, const char *const *known,
                                 int count, int *out)
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

struct hence_error *words_color(struct words *words, enum words_when *out)
{
	static const char *const known[] = {"auto", "always", "never"};
	int chosen = WORDS_ALWAYS;
	struct hence_error *error = NULL;

	if (words->value)
		error = words_choice(words, "--color", known, 3, &chosen);
	if (!error)
		*out = (enum words_when)chosen;
	return error;
}

bool words_is_dumb(void)
{
	const char *terminal = getenv("TERM");

	return terminal && !strcmp(terminal, "dumb");
}

bool words_use_color(enum words_when when, const char *file)
{
	const char *none = getenv("NO_COLOR");

	if (when != WORDS_AUTO)
		return when == WORDS_ALWAYS;
	return !file && isatty(1) && !(none && *none) && !words_is_dumb();
}
