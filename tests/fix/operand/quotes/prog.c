/* Takes the quotes off its arguments. */
#include <stdio.h>
#include <string.h>

static char copy[64];

static const char *unquote(const char *text)
{
	size_t length = strlen(text);

	if (length > 60 || text[0] != '"')
		return text;
	memset(copy, 0, sizeof(copy));
	memcpy(copy, text + 1, length - 1);
	return copy;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		printf("[%s]\n", unquote(argv[i]));
	return 0;
}
