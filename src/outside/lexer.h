/* The words of .model files. A word is a view into the text: valid as long as the text is. */
#ifndef HENCE_OUTSIDE_LEXER_H
#define HENCE_OUTSIDE_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum word_kind {
	WORD_END,
	WORD_NAME,
	WORD_NUMBER,
	WORD_SIGN, /* one of ( ) [ ] , ; : * + - & ! < > .. ... == != <= >= && || */
	WORD_BAD,  /* a character that has no place in the language */
	WORD_HUGE, /* a number that does not fit in 31 bits */
};

struct word {
	enum word_kind kind;
	const char *text;
	uint32_t length;
	int32_t number;
	uint32_t line, column; /* from 1 */
	bool first;            /* on its line */
};

struct lexer {
	const char *at, *end;
	const char *line_start;
	uint32_t line;
	bool fresh; /* nothing but space so far on this line */
};

/* Starts to read; the text need not be terminated. */
void lexer_init(struct lexer *lexer, const char *text, size_t size);

/* The next word; WORD_END for ever at the end. Comments run from # to the end of the line. */
struct word lexer_next(struct lexer *lexer);

/* True when the next character that is not a space is `c`. */
bool lexer_sees(const struct lexer *lexer, char c);

/* True when the word is exactly this text. */
bool word_is(const struct word *word, const char *text);

#endif
