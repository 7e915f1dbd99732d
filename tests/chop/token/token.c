#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "token.h"

static int read_char(struct source *source)
{
	int c = getc(source->in);
	source->line += c == '\n';
	return c;
}

static void unread_char(struct source *source, int c)
{
	source->line -= c == '\n';
	if (c != EOF)
		ungetc(c, source->in);
}

static int is_word(int c)
{
	return isalnum(c) || c == '_';
}

static int is_keyword(const char *text)
{
	static const char *const words[] = {"else", "func", "if", "let", "return", "while"};
	for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
		if (!strcmp(words[i], text))
			return 1;
	}
	return 0;
}

/* A comment goes from '#' to the end of the line. */
static int skip(struct source *source)
{
	int c = read_char(source);
	while (isspace(c) || c == '#') {
		int comment = c == '#';
		c = read_char(source);
		while (comment && c != '\n' && c != EOF)
			c = read_char(source);
	}
	return c;
}

static void read_word(struct source *source, struct token *token, int c)
{
	size_t size = 0;
	for (; is_word(c); c = read_char(source)) {
		token->text[size] = c;
		size++;
	}
	unread_char(source, c);
	token->text[size] = 0;
}

static void read_text(struct source *source, struct token *token)
{
	size_t size = 0;
	for (int c = read_char(source); c != '"' && c != EOF; c = read_char(source)) {
		if (size < sizeof token->text - 1)
			token->text[size++] = c;
	}
	token->text[size] = 0;
}

void token_read(struct source *source, struct token *out)
{
	struct token token;
	memset(&token, 0, sizeof token);
	int c = skip(source);
	token.line = source->line;
	if (c == EOF) {
		token.kind = TOKEN_END;
	} else if (isdigit(c)) {
		token.kind = TOKEN_NUMBER;
		read_word(source, &token, c);
	} else if (is_word(c)) {
		token.kind = TOKEN_NAME;
		read_word(source, &token, c);
		if (is_keyword(token.text))
			token.kind = TOKEN_KEYWORD;
	} else if (c == '"') {
		token.kind = TOKEN_TEXT;
		read_text(source, &token);
	} else {
		token.kind = TOKEN_SIGN;
		token.text[0] = c;
	}
	*out = token;
}

const char *token_kind_name(enum token_kind kind)
{
	static const char *const names[TOKEN_KINDS] = {"end",    "keyword", "name",
	                                               "number", "text",    "sign"};
	if (kind >= TOKEN_KINDS)
		abort();
	return names[kind];
}
