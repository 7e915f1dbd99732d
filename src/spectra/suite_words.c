/* Words in a file of tests: see suite.h. */
#include "spectra/suite.h"

#include <ctype.h>
#include <string.h>

/* What a shell would do something with; here it is refused, since it would silently not be done. */
static const char special[] = "|>&;`$()*?[";

static bool has(const struct suite_words *w)
{
	return w->at < w->end && *w->at;
}

/* A line that goes on below is one line. */
static bool skip_continuation(struct suite_words *w)
{
	size_t size = w->end - w->at >= 3 && w->at[1] == '\r' ? 3 : 2;

	if (w->end - w->at < (ptrdiff_t)size || w->at[0] != '\\' || w->at[size - 1] != '\n')
		return false;
	w->at += size;
	w->line++;
	return true;
}

static void skip_blanks(struct suite_words *w)
{
	while (has(w) && (strchr(" \t\r", *w->at) || *w->at == '\\'))
		if (*w->at != '\\')
			w->at++;
		else if (!skip_continuation(w))
			return;
	if (has(w) && *w->at == '#')
		while (has(w) && *w->at != '\n')
			w->at++;
}

bool suite_next_line(struct suite_words *w)
{
	while (w->at < w->end && *w->at != '\n')
		w->at++;
	if (w->at >= w->end)
		return false;
	w->at++;
	w->line++;
	w->expects = false;
	return w->at < w->end;
}

/* --- quotes --- */

static struct hence_error *not_closed(char quote)
{
	return error_create(HENCE_ERROR_INPUT, "a %c is not closed; add another in the same line",
	                    quote);
}

/* 'as it is' */
static struct hence_error *take_single(struct suite_words *w, struct str *out)
{
	for (w->at++; has(w) && *w->at != '\'' && *w->at != '\n'; w->at++)
		str_add_char(out, *w->at);
	if (!has(w) || *w->at != '\'')
		return not_closed('\'');
	w->at++;
	return NULL;
}

/* "as in a shell": a backslash stands before what is special there. */
static struct hence_error *take_double(struct suite_words *w, struct str *out)
{
	for (w->at++; has(w) && *w->at != '"' && *w->at != '\n'; w->at++) {
		if (strchr("$`", *w->at))
			return error_create(HENCE_ERROR_INPUT,
			                    "'%c' is not expanded here; write '\\%c' if it is "
			                    "meant as it is",
			                    *w->at, *w->at);
		if (*w->at == '\\' && w->at + 1 < w->end && strchr("\"\\$`", w->at[1]))
			w->at++;
		str_add_char(out, *w->at);
	}
	if (!has(w) || *w->at != '"')
		return not_closed('"');
	w->at++;
	return NULL;
}

static int digit(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* The character behind a backslash, as in C. False: there is no such escape. */
static bool take_escape(struct suite_words *w, struct str *out)
{
	static const char names[] = "abefnrtv\\\"'", values[] = "\a\b\033\f\n\r\t\v\\\"'";
	const char *found = strchr(names, *w->at);
	unsigned value = 0;

	if (*w->at == 'x' && w->end - w->at > 2 && isxdigit((unsigned char)w->at[1]) &&
	    isxdigit((unsigned char)w->at[2])) {
		str_add_char(out, (char)(digit(w->at[1]) * 16 + digit(w->at[2])));
		w->at += 3;
	} else if (*w->at >= '0' && *w->at <= '7') {
		for (int i = 0; i < 3 && has(w) && *w->at >= '0' && *w->at <= '7'; i++)
			value = value * 8 + (unsigned)(*w->at++ - '0');
		str_add_char(out, (char)value);
	} else if (found) {
		str_add_char(out, values[found - names]);
		w->at++;
	} else {
		return false;
	}
	return true;
}

/* "as in C" */
static struct hence_error *take_text(struct suite_words *w, struct str *out)
{
	for (w->at++; has(w) && *w->at != '"' && *w->at != '\n';) {
		if (*w->at != '\\') {
			str_add_char(out, *w->at++);
			continue;
		}
		w->at++;
		if (!has(w) || !take_escape(w, out))
			return error_create(
				HENCE_ERROR_INPUT,
				"there is no escape '\\%c'; \\n, \\t, \\\\, \\\", \\x41 "
				"and the like are as in C",
				has(w) && *w->at != '\n' ? *w->at : ' ');
	}
	if (!has(w) || *w->at != '"')
		return not_closed('"');
	w->at++;
	return NULL;
}

/* --- words --- */

static struct hence_error *refuse(char c)
{
	if (c == '>' || c == '|')
		return error_create(HENCE_ERROR_INPUT,
		                    "'%c' is not understood: a test is one program, with '< FILE' "
		                    "at most; write it in quotes if it is an argument",
		                    c);
	return error_create(HENCE_ERROR_INPUT,
	                    "'%c' is not expanded here as a shell does it; write it in quotes if "
	                    "it is meant as it is",
	                    c);
}

static struct hence_error *take_word(struct suite_words *w, struct str *out)
{
	struct hence_error *error = NULL;

	while (!error && has(w) && !strchr(" \t\r\n<", *w->at)) {
		if (*w->at == '\'') {
			error = take_single(w, out);
		} else if (*w->at == '"') {
			error = take_double(w, out);
		} else if (strchr(special, *w->at)) {
			error = refuse(*w->at);
		} else if (*w->at == '\\') {
			if (skip_continuation(w))
				break;
			if (w->at + 1 < w->end)
				w->at++;
			str_add_char(out, *w->at++);
		} else {
			str_add_char(out, *w->at++);
		}
	}
	return error;
}

static bool is_arrow(const struct suite_words *w)
{
	return w->end - w->at >= 2 && !strncmp(w->at, "=>", 2);
}

struct hence_error *suite_next_word(struct suite_words *w, enum suite_word_kind *kind,
                                    struct str *out, bool *any)
{
	skip_blanks(w);
	*any = w->at < w->end && *w->at != '\n';
	*kind = SUITE_WORD;
	if (!*any)
		return NULL;
	if (!*w->at)
		return error_create(HENCE_ERROR_INPUT, "there is a zero byte; is it a text file?");
	if (is_arrow(w)) {
		*kind = SUITE_GIVES;
		w->at += 2;
		return NULL;
	}
	if (*w->at == '<') {
		*kind = SUITE_FROM;
		w->at++;
		return NULL;
	}
	if (w->expects && *w->at == '"') {
		*kind = SUITE_TEXT;
		return take_text(w, out);
	}
	return take_word(w, out);
}
