/* Lists what lies below directories: each with the directory that was given (as %H of find does) and the
   rest of its path. */
#include <stdio.h>
#include <string.h>

#define ROOM 64

static const char *const tree[] = {"etc/passwd", "etc/hosts", "usr/bin/env", "usr/local/bin", "var/log"};

static size_t prefix_length;

static void print_path(const char *path)
{
	char start[ROOM];
	size_t length = prefix_length < ROOM ? prefix_length : ROOM - 1;
	memcpy(start, path, length);
	start[length] = '\0';
	printf("%s: %s\n", start, path + prefix_length + 1);
}

static void visit(const char *directory)
{
	if (prefix_length == 0)
		prefix_length = strlen(directory);
	for (size_t i = 0; i < sizeof tree / sizeof tree[0]; i++) {
		if (strncmp(tree[i], directory, strlen(directory)) == 0)
			print_path(tree[i]);
	}
}

int main(int argc, char *argv[])
{
	for (int i = 1; i < argc; i++)
		visit(argv[i]);
	return 0;
}
