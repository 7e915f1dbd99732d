/*
 * base64: standard input as text, line by line of 48 bytes. Reads back what it wrote and says when
 * that is not the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base64.h"

#define LINE 48

static int is_right(const char *text, const char *bytes, size_t size)
{
	char back[LINE + 3];
	long count = base64_decode(text, back);
	return count == (long)size && !memcmp(back, bytes, size);
}

int main(void)
{
	char bytes[LINE];
	size_t size;
	for (int line = 1; (size = fread(bytes, 1, LINE, stdin)) > 0; line++) {
		char *text = malloc(base64_room(size));
		base64_encode(bytes, size, text);
		puts(text);
		if (!is_right(text, bytes, size)) {
			fprintf(stderr, "line %d cannot be read back\n", line);
			return 1;
		}
		free(text);
	}
	return 0;
}
