/* From characters to tokens. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "calc.h"

void lexer_fail(struct lexer *lexer, const char *message)
{
	lexer->message = message;
	longjmp(*lexer->failed, 1);
}

static void read_name(struct lexer *lexer)
{
	int size = 0;
	while (isalpha((unsigned char)lexer->text[lexer->at])) {
		if (size == (int)sizeof lexer->token.as.name - 1)
			lexer_fail(lexer, "name is too long");
		lexer->token.as.name[size++] = lexer->text[lexer->at++];
	}
	lexer->token.as.name[size] = 0;
	lexer->token.kind = TOKEN_NAME;
}

static void read_number(struct lexer *lexer)
{
	long value = 0;
	while (isdigit((unsigned char)lexer->text[lexer->at]))
		value = value * 10 + (lexer->text[lexer->at++] - '0');
	lexer->token.as.number = value;
	lexer->token.kind = TOKEN_NUMBER;
}

void lexer_next(struct lexer *lexer)
{
	while (lexer->text[lexer->at] == ' ')
		lexer->at++;
	unsigned char c = lexer->text[lexer->at];
	if (!c) {
		lexer->token.kind = TOKEN_END;
	} else if (isdigit(c)) {
		read_number(lexer);
	} else if (isalpha(c)) {
		read_name(lexer);
	} else if (strchr("+-*/(),", c)) {
		lexer->token.kind = TOKEN_SIGN;
		lexer->token.as.sign = c;
		lexer->at++;
	} else {
		lexer_fail(lexer, "strange character");
	}
}

void lexer_start(struct lexer *lexer, const char *text, jmp_buf *failed)
{
	lexer->text = text;
	lexer->at = 0;
	lexer->failed = failed;
	lexer->message = NULL;
}
