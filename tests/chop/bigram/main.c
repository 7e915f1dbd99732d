/*
 * bigram [LENGTH]: counts the words of standard input that have at least this length, and how many
 * of them another one follows.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
static unsigned count_words(FILE *in, struct table *table, size_t least)
{
	char text[TEXT];
	struct word *previous = NULL;
	unsigned pairs = 0;
	while (read_word(in, text)) {
		if (strlen(text) < least)
			continue;
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

int main(int argc, char **argv)
{
	struct table table = {NULL, 0, 0};
	size_t least = 1;
	if (argc > 1)
		least = strtoul(argv[1], NULL, 10);
	unsigned pairs = count_words(stdin, &table, least), sum = 0;
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
