/*
 * Places that the code does not name: through void *, in the heap, in callers, in the environment.
 * args: xyz
 */
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; char name[8]; int key; };
struct set { struct node *first; int *sizes; };
static struct set set;
static void clear(void *where)
{
	*(char *)where = 0;
}
static void bump(void *where)
{
	++*(int *)where;
}
static int again(void *where, int n)
{
	int mine = n;
	if (n)
		return again(where, n - 1);
	bump(where);
	bump(&mine);
	return mine;
}
int main(int argc, char **argv)
{
	struct node *a = calloc(1, sizeof(*a)), *b = calloc(1, sizeof(*b));
	int local[2] = {1, 2};
	void *lost = malloc(16);

	set.first = a;
	a->next = b;
	b = NULL;
	a = NULL;
	set.sizes = malloc(4 * sizeof(int));
	set.sizes[2] = 3;
	bump(&set.sizes[2]);
	bump(&set.first->next->key);
	clear(&set.first->name[4]);
	again(&local[1], 1);
	clear(argv[1] + 3);
	clear(lost);
	return 0;
}
