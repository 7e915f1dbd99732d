/* Frees twice; the C library finds it and aborts with a message. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct owner {
	char *name;
	struct owner *friend;
};

static void release(struct owner *o)
{
	free(o->name);
}

int main(void)
{
	struct owner a = {strdup("shared"), NULL}, b = {a.name, &a};

	fprintf(stderr, "%s %s\n", a.name, b.friend->name);
	release(&a);
	release(&b);
	fprintf(stderr, "not found\n");
	return 0;
}
