/* wrap [-j] WIDTH: standard input in lines of at most that width; -j: of exactly that width. */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "wrap.h"

static int width = 40;
static int justify;

static void print_line(struct line *line, int last)
{
	const char *text = justify && !last ? line_justify(line, width) : line_plain(line);
	assert((int)strlen(text) <= width);
	puts(text);
	line_clear(line);
}

/* Lines live as long as their words: the paragraph is split in place. */
static void wrap(char *text)
{
	struct line line = {.count = 0};
	for (char *word = strtok(text, " \t\n"); word; word = strtok(NULL, " \t\n")) {
		if ((int)strlen(word) > width)
			word[width] = 0;
		if (line.count && line_length(&line) + 1 + (int)strlen(word) > width)
			print_line(&line, 0);
		line_add(&line, word);
		if (line.count == WORDS)
			print_line(&line, 0);
	}
	if (line.count)
		print_line(&line, 1);
}

static int is_blank(const char *line)
{
	while (isspace((unsigned char)*line))
		line++;
	return !*line;
}

int main(int argc, char **argv)
{
	char line[200], text[4000] = "";
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-j"))
			justify = 1;
		else
			width = atoi(argv[i]);
	}
	if (width < 8 || width > WIDTH)
		return 2;
	while (fgets(line, sizeof line, stdin)) {
		if (is_blank(line)) {
			wrap(text);
			puts("");
			text[0] = 0;
		} else if (strlen(text) + strlen(line) < sizeof text) {
			strcat(text, line);
		}
	}
	wrap(text);
	return 0;
}
