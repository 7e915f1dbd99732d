#include <string.h>
#include "trie.h"

void trie_init(struct trie *trie)
{
	trie->root = pool_get();
	trie->words = 0;
}

static int is_good(const char *word)
{
	size_t size = strlen(word);
	return size > 0 && size < 32 && strspn(word, "abcdefghijklmnopqrstuvwxyz") == size;
}

int trie_add(struct trie *trie, const char *word)
{
	if (!is_good(word))
		return 0;
	struct node *node = trie->root;
	for (; *word; word++) {
		struct node **child = &node->child[*word - 'a'];
		if (!*child)
			*child = pool_get();
		node = *child;
	}
	if (node->is_word)
		return 0;
	node->is_word = 1;
	trie->words++;
	return 1;
}

static int is_empty(const struct node *node)
{
	for (int i = 0; i < 26; i++) {
		if (node->child[i])
			return 0;
	}
	return 1;
}

/* Nodes that nobody needs any more are given back as they are, from the end of the word on. */
static int remove_below(struct node *node, const char *word)
{
	if (!*word) {
		if (!node->is_word)
			return 0;
		if (!is_empty(node))
			node->is_word = 0;
		return 1;
	}
	struct node **child = &node->child[*word - 'a'];
	if (!*child || !remove_below(*child, word + 1))
		return 0;
	if (is_empty(*child) && (!word[1] || !(*child)->is_word)) {
		pool_put(*child);
		*child = NULL;
	}
	return 1;
}

int trie_remove(struct trie *trie, const char *word)
{
	if (!is_good(word) || !remove_below(trie->root, word))
		return 0;
	trie->words--;
	return 1;
}

int trie_has(const struct trie *trie, const char *word)
{
	if (!is_good(word))
		return 0;
	const struct node *node = trie->root;
	for (; node && *word; word++)
		node = node->child[*word - 'a'];
	return node && node->is_word;
}

static int walk(const struct node *node, char *word, int depth, void (*visit)(const char *))
{
	int count = node->is_word;
	word[depth] = 0;
	if (node->is_word && visit)
		visit(word);
	for (int i = 0; i < 26; i++) {
		if (!node->child[i])
			continue;
		word[depth] = 'a' + i;
		count += walk(node->child[i], word, depth + 1, visit);
	}
	return count;
}

int trie_walk(const struct trie *trie, void (*visit)(const char *word))
{
	char word[33];
	return walk(trie->root, word, 0, visit);
}
