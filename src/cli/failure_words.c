/* Words as a shell has them: see failure_options.h. */
#include <stdlib.h>
#include <string.h>

#include "cli/failure_options.h"

static struct hence_error *refuse(const char *option, const char *text, const char *what)
{
	return error_create(HENCE_ERROR_INPUT, "%s \"%s\": %s", option, text, what);
}

/* Up to the closing quote. Inside "..." a backslash stands before what would be special there. */
static struct hence_error *take_quoted(const char *option, const char *text, const char **at,
                                       struct str *word)
{
	char quote = *(*at)++;

	for (; **at && **at != quote; (*at)++) {
		if (quote == '"' && **at == '\\' && (*at)[1] && strchr("\"\\$`", (*at)[1]))
			(*at)++;
		str_add_char(word, **at);
	}
	if (!**at)
		return refuse(option, text,
		              quote == '"' ? "a \" is not closed; add another, or write \\\""
		                           : "a ' is not closed; add another, or write \\'");
	(*at)++;
	return NULL;
}

static struct hence_error *take_word(const char *option, const char *text, const char **at,
                                     struct str *word)
{
	struct hence_error *error = NULL;

	while (!error && **at && !strchr(" \t\n", **at)) {
		if (**at == '\'' || **at == '"') {
			error = take_quoted(option, text, at, word);
			continue;
		}
		if (**at == '\\' && !*++*at)
			return refuse(option, text, "it ends with a backslash; write \\\\ for one");
		str_add_char(word, *(*at)++);
	}
	return error;
}

struct hence_error *failure_words_split(const char *option, const char *text, struct input *out)
{
	const char *at = text;

	for (;;) {
		struct str word = STR_INIT;
		struct hence_error *error;

		at += strspn(at, " \t\n");
		if (!*at)
			return NULL;
		error = take_word(option, text, &at, &word);
		if (!error)
			input_add_bytes(out, INPUT_ARGUMENT, NULL, str_text(&word), word.length);
		str_deinit(&word);
		if (error)
			return error;
	}
}

/* --- the opposite --- */

static bool is_plain(const char *bytes, size_t size)
{
	static const char fine[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_-+=./,:@%^";

	for (size_t i = 0; i < size; i++)
		if (!bytes[i] || !strchr(fine, bytes[i]))
			return false;
	return size;
}

static bool is_printable(const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if ((unsigned char)bytes[i] < ' ' || (unsigned char)bytes[i] >= 127)
			return false;
	return true;
}

/* $'...': what cannot be seen is written as an escape. */
static void quote_escaped(const char *bytes, size_t size, struct str *out)
{
	str_add(out, "$'");
	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if (c == '\n')
			str_add(out, "\\n");
		else if (c == '\t')
			str_add(out, "\\t");
		else if (c == '\'' || c == '\\')
			str_printf(out, "\\%c", c);
		else if (c < ' ' || c >= 127)
			str_printf(out, "\\%03o", c);
		else
			str_add_char(out, (char)c);
	}
	str_add_char(out, '\'');
}

void failure_words_quote_all(const char *bytes, size_t size, struct str *out)
{
	str_add_char(out, '\'');
	for (size_t i = 0; i < size; i++) {
		if (bytes[i] == '\'')
			str_add(out, "'\\''");
		else
			str_add_char(out, bytes[i]);
	}
	str_add_char(out, '\'');
}

void failure_words_quote(const char *bytes, size_t size, struct str *out)
{
	if (is_plain(bytes, size)) {
		str_add_bytes(out, bytes, size);
		return;
	}
	if (!is_printable(bytes, size)) {
		quote_escaped(bytes, size, out);
		return;
	}
	failure_words_quote_all(bytes, size, out);
}
