/* Fills paragraphs: lines of a given width, words spread over them. */
#ifndef WRAP_H
#define WRAP_H

#define WORDS 64
#define WIDTH 80

/* The words of one line of output. */
struct line {
	const char *words[WORDS];
	int lengths[WORDS];
	int count;
	int letters; /* of all words */
};

void line_add(struct line *line, const char *word);
/* How long it is with one blank between two words. */
int line_length(const struct line *line);
/* As text of `width` columns; valid until the next call. */
const char *line_justify(const struct line *line, int width);
const char *line_plain(const struct line *line);
void line_clear(struct line *line);

#endif
