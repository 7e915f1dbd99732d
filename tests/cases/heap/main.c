/* Heap: lists, a tree with deletion, growing arrays, calloc, aligned blocks, many sizes freed out
 * of order. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	struct node *next;
	int value;
};

struct tree {
	struct tree *left, *right;
	int key;
	char *name;
};

static struct node *push(struct node *head, int value)
{
	struct node *n = malloc(sizeof(*n));

	n->next = head;
	n->value = value;
	return n;
}

static struct node *reverse(struct node *head)
{
	struct node *result = NULL;

	while (head) {
		struct node *next = head->next;

		head->next = result;
		result = head;
		head = next;
	}
	return result;
}

static void remove_if(struct node **link, int divisor)
{
	while (*link) {
		struct node *n = *link;

		if (n->value % divisor == 0) {
			*link = n->next;
			free(n);
		} else {
			link = &n->next;
		}
	}
}

static void insert(struct tree **t, int key)
{
	char name[32];

	while (*t) {
		if ((*t)->key == key)
			return;
		t = key < (*t)->key ? &(*t)->left : &(*t)->right;
	}
	*t = calloc(1, sizeof(**t));
	(*t)->key = key;
	snprintf(name, sizeof(name), "k%d", key);
	(*t)->name = strdup(name);
}

static void drop(struct tree **t, int key)
{
	while (*t && (*t)->key != key)
		t = key < (*t)->key ? &(*t)->left : &(*t)->right;
	if (*t) {
		struct tree *gone = *t, **low = &gone->right, *next;

		if (!gone->right) {
			*t = gone->left;
		} else {
			while ((*low)->left)
				low = &(*low)->left;
			next = *low;
			*low = next->right;
			next->left = gone->left;
			next->right = gone->right;
			*t = next;
		}
		free(gone->name);
		free(gone);
	}
}

static unsigned walk(const struct tree *t, int depth)
{
	if (!t)
		return (unsigned)depth;
	return walk(t->left, depth + 1) * 31 + (unsigned)t->key + t->name[1] +
	       walk(t->right, depth + 1) * 17;
}

static void destroy(struct tree *t)
{
	if (t) {
		destroy(t->left);
		destroy(t->right);
		free(t->name);
		free(t);
	}
}

static void lists(void)
{
	struct node *head = NULL;
	unsigned sum = 0;

	for (int i = 0; i < 50; i++)
		head = push(head, i * i % 23);
	head = reverse(head);
	remove_if(&head, 3);
	for (struct node *n = head; n; n = n->next)
		sum = sum * 31 + (unsigned)n->value;
	printf("list %u\n", sum);
	remove_if(&head, 1);
	printf("empty %d\n", head == NULL);
}

static void trees(void)
{
	struct tree *root = NULL;

	for (int i = 0; i < 60; i++)
		insert(&root, i * 37 % 61);
	printf("tree %u\n", walk(root, 0));
	for (int i = 0; i < 40; i += 3)
		drop(&root, i);
	printf("tree %u\n", walk(root, 0));
	destroy(root);
}

static void arrays(void)
{
	int *a = NULL, **rows = malloc(10 * sizeof(*rows));
	size_t used = 0, room = 0;
	unsigned sum = 0;

	while (used < 5000) {
		if (used == room)
			a = realloc(a, (room = room ? room * 2 : 4) * sizeof(*a));
		a[used] = (int)(used * used % 1009);
		used++;
	}
	a = realloc(a, 100 * sizeof(*a));
	for (int i = 0; i < 100; i++)
		sum = sum * 31 + (unsigned)a[i];
	free(a);
	for (int i = 0; i < 10; i++) {
		rows[i] = calloc((size_t)i + 1, sizeof(int));
		for (int j = 0; j <= i; j++)
			rows[i][j] = j == 0 || j == i ? 1 : rows[i - 1][j - 1] + rows[i - 1][j];
	}
	printf("arrays %u pascal %d %d\n", sum, rows[9][4], rows[8][3]);
	for (int i = 0; i < 10; i++)
		free(rows[(i * 3) % 10]);
	free(rows);
}

static void blocks(void)
{
	unsigned char *block[64] = {0};
	void *aligned = NULL, *more = aligned_alloc(64, 256);
	unsigned sum = 0;

	for (int i = 0; i < 300; i++) {
		int slot = i * 29 % 64;

		if (block[slot])
			sum = sum * 31 + block[slot][0];
		free(block[slot]);
		block[slot] = malloc((size_t)(i * 53 % 4000 + 1));
		block[slot][0] = (unsigned char)i;
	}
	for (int i = 0; i < 64; i++)
		free(block[i]);
	free(NULL);
	block[0] = malloc(300000);
	memset(block[0], 7, 300000);
	printf("blocks %u %d", sum, block[0][299999]);
	free(block[0]);
	printf(" %d", posix_memalign(&aligned, 4096, 100));
	printf(" %d %d\n", (uintptr_t)aligned % 4096 == 0, (uintptr_t)more % 64 == 0);
	free(aligned);
	free(more);
}

int main(void)
{
	lists();
	trees();
	arrays();
	blocks();
	return 0;
}
