/* Colours C in the page: comments, strings and keywords. See html_code.h. */
#include "report/html_code.h"

#include <ctype.h>
#include <string.h>

#include "report/html.h"

#define PLAIN   0
#define COMMENT 'c'
#define QUOTED  'q'
#define KEYWORD 'k'

static bool is_keyword(const char *text, size_t length)
{
	static const char *const words[] = {
		"auto",    "break",   "case",     "char",     "const",    "continue", "default",
		"do",      "double",  "else",     "enum",     "extern",   "float",    "for",
		"goto",    "if",      "inline",   "int",      "long",     "register", "restrict",
		"return",  "short",   "signed",   "sizeof",   "static",   "struct",   "switch",
		"typedef", "union",   "unsigned", "void",     "volatile", "while",    "_Bool",
		"bool",    "size_t",  "uint8_t",  "uint16_t", "uint32_t", "uint64_t", "int8_t",
		"int16_t", "int32_t", "int64_t",  "FILE",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i]) == length && !memcmp(words[i], text, length))
			return true;
	return false;
}

static size_t word_length(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '_')
		length++;
	return length;
}

/* Up to the quote that ends it, or the end of the line. */
static size_t quoted_length(const char *text)
{
	size_t i = 1;

	for (; text[i] && text[i] != text[0]; i++)
		if (text[i] == '\\' && text[i + 1])
			i++;
	return i + !!text[i];
}

/* Of a comment whose beginning is before `text`; *open: it does not end in this line. */
static size_t comment_length(const char *text, bool *open)
{
	const char *end = strstr(text, "*/");

	*open = !end;
	return end ? (size_t)(end - text) + 2 : strlen(text);
}

/* What begins there: its kind and its bytes. */
static char next_token(const char *text, bool *open, size_t *length)
{
	if (text[0] == '/' && text[1] == '/') {
		*length = strlen(text);
		return COMMENT;
	}
	if (text[0] == '/' && text[1] == '*') {
		*length = 2 + comment_length(text + 2, open);
		return COMMENT;
	}
	if (*text == '"' || *text == '\'') {
		*length = quoted_length(text);
		return QUOTED;
	}
	*length = word_length(text);
	if (*length)
		return is_keyword(text, *length) ? KEYWORD : PLAIN;
	*length = 1;
	return PLAIN;
}

/* The '#include' of a line; 0: it is no such line. */
static size_t directive_length(const char *text)
{
	size_t begin = strspn(text, " \t"), space;

	if (text[begin] != '#')
		return 0;
	space = strspn(text + begin + 1, " \t");
	return begin + 1 + space + word_length(text + begin + 1 + space);
}

void html_code_init(struct html_code *code, const char *text, bool *open)
{
	size_t size = strlen(text), at = 0, length;

	code->text = text;
	code->kinds = mem_alloc(size + 1);
	if (*open) {
		at = comment_length(text, open);
		memset(code->kinds, COMMENT, at);
	} else {
		at = directive_length(text);
		memset(code->kinds, KEYWORD, at);
	}
	for (; at < size; at += length) {
		char kind = next_token(text + at, open, &length);

		memset(code->kinds + at, kind, length);
	}
}

void html_code_deinit(struct html_code *code)
{
	free(code->kinds);
}

void html_code_add(const struct html_code *code, size_t from, size_t to, struct str *out)
{
	while (from < to) {
		char kind = code->kinds[from];
		size_t end = from;

		while (end < to && code->kinds[end] == kind)
			end++;
		if (kind)
			str_printf(out, "<span class=\"%c\">", kind);
		html_add_code(out, code->text + from, end - from);
		if (kind)
			str_add(out, "</span>");
		from = end;
	}
}
