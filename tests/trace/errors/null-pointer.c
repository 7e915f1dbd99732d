#include <stdio.h>
struct node { int key; struct node *next; };
int main(void)
{
	struct node n = {1, NULL};
	struct node *p = &n;
	printf("%d\n", p->key);
	return p->next->key;
}
