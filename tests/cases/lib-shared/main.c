/* A program and its shared library: calls both ways, variables of the library, its constructor. */
#include <stdio.h>

#include "words.h"

static int longest;

static void visit(const char *word, int length, void *data)
{
	int *count = data;

	++*count;
	if (length > longest)
		longest = length;
	printf("%s(%d) ", word, length);
}

int words_is_separator(char c)
{
	return c == ' ' || c == ',';
}

int main(void)
{
	int count = 0;
	int (*split)(const char *, words_visitor, void *) = words_split;

	printf("constructor ran %d\n", words_ready);
	words_limit = 5;
	printf("-> %d\n", words_split("one, two three,four and five", visit, &count));
	words_limit = 100;
	printf("-> %d\n", split("six seven eight", visit, &count));
	printf("%d %d %s %d\n", count, longest, words_table[1], words_calls());
	return 0;
}
