/* Words, comments and strings: prog TEXT */
#include <stdio.h>

enum state { OUTSIDE, WORD, COMMENT, STRING, ESCAPED };

static enum state next(enum state s, char c)
{
	if (s == COMMENT)
		return c == ')' ? OUTSIDE : COMMENT;
	if (s == ESCAPED) return OUTSIDE;
	if (s == STRING)
		return c == '\\' ? ESCAPED : c == '\'' ? OUTSIDE : STRING;
	if (c == '(')
		return COMMENT;
	if (c == '\'')
		return STRING;
	return c == ' ' ? OUTSIDE : WORD;
}

int main(int argc, char **argv)
{
	enum state s = OUTSIDE;
	int words = 0, strings = 0;

	for (const char *c = argc > 1 ? argv[1] : ""; *c; c++) {
		enum state n = next(s, *c);

		words += n == WORD && s != WORD;
		strings += n == STRING && s != STRING && s != ESCAPED;
		putchar("owcse"[n]);
		s = n;
	}
	printf(" %d words, %d strings\n", words, strings);
	return 0;
}
