#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point {
	char tag;
	double x;
};

/* Undefined values are copied and passed on, but nothing depends on them. */
static struct point give(int full)
{
	struct point p;
	p.tag = 'a';
	if (full)
		p.x = 1;
	return p;
}

static int first(int used, int unused)
{
	return used;
}

int main(void)
{
	int nothing, some[4];
	struct point p = give(0), *q = malloc(sizeof(*q));
	*q = p;
	some[0] = first(1, nothing);
	printf("%c %d\n", q->tag, some[0]);
	free(q);
	return 0;
}
