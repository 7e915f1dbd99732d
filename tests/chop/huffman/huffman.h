/* Huffman codes for the bytes of a text. */
#ifndef HUFFMAN_H
#define HUFFMAN_H

#include <stddef.h>

#define SYMBOLS 256

struct node {
	unsigned weight;
	int symbol; /* -1: an inner node */
	struct node *left, *right;
};

struct coder {
	unsigned *weights; /* how often each byte occurs */
	char **codes;      /* '0' and '1'; NULL for bytes that do not occur */
	int symbols;
};

void coder_init(struct coder *coder);
void coder_count(struct coder *coder, const unsigned char *text, size_t size);
void coder_build(struct coder *coder);

struct node *tree_build(const unsigned *weights, int symbols);
void tree_free(struct node *node);

#endif
