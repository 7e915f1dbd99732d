/* Keeps numbers in order in a list that is linked both ways, and prints them from the last to the
   first. */
#include <stdio.h>
#include <stdlib.h>

struct item {
	int value;
	struct item *next, *previous;
};

struct list {
	struct item *first, *last;
};

static struct item *item_of(int value)
{
	struct item *item = malloc(sizeof *item);
	item->value = value;
	item->next = NULL;
	item->previous = NULL;
	return item;
}

static struct item *find_larger(struct list *list, int value)
{
	struct item *at = list->first;
	while (at && at->value <= value)
		at = at->next;
	return at;
}

static void insert(struct list *list, int value)
{
	struct item *item = item_of(value);
	struct item *larger = find_larger(list, value);
	struct item *before = larger ? larger->previous : list->last;
	item->previous = before;
	item->next = larger;
	if (before)
		before->next = item;
	else
		list->first = item;
	if (!larger)
		list->last = item;
}

int main(int argc, char *argv[])
{
	struct list list = {NULL, NULL};
	for (int i = 1; i < argc; i++)
		insert(&list, atoi(argv[i]));
	for (struct item *at = list.last; at; at = at->previous)
		printf("%d\n", at->value);
	return 0;
}
