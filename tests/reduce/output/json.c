/*
 * Reads a file as JSON, strictly, and prints the value at a path such as failing.parts.0.text: strings as
 * they are, the rest as it stands there. Exit code 1: it is no JSON, or there is no such value.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[1 << 20];
static const char *at = text;

static void wrong(const char *what)
{
	fprintf(stderr, "json: %s at byte %td\n", what, at - text);
	exit(1);
}

static void skip(void)
{
	at += strspn(at, " \t\r\n");
}

static void expect(char c)
{
	skip();
	if (*at != c)
		wrong("unexpected character");
	at++;
}

static void put_code(unsigned code, FILE *out)
{
	if (code < 0x80) {
		fputc((int)code, out);
	} else if (code < 0x800) {
		fputc((int)(0xc0 | code >> 6), out);
		fputc((int)(0x80 | (code & 63)), out);
	} else {
		fputc((int)(0xe0 | code >> 12), out);
		fputc((int)(0x80 | (code >> 6 & 63)), out);
		fputc((int)(0x80 | (code & 63)), out);
	}
}

static void escape(FILE *out)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *found = *at ? strchr(from, *at) : NULL;
	unsigned code;
	int size = 0;

	if (found) {
		fputc(to[found - from], out);
		at++;
	} else if (*at == 'u' && sscanf(at + 1, "%4x%n", &code, &size) == 1 && size == 4) {
		put_code(code, out);
		at += 5;
	} else {
		wrong("bad escape");
	}
}

static void string(FILE *out)
{
	expect('"');
	while (*at != '"') {
		if ((unsigned char)*at < ' ')
			wrong("control character in a string");
		if (*at == '\\') {
			at++;
			escape(out);
		} else {
			fputc(*at++, out);
		}
	}
	at++;
}

static bool value(const char *path, bool wanted);

/* Does the first word of the path name this? *rest is what follows. */
static bool step(const char *path, const char *name, const char **rest)
{
	size_t length = strlen(name);

	if (!path || strncmp(path, name, length) || (path[length] && path[length] != '.'))
		return false;
	*rest = path[length] ? path + length + 1 : "";
	return true;
}

static bool object(const char *path, bool wanted)
{
	bool found = false;

	expect('{');
	skip();
	for (bool first = true; *at != '}'; first = false) {
		char name[256] = "";
		FILE *out = fmemopen(name, sizeof(name), "w");
		const char *rest = NULL;
		bool here;

		if (!first)
			expect(',');
		skip();
		string(out);
		fclose(out);
		expect(':');
		here = wanted && *path && step(path, name, &rest);
		found |= value(rest, here);
		skip();
	}
	at++;
	return found;
}

static bool array(const char *path, bool wanted)
{
	bool found = false;

	expect('[');
	skip();
	for (int i = 0; *at != ']'; i++) {
		const char *rest = NULL;
		char name[16];
		bool here;

		if (i)
			expect(',');
		snprintf(name, sizeof(name), "%d", i);
		here = wanted && *path && step(path, name, &rest);
		found |= value(rest, here);
		skip();
	}
	at++;
	return found;
}

static void plain(void)
{
	static const char *const words[] = {"true", "false", "null"};
	char *end;

	for (int i = 0; i < 3; i++)
		if (!strncmp(at, words[i], strlen(words[i]))) {
			at += strlen(words[i]);
			return;
		}
	strtod(at, &end);
	if (end == at)
		wrong("no value");
	at = end;
}

static bool value(const char *path, bool wanted)
{
	bool here = wanted && !*path, found = false;
	const char *from;

	skip();
	from = at;
	if (*at == '{')
		found = object(path, wanted);
	else if (*at == '[')
		found = array(path, wanted);
	else if (*at == '"')
		string(here ? stdout : fopen("/dev/null", "w"));
	else
		plain();
	if (here && *from != '"')
		fwrite(from, 1, (size_t)(at - from), stdout);
	return here || found;
}

int main(int argc, char **argv)
{
	FILE *file = argc == 3 ? fopen(argv[1], "r") : NULL;
	bool found;

	if (!file || !fread(text, 1, sizeof(text) - 1, file))
		wrong("cannot read the file");
	found = value(argv[2], true);
	skip();
	if (*at)
		wrong("something behind the end");
	return found ? 0 : 1;
}
