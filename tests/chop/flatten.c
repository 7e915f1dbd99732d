/*
 * JSON for shell scripts. Without an argument: each string, number, true, false and null of the
 * text on standard input as a line PATH TAB VALUE, where a path is like .chop[3].line; strings stay
 * escaped as they are. With the argument PATH: the value at that path, without escapes.
 * Exit code 1: the text is no JSON, or has no such path.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *at;     /* the rest of the text */
static const char *wanted; /* NULL: everything */
static char path[4096];    /* of what is read */
static int found;

static void value(size_t depth);

static void fail(const char *what)
{
	fprintf(stderr, "flatten: %s at: %.40s\n", what, at);
	exit(1);
}

static void skip(void)
{
	while (isspace((unsigned char)*at))
		at++;
}

static void expect(char c)
{
	skip();
	if (*at != c)
		fail("something is missing");
	at++;
}

/* Behind the quote that ends the string. */
static const char *string_end(const char *text)
{
	for (; *text != '"'; text++) {
		if ((unsigned char)*text < ' ')
			fail("a string without an end");
		if (*text == '\\')
			text++;
	}
	return text + 1;
}

static void put_character(unsigned c)
{
	if (c < 0x80) {
		putchar(c);
	} else if (c < 0x800) {
		putchar(0xc0 | c >> 6);
		putchar(0x80 | (c & 0x3f));
	} else {
		putchar(0xe0 | c >> 12);
		putchar(0x80 | (c >> 6 & 0x3f));
		putchar(0x80 | (c & 0x3f));
	}
}

static const char *put_escape(const char *text)
{
	static const char names[] = "nrtbf", values[] = "\n\r\t\b\f";
	const char *name = strchr(names, *text);
	if (*text == 'u') {
		char digits[5] = "";
		memcpy(digits, text + 1, strnlen(text + 1, 4));
		put_character(strtoul(digits, NULL, 16));
		return text + 5;
	}
	putchar(name ? values[name - names] : *text);
	return text + 1;
}

static void put_string(const char *text, const char *end)
{
	while (text < end) {
		if (*text == '\\')
			text = put_escape(text + 1);
		else
			putchar(*text++);
	}
}

static void leaf(const char *from, const char *to, int is_string)
{
	if (!wanted) {
		printf("%s\t%.*s\n", path, (int)(to - from), from);
	} else if (!strcmp(path, wanted)) {
		found = 1;
		if (is_string)
			put_string(from, to);
		else
			printf("%.*s", (int)(to - from), from);
	}
}

/* Adds a step to the path; returns its new length. */
static size_t step(size_t depth, const char *format, int size, const char *name, unsigned index)
{
	size_t room = sizeof path - depth;
	int length = name ? snprintf(path + depth, room, format, size, name)
	                  : snprintf(path + depth, room, format, index);
	if (length < 0 || (size_t)length >= room)
		fail("too deep");
	return depth + length;
}

static void object(size_t depth)
{
	at++;
	skip();
	for (int first = 1; *at != '}'; first = 0) {
		if (!first)
			expect(',');
		expect('"');
		const char *name = at;
		at = string_end(at);
		size_t end = step(depth, ".%.*s", (int)(at - name - 1), name, 0);
		expect(':');
		value(end);
		skip();
	}
	at++;
}

static void array(size_t depth)
{
	at++;
	skip();
	for (unsigned i = 0; *at != ']'; i++) {
		if (i)
			expect(',');
		value(step(depth, "[%u]", 0, NULL, i));
		skip();
	}
	at++;
}

static void value(size_t depth)
{
	skip();
	const char *from = at;
	if (*at == '{') {
		object(depth);
	} else if (*at == '[') {
		array(depth);
	} else if (*at == '"') {
		at = string_end(at + 1);
		path[depth] = 0;
		leaf(from + 1, at - 1, 1);
	} else {
		at += strspn(at, "+-.0123456789abcdefghijklmnopqrstuvwxyzE");
		path[depth] = 0;
		if (at == from)
			fail("no value");
		leaf(from, at, 0);
	}
}

int main(int argc, char **argv)
{
	static char text[16 << 20];
	size_t size = fread(text, 1, sizeof text - 1, stdin);
	text[size] = 0;
	at = text;
	wanted = argc > 1 ? argv[1] : NULL;
	value(0);
	skip();
	if (*at)
		fail("more than one value");
	return wanted && !found;
}
