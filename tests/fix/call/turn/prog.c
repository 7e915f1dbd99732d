/* Words in upper case, and whether they are the same from behind. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void upper(char *text)
{
	for (; *text; text++)
		*text = (char)toupper(*text);
}

static void turn(char *text)
{
	for (size_t i = 0, k = strlen(text); i + 1 < k; i++) {
		char c = text[i];

		text[i] = text[--k];
		text[k] = c;
	}
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		char copy[32] = "";

		strncpy(copy, argv[i], 31);
		turn(copy);
		printf("%s ", strcmp(copy, argv[i]) ? "no" : "yes");
		strncpy(copy, argv[i], 31);
		turn(copy);
		upper(copy);
		printf("%s\n", copy);
	}
	return 0;
}
