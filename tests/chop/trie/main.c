/* trie WORD...: '+cat' adds, '-cat' removes, '?cat' asks, '=' prints all. */
#include <stdio.h>
#include "trie.h"

static void print_word(const char *word)
{
	printf("\t%s\n", word);
}

static void obey(struct trie *trie, const char *command)
{
	switch (*command) {
	case '+': trie_add(trie, command + 1); break;
	case '-': trie_remove(trie, command + 1); break;
	case '?':
		printf("%s: %s\n", command + 1, trie_has(trie, command + 1) ? "yes" : "no");
		break;
	case '=': trie_walk(trie, print_word); break;
	}
}

int main(int argc, char **argv)
{
	struct trie trie;
	trie_init(&trie);
	for (int i = 1; i < argc; i++)
		obey(&trie, argv[i]);
	int found = trie_walk(&trie, NULL);
	if (found != trie.words)
		printf("%d words in a tree of %d\n", found, trie.words);
	return 0;
}
