/* Removes the comments of C from its input; strings stay as they are. */
#include <stdio.h>

enum state { CODE, SLASH, COMMENT, STAR, STRING, ESCAPE };

static void put(int c)
{
	putchar(c);
}

static enum state in_code(int c)
{
	if (c == '/')
		return SLASH;
	put(c);
	return c == '"' ? STRING : CODE;
}

static enum state after_slash(int c)
{
	if (c == '*')
		return COMMENT;
	put('/');
	return in_code(c);
}

static enum state in_string(int c)
{
	put(c);
	if (c == '\\')
		return ESCAPE;
	return c == '"' ? CODE : STRING;
}

static enum state next(enum state state, int c)
{
	switch (state) {
	case CODE:
		return in_code(c);
	case SLASH:
		return after_slash(c);
	case COMMENT:
		return c == '*' ? STAR : COMMENT;
	case STAR:
		return c == '/' ? CODE : COMMENT;
	case STRING:
		return in_string(c);
	case ESCAPE:
		put(c);
		return STRING;
	}
	return state;
}

int main(void)
{
	enum state state = CODE;
	int c;
	while ((c = getchar()) != EOF)
		state = next(state, c);
	return 0;
}
