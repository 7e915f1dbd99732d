/* Reads NAME=VALUE lines; then prints all values in capitals, in the order of names. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
	char *name, *value;
};

static struct setting settings[16];
static int count;

static void read_line(const char *text)
{
	char *name = strdup(text);
	name[strcspn(name, "\n")] = '\0';
	char *value = strchr(name, '=');
	if (value)
		*value++ = '\0';
	settings[count].name = name;
	settings[count].value = value;
	count++;
}

static void sort(void)
{
	for (int i = 1; i < count; i++) {
		for (int j = i; j > 0 && strcmp(settings[j].name, settings[j - 1].name) < 0; j--) {
			struct setting swap = settings[j];
			settings[j] = settings[j - 1];
			settings[j - 1] = swap;
		}
	}
}

static void print_capitals(const char *text)
{
	const char *at = text;
	while (*at)
		putchar(toupper((unsigned char)*at++));
	putchar('\n');
}

int main(void)
{
	char line[100];
	while (count < 16 && fgets(line, sizeof line, stdin))
		read_line(line);
	sort();
	for (int i = 0; i < count; i++) {
		printf("%s: ", settings[i].name);
		print_capitals(settings[i].value);
	}
	return 0;
}
