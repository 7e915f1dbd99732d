/* The words of a sentence, one in a line. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	char *word = argc > 1 ? strtok(argv[1], " ") : NULL;
	int count = 0;

	while (word) {
		count++;
		printf("%s", word);
		word = strtok(NULL, " ");
	}
	if (!count)
		printf("nothing\n");
	return 0;
}
