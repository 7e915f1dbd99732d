#include <stdlib.h>
#include <string.h>
#include "table.h"

static unsigned long hash_of(const char *text)
{
	unsigned long hash = 5381;
	while (*text)
		hash = hash * 33 + (unsigned char)*text++;
	return hash;
}

static struct word *add(struct table *table, const char *text, unsigned long hash)
{
	if (table->count == table->room) {
		table->room = table->room ? 2 * table->room : 4;
		table->words = realloc(table->words, table->room * sizeof *table->words);
	}
	struct word *word = &table->words[table->count++];
	word->text = strdup(text);
	word->hash = hash;
	word->count = 0;
	word->followed = 0;
	return word;
}

struct word *table_word(struct table *table, const char *text)
{
	unsigned long hash = hash_of(text);
	for (int i = 0; i < table->count; i++) {
		struct word *word = &table->words[i];
		if (word->hash == hash && !strcmp(word->text, text))
			return word;
	}
	return add(table, text, hash);
}

static int by_count(const void *a, const void *b)
{
	const struct word *x = a, *y = b;
	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return strcmp(x->text, y->text);
}

void table_sort(struct table *table)
{
	qsort(table->words, table->count, sizeof *table->words, by_count);
}
