/* The words of a text, and how often each is followed by another. */
#ifndef TABLE_H
#define TABLE_H

struct word {
	char *text;
	unsigned long hash;
	unsigned count;
	unsigned followed;
};

struct table {
	struct word *words;
	int count, room;
};

/* The word, added if it is new. Valid until the next call. */
struct word *table_word(struct table *table, const char *text);

void table_sort(struct table *table);

#endif
