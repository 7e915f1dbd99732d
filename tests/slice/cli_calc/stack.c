#include <stdlib.h>
#include "stack.h"

static struct cell *top;
int depth;

void push(long value)
{
	struct cell *c = malloc(sizeof(*c));

	c->value = value;
	c->below = top;
	top = c;
	depth++;
}

long pop(void)
{
	struct cell *c = top;
	long value = c->value;

	top = c->below;
	depth--;
	free(c);
	return value;
}
