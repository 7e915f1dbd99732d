/* A histogram of marks from 0 to 100, in ten bins; 100 belongs to the last one. */
#include <stdio.h>
#include <stdlib.h>

#define BINS 10

struct histogram {
	int count[BINS];
	int all;
};

static int bin_of(int mark)
{
	int bin = mark / BINS;
	return bin == BINS ? 0 : bin;
}

static void add(struct histogram *h, int mark)
{
	h->count[bin_of(mark)]++;
	h->all++;
}

static int best(const struct histogram *h)
{
	return h->count[BINS - 1];
}

int main(int argc, char **argv)
{
	struct histogram h = {{0}, 0};
	for (int i = 1; i < argc; i++)
		add(&h, atoi(argv[i]));
	printf("%d marks\n", h.all);
	printf("%d of them excellent\n", best(&h));
	return 0;
}
