#include <stdlib.h>
struct node { struct node *next; int key; };
static struct node *push(struct node *next, int key)
{
	struct node *n = malloc(sizeof(*n));
	n->next = next;
	n->key = key;
	return n;
}
int main(void)
{
	struct node *list = push(push(NULL, 1), 2);
	for (struct node *p = list; p; p = p->next)
		free(p);
	return 0;
}
