/* How often each argument is there, in the order in which they first come. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 8

struct entry {
	const char *word;
	int count;
	struct entry *next;  /* of the bucket */
	struct entry *later; /* that came after it */
};

static struct entry *buckets[BUCKETS];
static struct entry *first, *last;

static unsigned bucket_of(const char *word)
{
	unsigned sum = 0;
	for (; *word; word++)
		sum += (unsigned char)*word;
	return sum % BUCKETS;
}

static struct entry *find(const char *word)
{
	struct entry *at = buckets[bucket_of(word)];
	while (at) {
		if (strncmp(at->word, word, strlen(at->word)) == 0)
			break;
		at = at->next;
	}
	return at;
}

static struct entry *add(const char *word)
{
	unsigned bucket = bucket_of(word);
	struct entry *entry = calloc(1, sizeof *entry);
	entry->word = word;
	entry->next = buckets[bucket];
	buckets[bucket] = entry;
	if (last)
		last->later = entry;
	else
		first = entry;
	last = entry;
	return entry;
}

int main(int argc, char *argv[])
{
	for (int i = 1; i < argc; i++) {
		struct entry *entry = find(argv[i]);
		if (!entry)
			entry = add(argv[i]);
		entry->count++;
	}
	for (struct entry *entry = first; entry; entry = entry->later)
		printf("%d %s\n", entry->count, entry->word);
	return 0;
}
