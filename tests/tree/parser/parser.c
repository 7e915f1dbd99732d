/* Reads 'name=value;name=value' and looks up a name. */
#include <stdio.h>
#include <string.h>

#define MOST 8

struct pair {
	char name[16], value[16];
};

struct settings {
	struct pair pairs[MOST];
	int count;
};

static void copy(char *out, const char *from, const char *to)
{
	size_t length = (size_t)(to - from);
	if (length > 15)
		length = 15;
	memcpy(out, from, length);
	out[length] = '\0';
}

static const char *find_end(const char *text)
{
	const char *end = strchr(text, ';');
	return end ? end : text + strlen(text) - 1;
}

static int parse(struct settings *settings, const char *text)
{
	while (*text && settings->count < MOST) {
		const char *equals = strchr(text, '=');
		if (!equals)
			return -1;
		const char *end = find_end(equals + 1);
		struct pair *pair = &settings->pairs[settings->count++];
		copy(pair->name, text, equals);
		copy(pair->value, equals + 1, end);
		text = *end == ';' ? end + 1 : end + strlen(end);
	}
	return 0;
}

static const char *look_up(const struct settings *settings, const char *name)
{
	for (int i = 0; i < settings->count; i++)
		if (!strcmp(settings->pairs[i].name, name))
			return settings->pairs[i].value;
	return "none";
}

int main(int argc, char **argv)
{
	struct settings settings = {.count = 0};
	if (argc < 3 || parse(&settings, argv[1]))
		return 2;
	for (int i = 2; i < argc; i++)
		printf("%s: %s\n", argv[i], look_up(&settings, argv[i]));
	return 0;
}
