/* Prints the fields of a line, separated by commas, each on its own line. */
#include <stdio.h>
#include <string.h>

#define MOST 16

static char line[200];
static char *field[MOST];

static void strip(char *text)
{
	size_t length = strlen(text);
	if (length > 0)
		text[length - 1] = '\0';
}

static int split(char *text)
{
	int count = 0;
	char *at = text;
	while (count < MOST) {
		field[count++] = at;
		at = strchr(at, ',');
		if (!at)
			break;
		*at++ = '\0';
	}
	return count;
}

int main(void)
{
	while (fgets(line, sizeof line, stdin)) {
		strip(line);
		int count = split(line);
		for (int i = 0; i < count; i++)
			printf("%s\n", field[i]);
	}
	return 0;
}
