/* Replaces tabs (written as \t) by blanks, and says how wide the line has become. */
#include <stdio.h>
#include <string.h>

#define TAB  8
#define ROOM 64

static char line[ROOM];
static int column;

static void put(char c)
{
	if (column < ROOM - 1)
		line[column++] = c;
}

static void expand(const char *text)
{
	while (*text) {
		if (text[0] == '\\' && text[1] == 't') {
			int blanks = TAB - column % 4;
			for (int i = 0; i < blanks; i++)
				put(' ');
			text += 2;
		} else {
			put(*text++);
		}
	}
	line[column] = '\0';
}

int main(int argc, char *argv[])
{
	if (argc != 2)
		return 2;
	expand(argv[1]);
	printf("%d\n", column);
	printf("%s\n", line);
	return 0;
}
