/* A search tree, printed in order. */
#include <stdio.h>
#include <stdlib.h>

struct node {
	int key;
	struct node *left, *right;
};

static struct node *insert(struct node *n, int key)
{
	if (!n) {
		n = calloc(1, sizeof(*n));
		n->key = key;
	} else if (key < n->key) {
		n->left = insert(n->left, key);
	} else {
		n->right = insert(n->left, key);
	}
	return n;
}

static void print(const struct node *n, int depth)
{
	if (!n || depth > 10)
		return;
	print(n->left, depth + 1);
	printf("%d(%d) ", n->key, depth);
	print(n->right, depth + 1);
}

int main(int argc, char **argv)
{
	struct node *root = NULL;

	for (int i = 1; i < argc; i++)
		root = insert(root, atoi(argv[i]));
	print(root, 0);
	printf("\n");
	return 0;
}
