/* Which words of a report the compiler is given: see compiler_words.h. */
#include "cli/compiler_words.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "base/str.h"
#include "report/explanation_words.h"

#define MOST_WORDS 1000u
#define MOST_BYTES (64u << 10) /* of all words together */

/* --- options --- */

/* What follows the name of an option, in the same word or in the next one. */
enum rest {
	REST_NOTHING,
	REST_WORD,      /* in the same word: letters, digits and "_.+=-", or nothing */
	REST_MACRO,     /* NAME, and what else belongs to it */
	REST_DIRECTORY, /* one below the working directory */
	REST_LIBRARY,   /* the name of one that the linker finds by itself */
};

/* None of these names a file that is written, a program that is executed or a plugin. */
static const struct option {
	const char *name;
	enum rest rest;
} options[] = {
	{"-D", REST_MACRO},
	{"-U", REST_MACRO},
	{"-I", REST_DIRECTORY},
	{"-iquote", REST_DIRECTORY},
	{"-isystem", REST_DIRECTORY},
	{"-idirafter", REST_DIRECTORY},
	{"-l", REST_LIBRARY},
	{"-std=", REST_WORD},
	{"-march=", REST_WORD},
	{"-mtune=", REST_WORD},
	{"-msse", REST_WORD},
	{"-mavx", REST_WORD},
	{"-W", REST_WORD}, /* -Wl,X and the like have a comma */
	{"-w", REST_NOTHING},
	{"-ansi", REST_NOTHING},
	{"-pedantic", REST_NOTHING},
	{"-pedantic-errors", REST_NOTHING},
	{"-pipe", REST_NOTHING},
	{"-pthread", REST_NOTHING},
	{"-rdynamic", REST_NOTHING},
	{"-static", REST_NOTHING},
	{"-pie", REST_NOTHING},
	{"-no-pie", REST_NOTHING},
	{"-m64", REST_NOTHING},
	{"-O", REST_NOTHING},
	{"-O0", REST_NOTHING},
	{"-O1", REST_NOTHING},
	{"-O2", REST_NOTHING},
	{"-O3", REST_NOTHING},
	{"-Og", REST_NOTHING},
	{"-Os", REST_NOTHING},
	{"-Oz", REST_NOTHING},
	{"-Ofast", REST_NOTHING},
	{"-g", REST_NOTHING},
	{"-g0", REST_NOTHING},
	{"-g1", REST_NOTHING},
	{"-g2", REST_NOTHING},
	{"-g3", REST_NOTHING},
	{"-ggdb", REST_NOTHING},
	{"-ggdb3", REST_NOTHING},
	{"-gdwarf-4", REST_NOTHING},
	{"-gdwarf-5", REST_NOTHING},
	{"-fPIC", REST_NOTHING},
	{"-fpic", REST_NOTHING},
	{"-fPIE", REST_NOTHING},
	{"-fpie", REST_NOTHING},
	{"-fcommon", REST_NOTHING},
	{"-fno-common", REST_NOTHING},
	{"-fno-builtin", REST_NOTHING},
	{"-ffreestanding", REST_NOTHING},
	{"-fgnu89-inline", REST_NOTHING},
	{"-fms-extensions", REST_NOTHING},
	{"-fshort-enums", REST_NOTHING},
	{"-fsigned-char", REST_NOTHING},
	{"-funsigned-char", REST_NOTHING},
	{"-fno-inline", REST_NOTHING},
	{"-fno-omit-frame-pointer", REST_NOTHING},
	{"-fomit-frame-pointer", REST_NOTHING},
	{"-fno-strict-aliasing", REST_NOTHING},
	{"-fstrict-aliasing", REST_NOTHING},
	{"-fno-strict-overflow", REST_NOTHING},
	{"-fwrapv", REST_NOTHING},
	{"-ftrapv", REST_NOTHING},
	{"-ffast-math", REST_NOTHING},
	{"-fno-stack-protector", REST_NOTHING},
	{"-fstack-protector", REST_NOTHING},
	{"-fstack-protector-all", REST_NOTHING},
	{"-fstack-protector-strong", REST_NOTHING},
};

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
#define DIGITS  "0123456789"

static bool consists_of(const char *text, const char *letters)
{
	return text[strspn(text, letters)] == '\0';
}

/* The option that the word is, or begins with. NULL: none that is allowed. */
static const struct option *find_option(const char *word)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		const struct option *option = &options[i];
		size_t length = strlen(option->name);

		if (option->rest == REST_NOTHING ? !strcmp(word, option->name)
		                                 : !strncmp(word, option->name, length))
			return option;
	}
	return NULL;
}

/* Why the rest of an option may not be used; NULL: it may. */
static const char *check_rest(enum rest kind, const char *rest)
{
	struct stat info;

	switch (kind) {
	case REST_NOTHING: break;
	case REST_WORD:
		if (!consists_of(rest, LETTERS DIGITS ".+=-"))
			return "is not among the options that a report may have";
		break;
	case REST_MACRO:
		if (!*rest || !strchr(LETTERS, *rest))
			return "names no macro";
		break;
	case REST_DIRECTORY:
		if (*rest == '-' || *rest == '@' || stat(rest, &info) || !S_ISDIR(info.st_mode) ||
		    !path_is_within(rest, "."))
			return "is no directory below that of the report";
		break;
	case REST_LIBRARY:
		if (!*rest || *rest == '-' || !consists_of(rest, LETTERS DIGITS ".+-"))
			return "is no library of the system";
		break;
	}
	return NULL;
}

/* --- all --- */

/* Why the word, with the next one if that belongs to it, may not be used. NULL: it may. */
static const char *check_word(const char *word, const char *next, bool *takes_next)
{
	const struct option *option;
	const char *rest;

	*takes_next = false;
	for (const char *at = word; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 127)
			return "has a control character";
	if (*word == '@')
		return "would be a file with further words";
	if (*word != '-') {
		const char *slash = strrchr(word, '/'), *base = slash ? slash + 1 : word;
		size_t length = strlen(base);
		struct stat info;

		/* The program is called like the first of them, without '.c'. */
		if (length < 3 || *base == '.' || strcmp(base + length - 2, ".c"))
			return "is no C file";
		if (stat(word, &info))
			return strerror(errno);
		if (!S_ISREG(info.st_mode))
			return "is no C file";
		return path_is_within(word, ".") ? NULL
		                                 : "does not lie below the directory of the report";
	}
	option = find_option(word);
	if (!option)
		return "is not among the options that a report may have";
	rest = word + strlen(option->name);
	if (!*rest && option->rest >= REST_MACRO) {
		if (!next || *next == '-' || *next == '@')
			return "needs a word after it";
		*takes_next = true;
		rest = next;
	}
	return check_rest(option->rest, rest);
}

struct hence_error *compiler_words_check(char *const *words, uint32_t count)
{
	size_t bytes = 0;

	for (uint32_t i = 0; i < count; i++)
		bytes += strlen(words[i]) + 1;
	if (count > MOST_WORDS || bytes > MOST_BYTES)
		return error_create(HENCE_ERROR_INPUT,
		                    "recipe.sources of the report is too long: %u words, %zu "
		                    "bytes; compile it yourself",
		                    count, bytes);
	for (uint32_t i = 0; i < count; i++) {
		const char *next = i + 1 < count ? words[i + 1] : NULL;
		const char *word = words[i], *why;
		struct str safe = STR_INIT;
		struct hence_error *error;
		bool takes_next;

		why = i || *word != '-' ? check_word(word, next, &takes_next) : "is no C file";
		if (!why) {
			i += takes_next;
			continue;
		}
		explanation_add_safe(&safe, word);
		error = error_create(HENCE_ERROR_INPUT,
		                     "recipe.sources of the report: %s %s, so it is not given to "
		                     "the compiler",
		                     str_text(&safe), why);
		str_deinit(&safe);
		return error;
	}
	return NULL;
}
