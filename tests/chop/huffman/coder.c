#include <stdlib.h>
#include <string.h>
#include "huffman.h"

void coder_init(struct coder *coder)
{
	coder->symbols = 128;
	coder->weights = calloc(coder->symbols, sizeof *coder->weights);
	coder->codes = calloc(SYMBOLS, sizeof *coder->codes);
}

void coder_count(struct coder *coder, const unsigned char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		coder->weights[text[i]]++;
}

/* The way from the root to each leaf is its code. */
static void name_leaves(struct coder *coder, const struct node *node, char *way, int depth)
{
	if (node->symbol >= 0) {
		way[depth] = 0;
		coder->codes[node->symbol] = strdup(depth ? way : "0");
		return;
	}
	way[depth] = '0';
	name_leaves(coder, node->left, way, depth + 1);
	way[depth] = '1';
	name_leaves(coder, node->right, way, depth + 1);
}

void coder_build(struct coder *coder)
{
	char way[SYMBOLS + 1];
	struct node *root = tree_build(coder->weights, coder->symbols);
	if (root)
		name_leaves(coder, root, way, 0);
	tree_free(root);
}
