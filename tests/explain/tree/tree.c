/* A binary search tree of KEY=VALUE; -KEY deletes. Prints the pairs in order. */
#include <stdio.h>
#include <stdlib.h>

struct node {
	char key;
	int value;
	struct node *left, *right;
};

static struct node *insert(struct node *node, char key, int value)
{
	if (!node) {
		node = calloc(1, sizeof *node);
		node->key = key;
		node->value = value;
	} else if (key < node->key) {
		node->left = insert(node->left, key, value);
	} else if (key > node->key) {
		node->right = insert(node->right, key, value);
	} else {
		node->value = value;
	}
	return node;
}

static struct node *least(struct node *node)
{
	while (node->left)
		node = node->left;
	return node;
}

static struct node *remove_key(struct node *node, char key)
{
	if (!node)
		return NULL;
	if (key < node->key) {
		node->left = remove_key(node->left, key);
	} else if (key > node->key) {
		node->right = remove_key(node->right, key);
	} else if (node->left && node->right) {
		struct node *heir = least(node->right);
		node->key = heir->key;
		node->right = remove_key(node->right, heir->key);
	} else {
		struct node *child = node->left ? node->left : node->right;
		free(node);
		return child;
	}
	return node;
}

static void print(const struct node *node)
{
	if (!node)
		return;
	print(node->left);
	printf("%c=%d\n", node->key, node->value);
	print(node->right);
}

int main(int argc, char *argv[])
{
	struct node *root = NULL;
	for (int i = 1; i < argc; i++) {
		if (argv[i][0] == '-')
			root = remove_key(root, argv[i][1]);
		else
			root = insert(root, argv[i][0], atoi(argv[i] + 2));
	}
	print(root);
	return 0;
}
