/* A set of words, as a tree of letters. */
#ifndef TRIE_H
#define TRIE_H

struct node {
	struct node *child[26];
	int is_word;
};

struct trie {
	struct node *root;
	int words;
};

void trie_init(struct trie *trie);
/* False: it is there already, or has characters that are no small letters. */
int trie_add(struct trie *trie, const char *word);
/* False: it is not there. */
int trie_remove(struct trie *trie, const char *word);
int trie_has(const struct trie *trie, const char *word);
/* Counts the words in the tree; tells `visit` of each (if it is not NULL). */
int trie_walk(const struct trie *trie, void (*visit)(const char *word));

struct node *pool_get(void);
void pool_put(struct node *node);

#endif
