/* A list that is kept in order while it grows. */
#include <stdio.h>
#include <stdlib.h>

struct node {
	int key;
	struct node *next;
};

static void insert(struct node *head, int key)
{
	struct node *at = head, *made = calloc(1, sizeof(*made));

	made->key = key;
	while (at->next && at->next->key > key)
		at = at->next;
	made->next = at->next;
	at->next = made;
}

int main(int argc, char **argv)
{
	struct node head = {0, NULL};

	for (int i = 1; i < argc; i++)
		insert(&head, atoi(argv[i]));
	for (struct node *n = head.next; n; n = n->next)
		printf("%d ", n->key);
	printf("\n");
	return 0;
}
