/* The shared library. */
#include <stdio.h>
#include <string.h>

#include "words.h"

int words_limit = 10, words_ready;
const char *const words_table[3] = {"zero", "one", "two"};
static int calls;

__attribute__((constructor)) static void start(void)
{
	words_ready = 1;
}

__attribute__((destructor)) static void stop(void)
{
	printf("library stops after %d calls\n", calls);
}

__attribute__((visibility("hidden"))) int words_next(const char **text, char *word)
{
	int n = 0;

	while (**text && words_is_separator(**text))
		++*text;
	while (**text && !words_is_separator(**text))
		word[n++] = *(*text)++;
	word[n] = 0;
	return n;
}

int words_split(const char *text, words_visitor visit, void *data)
{
	char word[64];
	int n, found = 0;

	calls++;
	while (found < words_limit && (n = words_next(&text, word))) {
		visit(word, n, data);
		found++;
	}
	return found;
}

int words_calls(void)
{
	return calls;
}
