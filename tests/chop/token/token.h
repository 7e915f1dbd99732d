/* The tokens of a small language. */
#ifndef TOKEN_H
#define TOKEN_H

#include <stdio.h>

enum token_kind { TOKEN_END, TOKEN_KEYWORD, TOKEN_NAME, TOKEN_NUMBER, TOKEN_TEXT, TOKEN_SIGN };
#define TOKEN_KINDS 6

struct token {
	char text[20];
	enum token_kind kind;
	int line;
};

struct source {
	FILE *in;
	int line;
};

void token_read(struct source *source, struct token *out);
const char *token_kind_name(enum token_kind kind);

#endif
