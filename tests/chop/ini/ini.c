#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "ini.h"

char section[16] = "";
struct entry *entries = NULL;

static char *skip_blanks(char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

static void cut_blanks(char *text)
{
	size_t size = strlen(text);
	while (size && isspace((unsigned char)text[size - 1]))
		text[--size] = 0;
}

static struct entry *find(const char *name)
{
	for (struct entry *entry = entries; entry; entry = entry->next) {
		if (!strcmp(entry->name, name))
			return entry;
	}
	return NULL;
}

static void set(const char *name, const char *value)
{
	char full[256];
	snprintf(full, sizeof full, "%s.%s", section, name);
	struct entry *entry = find(full);
	if (entry) {
		free(entry->value);
	} else {
		entry = malloc(sizeof *entry);
		entry->name = strdup(full);
		entry->next = entries;
		entries = entry;
	}
	entry->value = strdup(value);
}

static int read_section(char *text)
{
	char *end = strchr(text, ']');
	if (!end)
		return 0;
	*end = 0;
	strcpy(section, text + 1);
	return 1;
}

static int read_setting(char *text)
{
	char *sign = strchr(text, '=');
	if (!sign)
		return 0;
	*sign = 0;
	cut_blanks(text);
	set(text, skip_blanks(sign + 1));
	return 1;
}

static int read_line(char *line)
{
	char *text = skip_blanks(line);
	cut_blanks(text);
	if (!*text || *text == ';')
		return 1;
	return *text == '[' ? read_section(text) : read_setting(text);
}

int ini_read(FILE *in)
{
	char line[200];
	for (int number = 1; fgets(line, sizeof line, in); number++) {
		if (!read_line(line))
			return number;
	}
	return 0;
}

const char *ini_get(const char *name)
{
	struct entry *entry = find(name);
	return entry ? entry->value : NULL;
}
