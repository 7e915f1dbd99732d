/* A hash table that grows. Its arguments are keys; the value of a key is its position. Prints the value
   of the first key. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	const char *key;
	int value;
	struct entry *next;
};

struct table {
	struct entry **buckets;
	unsigned size, used;
};

static unsigned hash(const char *key)
{
	unsigned sum = 0;
	while (*key)
		sum = sum * 31 + (unsigned char)*key++;
	return sum;
}

static void link_entry(struct table *table, struct entry *entry)
{
	unsigned bucket = hash(entry->key) % table->size;
	entry->next = table->buckets[bucket];
	table->buckets[bucket] = entry;
}

static void grow(struct table *table)
{
	struct entry **old = table->buckets;
	unsigned old_size = table->size;
	table->size *= 2;
	table->buckets = calloc(table->size, sizeof *table->buckets);
	for (unsigned i = 0; i < old_size; i++) {
		for (struct entry *at = old[i]; at; at = at->next)
			link_entry(table, at);
	}
	free(old);
}

static void put(struct table *table, const char *key, int value)
{
	if (table->used == table->size)
		grow(table);
	struct entry *entry = malloc(sizeof *entry);
	entry->key = key;
	entry->value = value;
	link_entry(table, entry);
	table->used++;
}

static const struct entry *get(const struct table *table, const char *key)
{
	const struct entry *at = table->buckets[hash(key) % table->size];
	while (at && strcmp(at->key, key) != 0)
		at = at->next;
	return at;
}

int main(int argc, char *argv[])
{
	struct table table = {calloc(4, sizeof(struct entry *)), 4, 0};
	for (int i = 1; i < argc; i++)
		put(&table, argv[i], i);
	const struct entry *found = get(&table, argv[1]);
	if (found)
		printf("%s is number %d\n", argv[1], found->value);
	else
		printf("%s is missing\n", argv[1]);
	return 0;
}
