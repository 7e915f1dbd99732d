// run: 3
// run: 5
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	char *key;
	int value;
	struct entry *next;
};

struct table {
	struct entry *buckets[3];
	void *user;
	void (*drop)(void *);
	FILE *log;
};

struct pair {
	int first, second;
};

static struct table *table;
static void *opaque;
static int *grown, *past, *gone;
static struct pair *pairs[2];
static long as_number;

static void *must(size_t size)
{
	void *p = malloc(size);

	if (!p)
		abort();
	return p;
}

static void put(const char *key, int value)
{
	struct entry *e = must(sizeof(*e));
	unsigned bucket = (unsigned char)key[0] % 3;

	e->key = strdup(key);
	e->value = value;
	e->next = table->buckets[bucket];
	table->buckets[bucket] = e;
}

int main(int argc, char **argv)
{
	int n = atoi(argv[1]);
	char name[8];

	table = calloc(1, sizeof(*table));
	table->log = stderr;
	table->drop = free;
	for (int i = 0; i < n; i++) {
		sprintf(name, "%c%d", 'a' + i, n);
		put(name, i * i);
	}
	table->user = must(sizeof(struct pair));
	((struct pair *)table->user)->second = n;
	opaque = must(2 * sizeof(int));
	((int *)opaque)[0] = 1;
	((int *)opaque)[1] = n;
	grown = NULL;
	for (int i = 0; i < n; i++) {
		grown = realloc(grown, (i + 1) * sizeof(int));
		grown[i] = i;
	}
	past = grown + n;
	gone = must(sizeof(int));
	free(gone);
	pairs[0] = pairs[1] = must(sizeof(struct pair));
	pairs[0]->first = 1;
	pairs[1]->second = n;
	as_number = (long)pairs[0];
	for (int i = 0; i < 3; i++) /*end*/
		for (struct entry *e = table->buckets[i]; e; e = e->next)
			printf("%s %d ", e->key, e->value);
	printf("%d %d %d\n", ((struct pair *)table->user)->second, ((int *)opaque)[1], n);
	for (int *p = grown; p < past; p++)
		printf("%d ", *p);
	pairs[1]->first++;
	printf("%d %d %s\n", pairs[0]->first, pairs[0]->second, name);
	return pairs[0] != (struct pair *)as_number;
}
