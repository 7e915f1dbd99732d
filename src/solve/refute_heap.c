/* A binary heap. */
#include "solve/refute_heap.h"

static void swap(struct refute_item *a, struct refute_item *b)
{
	struct refute_item was = *a;

	*a = *b;
	*b = was;
}

void refute_heap_push(struct refute_heap *heap, struct refute_item item)
{
	struct refute_item *items;
	uint32_t at = heap->items.size;

	*vec_push(&heap->items) = item;
	items = heap->items.at;
	for (; at && items[(at - 1) / 2].position < items[at].position; at = (at - 1) / 2)
		swap(&items[at], &items[(at - 1) / 2]);
}

struct refute_item refute_heap_pop(struct refute_heap *heap)
{
	struct refute_item *items = heap->items.at, top = items[0];
	uint32_t at = 0, size = --heap->items.size;

	items[0] = items[size];
	for (uint32_t child = 1; child < size; child = 2 * at + 1) {
		if (child + 1 < size && items[child + 1].position > items[child].position)
			child++;
		if (items[child].position <= items[at].position)
			break;
		swap(&items[at], &items[child]);
		at = child;
	}
	return top;
}
