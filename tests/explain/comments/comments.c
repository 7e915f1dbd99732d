/* Counts the letters of a C text that are not in comments. */
#include <ctype.h>
#include <stdio.h>

enum state { CODE, SLASH, COMMENT, STAR };

static enum state state = CODE;
static int letters;

static void in_code(int c)
{
	if (c == '/')
		state = SLASH;
	else if (isalpha(c))
		letters++;
}

static void behind_slash(int c)
{
	if (c == '*') {
		state = COMMENT;
	} else {
		state = CODE;
		in_code(c);
	}
}

static void in_comment(int c)
{
	if (c == '*')
		state = STAR;
}

static void behind_star(int c)
{
	state = c == '/' ? CODE : COMMENT;
}

static void step(int c)
{
	switch (state) {
	case CODE: in_code(c); break;
	case SLASH: behind_slash(c); break;
	case COMMENT: in_comment(c); break;
	case STAR: behind_star(c); break;
	}
}

int main(int argc, char *argv[])
{
	if (argc != 2)
		return 2;
	for (const char *at = argv[1]; *at; at++)
		step((unsigned char)*at);
	printf("%d letters\n", letters);
	return 0;
}
