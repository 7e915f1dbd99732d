/* Which lines have a fixed text: [-w] TEXT LINE...   -w: only as a whole word. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int match_words;

static int is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Where the text begins in the line; -1: it is not there. */
static int search(const char *line, const char *text)
{
	int length = strlen(text);
	int last = (int)strlen(line) - length;
	for (int start = 0; start <= last; start++) {
		if (strncmp(line + start, text, length) != 0)
			continue;
		if (!match_words)
			return start;
		int inside = start > 0 && is_word(line[start - 1]);
		if (is_word(line[start + length]))
			inside = 1;
		if (!inside)
			return start;
		start = last;
	}
	return -1;
}

int main(int argc, char *argv[])
{
	int i = 1, found = 0;
	if (i < argc && strcmp(argv[i], "-w") == 0) {
		match_words = 1;
		i++;
	}
	const char *text = argv[i++];
	for (; i < argc; i++) {
		int start = search(argv[i], text);
		if (start >= 0) {
			printf("%s\n", argv[i]);
			found++;
		}
	}
	printf("%d found\n", found);
	return 0;
}
