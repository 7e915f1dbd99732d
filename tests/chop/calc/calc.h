/* A calculator that shows each step. */
#ifndef CALC_H
#define CALC_H

#include <setjmp.h>

enum kind { TOKEN_END, TOKEN_NUMBER, TOKEN_NAME, TOKEN_SIGN };

struct token {
	enum kind kind;
	union {
		long number;
		char name[8];
		char sign;
	} as;
};

struct lexer {
	const char *text;
	int at;
	struct token token; /* the one that was read last */
	jmp_buf *failed;
	const char *message;
};

typedef long (*function)(long, long);

void lexer_start(struct lexer *lexer, const char *text, jmp_buf *failed);
void lexer_next(struct lexer *lexer);
void lexer_fail(struct lexer *lexer, const char *message);

/* NULL: there is no such function. */
function function_find(const char *name);

long parse_sum(struct lexer *lexer);

#endif
