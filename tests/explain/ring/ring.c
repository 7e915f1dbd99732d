/* A ring of four places. Its arguments go in, then as many come out. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define PLACES 4

struct ring {
	int items[PLACES];
	int start, used;
};

static int is_full(const struct ring *ring)
{
	return ring->used > PLACES;
}

static void put(struct ring *ring, int item)
{
	if (is_full(ring))
		return;
	int place = (ring->start + ring->used) % PLACES;
	ring->items[place] = item;
	ring->used++;
}

static int take(struct ring *ring)
{
	assert(ring->used <= PLACES);
	int item = ring->items[ring->start];
	ring->start = (ring->start + 1) % PLACES;
	ring->used--;
	return item;
}

int main(int argc, char *argv[])
{
	struct ring ring = {0};
	for (int i = 1; i < argc; i++)
		put(&ring, atoi(argv[i]));
	while (ring.used > 0)
		printf("%d\n", take(&ring));
	return 0;
}
