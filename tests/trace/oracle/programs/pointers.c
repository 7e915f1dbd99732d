/* Pointers to functions, to pointers and into the heap: a list, a tree, a table of operations. */
#include <stdio.h>
#include <stdlib.h>

struct node {
	int key;
	struct node *next;
	struct node *left, *right;
};

typedef int (*operation)(int, int);

static int add(int a, int b)
{
	return a + b;
}

static int subtract(int a, int b)
{
	return a - b;
}

static int choose(int a, int b)
{
	return a & 1 ? a : b;
}

static operation operations[] = {add, subtract, choose};
static struct node *first;

static struct node *make(int key)
{
	struct node *n = malloc(sizeof(*n));

	if (!n)
		abort();
	n->key = key;
	n->next = NULL;
	n->left = n->right = NULL;
	return n;
}

static void append(struct node **end, struct node *n)
{
	while (*end)
		end = &(*end)->next;
	*end = n;
}

static void insert(struct node **root, struct node *n)
{
	while (*root)
		root = n->key < (*root)->key ? &(*root)->left : &(*root)->right;
	*root = n;
}

static int fold(const struct node *n, operation what, int start)
{
	if (!n)
		return start;
	start = fold(n->left, what, start);
	start = what(start, n->key);
	return fold(n->right, what, start);
}

static void each(const struct node *n, void (*tell)(const struct node *, void *), void *context)
{
	for (; n; n = n->next)
		tell(n, context);
}

static void count_even(const struct node *n, void *context)
{
	int *count = context;

	if (n->key % 2 == 0)
		++*count;
}

/* Takes every second node out of the list; its memory is used again. */
static void thin(struct node **at)
{
	while (*at && (*at)->next) {
		struct node *gone = (*at)->next;

		(*at)->next = gone->next;
		free(gone);
		at = &(*at)->next;
	}
}

int main(void)
{
	struct node *root = NULL;
	unsigned state = 99;
	int even = 0, sum = 0;

	for (int i = 0; i < 8; i++) {
		state = state * 69069u + 1;
		append(&first, make((int)(state >> 24)));
	}
	each(first, count_even, &even);
	thin(&first);
	for (int i = 0; i < 5; i++) {
		state = state * 69069u + 1;
		insert(&root, make((int)(state >> 25)));
	}
	for (unsigned i = 0; i < sizeof(operations) / sizeof(*operations); i++)
		sum = sum * 3 + fold(root, operations[i], (int)i);
	while (first) {
		struct node *next = first->next;

		sum += first->key;
		free(first);
		first = next;
	}
	printf("%d %d\n", even, sum);
	return 0;
}
