#include <stdlib.h>
struct node { struct node *next; int key; };
int main(void)
{
	struct node *list = malloc(sizeof(*list));
	list->next = NULL;
	list->key = 4;
	free(list);
	return list->key == 77;
}
