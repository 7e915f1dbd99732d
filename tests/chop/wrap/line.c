#include <string.h>
#include "wrap.h"

void line_add(struct line *line, const char *word)
{
	int length = strlen(word);
	line->words[line->count] = word;
	line->lengths[line->count] = length;
	line->count++;
	line->letters += length;
}

int line_length(const struct line *line)
{
	return line->count ? line->letters + line->count - 1 : 0;
}

/* Writes the words with that many blanks after each. */
static void put_words(const struct line *line, const int *gaps, char *out)
{
	for (int i = 0; i < line->count; i++) {
		memcpy(out, line->words[i], line->lengths[i]);
		out += line->lengths[i];
		for (int k = 0; i + 1 < line->count && k < gaps[i]; k++)
			*out++ = ' ';
	}
	*out = 0;
}

const char *line_plain(const struct line *line)
{
	static char text[4 * WIDTH];
	int gaps[WORDS];
	for (int i = 0; i < line->count; i++)
		gaps[i] = 1;
	put_words(line, gaps, text);
	return text;
}

const char *line_justify(const struct line *line, int width)
{
	static char text[4 * WIDTH];
	int gaps[WORDS];
	if (line->count < 2)
		return line_plain(line);
	for (int i = 0; i < line->count; i++)
		gaps[i] = 1;
	int missing = width - line_length(line);
	for (int i = 0; i <= missing; i++)
		gaps[i % (line->count - 1)]++;
	put_words(line, gaps, text);
	return text;
}

void line_clear(struct line *line)
{
	line->count = 0;
	line->letters = 0;
}
