/* Reverses a list and prints it, with the first number once more. */
#include <stdio.h>
#include <stdlib.h>

struct node {
	int value;
	struct node *next;
};

static struct node *reverse(struct node *list)
{
	struct node *last = NULL;

	while (list) {
		struct node *next = list->next;

		list->next = last;
		last = next;
		list = next;
	}
	return last;
}

int main(int argc, char **argv)
{
	struct node *list = NULL, **end = &list;

	for (int i = 1; i < argc; i++) {
		struct node *n = calloc(1, sizeof(*n));

		n->value = atoi(argv[i]);
		*end = n;
		end = &n->next;
	}
	list = reverse(list);
	for (struct node *n = list; n; n = n->next)
		printf("%d ", n->value);
	if (argc > 1)
		printf("(%d)", list->value);
	printf("\n");
	return 0;
}
