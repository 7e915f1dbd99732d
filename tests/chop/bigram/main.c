/* bigram: counts the words of standard input, and how many of them another word follows. */
#include <ctype.h>
#include <stdio.h>
#include "table.h"

#define TEXT 32

/* Reads a word; false at the end. */
static int read_word(FILE *in, char *out)
{
	int size = 0, c = getc(in);
	while (c != EOF && !isalpha(c))
		c = getc(in);
	for (; isalpha(c); c = getc(in)) {
		if (size < TEXT - 1)
			out[size++] = tolower(c);
	}
	out[size] = 0;
	return size > 0;
}

/* Returns how many words another one followed. */
static unsigned count_words(FILE *in, struct table *table)
{
	char text[TEXT];
	struct word *previous = NULL;
	unsigned pairs = 0;
	while (read_word(in, text)) {
		struct word *word = table_word(table, text);
		word->count++;
		if (previous) {
			previous->followed++;
			pairs++;
		}
		previous = word;
	}
	return pairs;
}

int main(void)
{
	struct table table = {NULL, 0, 0};
	unsigned pairs = count_words(stdin, &table), sum = 0;
	table_sort(&table);
	for (int i = 0; i < table.count; i++) {
		printf("%s: %u, followed %u times\n", table.words[i].text, table.words[i].count,
		       table.words[i].followed);
		sum += table.words[i].followed;
	}
	if (sum != pairs) {
		fprintf(stderr, "%u pairs, but %u were counted\n", pairs, sum);
		return 4;
	}
	return 0;
}
