/* Prints two numbers as words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const small[] = {"none", "one", "two", "three", "four", "five"};

static const char *word_for(int number)
{
	static char word[16];
	if (number >= 0 && number <= 5)
		strcpy(word, small[number]);
	else
		snprintf(word, sizeof word, "%d", number);
	return word;
}

int main(int argc, char *argv[])
{
	if (argc != 3)
		return 2;
	const char *first = word_for(atoi(argv[1]));
	const char *second = word_for(atoi(argv[2]));
	printf("from %s\n", first);
	printf("to %s\n", second);
	return 0;
}
