/* Prints its text in lines of at most four characters; '/' ends a line, too. */
#include <stdio.h>

#define WIDTH 4

struct buffer {
	char text[64];
	int used;
};

static void print(const struct buffer *b)
{
	printf("%.*s\n", b->used, b->text);
}

static void feed(struct buffer *b, char c)
{
	if (c == '/') {
		print(b);
		b->used = 0;
		return;
	}
	if (b->used == WIDTH)
		print(b);
	b->text[b->used++] = c;
}

int main(int argc, char **argv)
{
	struct buffer b = {"", 0};

	for (const char *at = argv[1]; *at; at++)
		feed(&b, *at);
	print(&b);
	return 0;
}
