/* A search tree of numbers: N puts one in, -N takes it out. Prints them in order. */
#include <stdio.h>
#include <stdlib.h>

struct node {
	int key;
	struct node *left, *right;
};

static struct node **place(struct node **link, int key)
{
	while (*link && (*link)->key != key)
		link = key < (*link)->key ? &(*link)->left : &(*link)->right;
	return link;
}

static void insert(struct node **root, int key)
{
	struct node **link = place(root, key);
	if (*link)
		return;
	*link = calloc(1, sizeof **link);
	(*link)->key = key;
}

static void take_out(struct node **root, int key)
{
	struct node **link = place(root, key);
	struct node *node = *link;
	if (!node)
		return;
	if (node->left && node->right) {
		struct node **next = &node->right;
		while ((*next)->left)
			next = &(*next)->left;
		struct node *least = *next;
		node->key = least->key;
		*next = least->left;
		free(least);
	} else {
		*link = node->left ? node->left : node->right;
		free(node);
	}
}

static void print(const struct node *node)
{
	if (!node)
		return;
	print(node->left);
	printf("%d\n", node->key);
	print(node->right);
}

int main(int argc, char *argv[])
{
	struct node *root = NULL;
	for (int i = 1; i < argc; i++) {
		int key = atoi(argv[i]);
		if (key >= 0)
			insert(&root, key);
		else
			take_out(&root, -key);
	}
	print(root);
	return 0;
}
