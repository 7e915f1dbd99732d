/*
 * A shop's stock: reads "name count" lines from standard input, then sells the goods named as
 * arguments. It fails when somebody asks for what is not there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
	struct item *next;
	int count;
	char name[16];
};

static struct item *add(struct item *list, const char *name, int count)
{
	struct item *item = calloc(1, sizeof(*item));

	item->next = list;
	item->count = count;
	strncpy(item->name, name, sizeof(item->name) - 1);
	return item;
}

static struct item *find(struct item *list, const char *name)
{
	while (list && strcmp(list->name, name))
		list = list->next;
	return list;
}

static int sell(struct item *list, const char *name)
{
	struct item *item = find(list, name);

	item->count--;
	return item->count;
}

int main(int argc, char **argv)
{
	struct item *list = NULL;
	char name[16];
	int count;

	while (scanf("%15s %d", name, &count) == 2)
		list = add(list, name, count);
	for (int i = 1; i < argc; i++)
		printf("%s: %d left\n", argv[i], sell(list, argv[i]));
	return 0;
}
