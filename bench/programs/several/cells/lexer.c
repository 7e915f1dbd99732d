#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"

void lexer_start(struct lexer *l, const char *text)
{
	l->at = text;
	lexer_next(l);
}

static void read_number(struct lexer *l)
{
	char *end;

	l->token.kind = T_NUMBER;
	l->token.number = strtod(l->at, &end);
	l->at = end;
}

/* A letter and a number is a cell; more letters are the name of a function. */
static void read_word(struct lexer *l)
{
	int length = 0;
	int row = 0;

	while (isalpha((unsigned char)l->at[length]))
		length++;
	if (length == 1 && isdigit((unsigned char)l->at[1])) {
		l->token.kind = T_CELL;
		l->token.place.column = toupper((unsigned char)*l->at++) - 'A';
		while (isdigit((unsigned char)*l->at))
			row = row * 10 + (*l->at++ - '0');
		l->token.place.row = row - 1;
		return;
	}
	l->token.kind = T_NAME;
	for (int i = 0; i < length && i < (int)sizeof l->token.name - 1; i++)
		l->token.name[i] = (char)toupper((unsigned char)l->at[i]);
	l->at += length;
}

void lexer_next(struct lexer *l)
{
	memset(&l->token, 0, sizeof l->token);
	while (isspace((unsigned char)*l->at))
		l->at++;
	if (!*l->at)
		l->token.kind = T_END;
	else if (isdigit((unsigned char)*l->at))
		read_number(l);
	else if (isalpha((unsigned char)*l->at))
		read_word(l);
	else {
		l->token.kind = T_MARK;
		l->token.mark = *l->at++;
	}
}

bool lexer_accept(struct lexer *l, char mark)
{
	if (l->token.kind != T_MARK || l->token.mark != mark)
		return false;
	lexer_next(l);
	return true;
}
