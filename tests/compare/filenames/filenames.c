/* Which files have a text: [-h] [-H] TEXT NAME=CONTENT...   -h: without names, -H: with names; of several
   the last counts. Else there are names when there are several files. */
#include <stdio.h>
#include <string.h>

enum names { AUTOMATIC, NEVER, ALWAYS };

static enum names names = AUTOMATIC;

static void read_option(char option)
{
	switch (option) {
	case 'h':
		names = NEVER;
		break;
	case 'H':
		if (names == AUTOMATIC)
			names = ALWAYS;
		break;
	}
}

static void look_into(const char *file, const char *text, int named)
{
	const char *content = strchr(file, '=') + 1;
	if (!strstr(content, text))
		return;
	if (named)
		printf("%.*s:", (int)(content - file) - 1, file);
	printf("%s\n", content);
}

int main(int argc, char *argv[])
{
	int i = 1;
	for (; i < argc && argv[i][0] == '-'; i++)
		read_option(argv[i][1]);
	const char *text = argv[i++];
	int named = names == ALWAYS;
	if (names == AUTOMATIC)
		named = argc - i > 1;
	for (; i < argc; i++)
		look_into(argv[i], text, named);
	return 0;
}
