/* Pieces of LLVM's text: see text.h. */
#include "text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void die(const char *why, const char *line)
{
	fprintf(stderr, "rewrite: %s: %s\n", why, line);
	exit(1);
}

bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

const char *take(const char *text, const char *stops, char *out)
{
	size_t length = 0;
	int depth = 0;
	bool quoted = false;

	for (; *text; text++) {
		if (*text == '"')
			quoted = !quoted;
		if (!quoted && !depth && strchr(stops, *text))
			break;
		if (!quoted && strchr("([{<", *text))
			depth++;
		if (!quoted && strchr(")]}>", *text) && --depth < 0)
			break;
		if (length + 1 == WORD)
			die("too long", text);
		out[length++] = *text;
	}
	out[length] = 0;
	while (*text && strchr(", ", *text))
		text++;
	return text;
}

void split_argument(const char *text, char *type, char *value)
{
	static const char *const begin[] = {"getelementptr", "ptrtoint", "inttoptr", "null",
	                                    "true",          "false",    "undef",    "poison",
	                                    "zeroinit",      "block"};
	char word[WORD];

	for (text = take(text, " ", type); *text;) {
		const char *rest = take(text, " ", word);
		bool operand = strchr("%@-<{[\"", *word) || isdigit((unsigned char)*word);

		for (size_t i = 0; i < sizeof(begin) / sizeof(*begin); i++)
			operand |= begins(word, begin[i]);
		if (operand) {
			strcpy(value, text);
			return;
		}
		if (!strcmp(word, "align"))
			rest = take(rest, " ", word);
		text = rest;
	}
	die("no operand", text);
}

const char *size_text(const char *type)
{
	static char text[2 * WORD];

	if (*type == 'i' && isdigit((unsigned char)type[1]))
		snprintf(text, sizeof(text), "%d", (atoi(type + 1) + 7) / 8);
	else if (!strcmp(type, "x86_fp80"))
		strcpy(text, "10");
	else
		snprintf(text, sizeof(text),
		         "ptrtoint (ptr getelementptr (%s, ptr null, i64 1) to i64)", type);
	return text;
}
