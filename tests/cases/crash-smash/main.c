/* Dies after a copy that runs over the end of a local and over the return address. */
#include <stdio.h>
#include <string.h>

static int parse(const char *text)
{
	char word[8];

	strcpy(word, text);
	return word[0];
}

int main(void)
{
	char text[512];

	printf("%d\n", parse("short"));
	fflush(stdout);
	memset(text, 0x41, sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	printf("%d\n", parse(text));
	return 0;
}
