#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int words;
int main(void)
{
	char line[64], copy[64], *save, *word;
	FILE *file = tmpfile();
	fputs("the quick brown\nfox 12 jumps\n", file);
	rewind(file);
	while (fgets(line, sizeof(line), file)) {
		strcpy(copy, line);
		for (word = strtok_r(copy, " \n", &save); word; word = strtok_r(NULL, " \n", &save)) {
			words++;
			if (isdigit((unsigned char)*word))
				printf("number %ld\n", strtol(word, NULL, 10));
			else
				printf("%c%s\n", toupper((unsigned char)word[0]), word + 1);
		}
	}
	snprintf(line, sizeof(line), "%d words", words);
	puts(strchr(line, 'w'));
	fclose(file);
	return 0;
}
