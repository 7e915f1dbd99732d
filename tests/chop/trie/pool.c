/* Nodes: those that are given back are used again. */
#include <stdlib.h>
#include "trie.h"

#define BLOCK 16

static struct node *unused; /* chained by their first child */

static void grow(void)
{
	struct node *block = calloc(BLOCK, sizeof *block);
	for (int i = 0; i < BLOCK - 1; i++)
		block[i].child[0] = &block[i + 1];
	unused = block;
}

struct node *pool_get(void)
{
	if (!unused)
		grow();
	struct node *node = unused;
	unused = node->child[0];
	for (int i = 0; i < 26; i++)
		node->child[i] = NULL;
	return node;
}

void pool_put(struct node *node)
{
	node->child[0] = unused;
	unused = node;
}
