/* Symbols and branches that are to be looked at, the latest first. */
#ifndef HENCE_SOLVE_REFUTE_HEAP_H
#define HENCE_SOLVE_REFUTE_HEAP_H

#include <stdbool.h>

#include "base/vec.h"

struct refute_item {
	uint32_t position;
	bool is_branch;
	uint64_t number; /* of the symbol; of a branch its index */
};

/* The items are freed with vec_deinit(); at 0 is the latest. */
struct refute_heap {
	VEC(struct refute_item) items;
};

void refute_heap_push(struct refute_heap *heap, struct refute_item item);

/* There must be one. */
struct refute_item refute_heap_pop(struct refute_heap *heap);

#endif
