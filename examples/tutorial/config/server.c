/* Reads a configuration from standard input and says on which port the server would listen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	char section[32], key[32], value[32];
};

static struct entry entries[100];
static int count;

static void read_entries(void)
{
	char line[128], section[32] = "";

	while (fgets(line, sizeof(line), stdin)) {
		struct entry *entry = &entries[count];

		if (sscanf(line, "[%31[^]]]", section) == 1)
			continue;
		if (sscanf(line, "%31[^= ] = %31s", entry->key, entry->value) == 2) {
			strcpy(entry->section, section);
			count++;
		}
	}
}

static const char *get(const char *section, const char *key)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(entries[i].section, section) && !strcmp(entries[i].key, key))
			return entries[i].value;
	return NULL;
}

int main(void)
{
	const char *port;

	read_entries();
	port = get("server", "port");
	printf("listening on port %d\n", atoi(port));
	return 0;
}
