/* The words of .model files: see lexer.h. */
#include "outside/lexer.h"

#include <ctype.h>
#include <string.h>

void lexer_init(struct lexer *lexer, const char *text, size_t size)
{
	*lexer = (struct lexer){
		.at = text, .end = text + size, .line_start = text, .line = 1, .fresh = true};
}

bool word_is(const struct word *word, const char *text)
{
	size_t length = strlen(text);

	return (word->kind == WORD_NAME || word->kind == WORD_SIGN) && word->length == length &&
	       !memcmp(word->text, text, length);
}

static void skip_space(struct lexer *lexer)
{
	for (; lexer->at < lexer->end; lexer->at++) {
		if (*lexer->at == '\n') {
			lexer->line++;
			lexer->line_start = lexer->at + 1;
			lexer->fresh = true;
		} else if (*lexer->at == '#') {
			while (lexer->at + 1 < lexer->end && lexer->at[1] != '\n')
				lexer->at++;
		} else if (!isspace((unsigned char)*lexer->at)) {
			return;
		}
	}
}

bool lexer_sees(const struct lexer *lexer, char c)
{
	struct lexer ahead = *lexer;

	skip_space(&ahead);
	return ahead.at < ahead.end && *ahead.at == c;
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static void read_name(struct lexer *lexer, struct word *word)
{
	word->kind = WORD_NAME;
	while (lexer->at < lexer->end && is_name(*lexer->at))
		lexer->at++;
}

static void read_number(struct lexer *lexer, struct word *word)
{
	int64_t number = 0;

	word->kind = WORD_NUMBER;
	for (; lexer->at < lexer->end && is_name(*lexer->at); lexer->at++) {
		if (!isdigit((unsigned char)*lexer->at))
			word->kind = WORD_BAD;
		else if (number <= INT32_MAX)
			number = number * 10 + (*lexer->at - '0');
	}
	if (word->kind == WORD_NUMBER && number > INT32_MAX)
		word->kind = WORD_HUGE;
	word->number = word->kind == WORD_NUMBER ? (int32_t)number : 0;
}

static void read_sign(struct lexer *lexer, struct word *word)
{
	static const char *const signs[] = {"...", "..", "==", "!=", "<=", ">=", "&&", "||",
	                                    "(",   ")",  "[",  "]",  ",",  ";",  ":",  "*",
	                                    "+",   "-",  "&",  "!",  "<",  ">"};
	size_t left = (size_t)(lexer->end - lexer->at);

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		size_t length = strlen(signs[i]);

		if (length <= left && !memcmp(lexer->at, signs[i], length)) {
			word->kind = WORD_SIGN;
			lexer->at += length;
			return;
		}
	}
	word->kind = WORD_BAD;
	lexer->at++;
}

struct word lexer_next(struct lexer *lexer)
{
	struct word word = {0};

	skip_space(lexer);
	word.text = lexer->at;
	word.line = lexer->line;
	word.column = (uint32_t)(lexer->at - lexer->line_start) + 1;
	word.first = lexer->fresh;
	lexer->fresh = false;
	if (lexer->at == lexer->end)
		return word;
	if (isdigit((unsigned char)*lexer->at))
		read_number(lexer, &word);
	else if (is_name(*lexer->at))
		read_name(lexer, &word);
	else
		read_sign(lexer, &word);
	word.length = (uint32_t)(lexer->at - word.text);
	return word;
}
