// run: 2
// run: 4
#include <stdio.h>
#include <stdlib.h>

struct node {
	int val;
	struct node *next;
};

struct ring {
	struct ring *next, *prev;
	long key;
};

static struct node *front, *back, **link = &back, *last;
static struct ring *ring;
static struct node *stray;

static void push(int v)
{
	struct node *n = malloc(sizeof(*n));

	n->val = v;
	n->next = front;
	front = n;
}

static void append(int v)
{
	struct node *n = malloc(sizeof(*n));

	n->val = 10 * v;
	n->next = NULL;
	*link = n;
	link = &n->next;
	last = n;
}

static void around(int k)
{
	struct ring *r = malloc(sizeof(*r));

	r->key = k;
	if (!ring) {
		r->next = r->prev = r;
		ring = r;
		return;
	}
	r->next = ring;
	r->prev = ring->prev;
	r->prev->next = r;
	ring->prev = r;
}

static void print(const struct node *n)
{
	for (; n; n = n->next)
		printf("%d ", n->val);
	printf("\n");
}

int main(int argc, char **argv)
{
	int n = atoi(argv[1]);

	for (int i = 0; i < n; i++) {
		push(i);
		append(i);
		around(i);
	}
	stray = n == 2 ? front : back;
	append(100); /*end*/
	print(front);
	print(back);
	print(stray);
	printf("%d %d:", n, last->val);
	for (struct ring *r = ring->next; r != ring; r = r->next)
		printf(" %ld %d", r->key, r->next->prev == r);
	printf("\n%s\n", argv[1]);
	return 0;
}
