/* Sorts its arguments with a heap whose smallest number is in front. */
#include <stdio.h>
#include <stdlib.h>

struct heap {
	int *at;
	int size;
};

static void swap(int *a, int *b)
{
	int t = *a;

	*a = *b;
	*b = t;
}

static void push(struct heap *h, int value)
{
	int i = h->size++;

	h->at[i] = value;
	while (i > 0) {
		int parent = (i + 1) / 2;

		if (parent >= i || h->at[parent] <= h->at[i])
			break;
		swap(&h->at[parent], &h->at[i]);
		i = parent;
	}
}

static int pop(struct heap *h)
{
	int least = h->at[0], i = 0;

	h->at[0] = h->at[--h->size];
	for (;;) {
		int child = 2 * i + 1;

		if (child >= h->size)
			return least;
		if (child + 1 < h->size && h->at[child + 1] < h->at[child])
			child++;
		if (h->at[i] <= h->at[child])
			return least;
		swap(&h->at[i], &h->at[child]);
		i = child;
	}
}

int main(int argc, char **argv)
{
	struct heap h = {calloc((size_t)argc + 8, sizeof(int)), 0};

	for (int i = 1; i < argc; i++)
		push(&h, atoi(argv[i]));
	while (h.size)
		printf("%d ", pop(&h));
	printf("\n");
	free(h.at);
	return 0;
}
