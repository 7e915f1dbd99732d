/* Dies by writing to a string literal. */
#include <ctype.h>
#include <stdio.h>

static void upper(char *s)
{
	for (; *s; s++)
		*s = (char)toupper((unsigned char)*s);
}

int main(void)
{
	char own[] = "mine", *literal = "theirs";

	upper(own);
	puts(own);
	fflush(stdout);
	upper(literal);
	puts(literal);
	return 0;
}
