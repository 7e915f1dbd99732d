#include <stdlib.h>
#include "huffman.h"

static struct node *node_new(unsigned weight, int symbol, struct node *left, struct node *right)
{
	struct node *node = malloc(sizeof *node);
	node->weight = weight;
	node->symbol = symbol;
	node->left = left;
	node->right = right;
	return node;
}

/* Takes out the lightest; of equals the first. */
static struct node *take_lightest(struct node **nodes, int *count)
{
	int best = 0;
	for (int i = 1; i < *count; i++) {
		if (nodes[i]->weight < nodes[best]->weight)
			best = i;
	}
	struct node *node = nodes[best];
	nodes[best] = nodes[--*count];
	return node;
}

struct node *tree_build(const unsigned *weights, int symbols)
{
	struct node *nodes[SYMBOLS];
	int count = 0;
	for (int i = 0; i < symbols; i++) {
		if (weights[i])
			nodes[count++] = node_new(weights[i], i, NULL, NULL);
	}
	while (count > 1) {
		struct node *a = take_lightest(nodes, &count);
		struct node *b = take_lightest(nodes, &count);
		nodes[count++] = node_new(a->weight + b->weight, -1, a, b);
	}
	return count ? nodes[0] : NULL;
}

void tree_free(struct node *node)
{
	if (!node)
		return;
	tree_free(node->left);
	tree_free(node->right);
	free(node);
}
