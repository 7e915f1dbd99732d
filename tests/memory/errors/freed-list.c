// asan: heap-use-after-free
// valgrind: Invalid read
#include <stdio.h>
#include <stdlib.h>

struct item {
	struct item *next, *prev;
	int key[16];
};

int main(void)
{
	struct item *list = NULL;
	for (int i = 0; i < 2; i++) {
		struct item *item = calloc(1, sizeof(*item)); /*allocated*/
		item->next = list;
		list = item;
	}
	struct item *first = list;
	free(first); /*freed*/
	list = first->next; /*error*/
	puts(list == first ? "same" : "other");
	return 0;
}
