/* Live heap objects: see objects.h. */
#include "runtime/objects.h"

#include "runtime/runtime.h"

#define GRAIN_BITS 4u  /* objects are aligned to 16 */
#define LEAF_BITS  20u /* bytes of address space that a leaf covers */
#define LEAF_SIZE  (1ull << LEAF_BITS)
#define GRAINS     (1u << (LEAF_BITS - GRAIN_BITS))
#define NODE_BITS  13u
#define ROOT_BITS  14u
#define SPACE_BITS (LEAF_BITS + NODE_BITS + ROOT_BITS) /* 47: all that user space has */

struct leaf {
	uint64_t starts[GRAINS / 64];
	uint32_t sizes[GRAINS];
	uint32_t live;
};

struct node {
	struct leaf *leaves[1u << NODE_BITS];
};

static struct node **root;
static uint64_t largest; /* object ever seen: no need to look further back */

static inline struct leaf *leaf_at(uint64_t address)
{
	struct node *node;

	if (!root || address >> SPACE_BITS)
		return NULL;
	node = root[address >> (LEAF_BITS + NODE_BITS)];
	return node ? node->leaves[address >> LEAF_BITS & ((1u << NODE_BITS) - 1)] : NULL;
}

static __attribute__((noinline)) struct leaf *make_leaf(uint64_t address)
{
	struct node **node;
	struct leaf **leaf;

	if (address >> SPACE_BITS)
		return NULL;
	if (!root)
		root = hence_rt_memory(sizeof(*root) << ROOT_BITS);
	if (!root)
		return NULL;
	node = &root[address >> (LEAF_BITS + NODE_BITS)];
	if (!*node)
		*node = hence_rt_memory(sizeof(**node));
	if (!*node)
		return NULL;
	leaf = &(*node)->leaves[address >> LEAF_BITS & ((1u << NODE_BITS) - 1)];
	*leaf = hence_rt_memory(sizeof(**leaf));
	return *leaf;
}

static inline uint32_t grain_of(uint64_t address)
{
	return (uint32_t)(address >> GRAIN_BITS) & (GRAINS - 1);
}

void hence_rt_objects_add(uint64_t address, uint64_t size)
{
	struct leaf *leaf = leaf_at(address);
	uint32_t grain = grain_of(address);
	uint64_t bit = 1ull << (grain % 64);

	if (!leaf && !(leaf = make_leaf(address)))
		return;
	if (address & ((1u << GRAIN_BITS) - 1))
		return;
	leaf->live += !(leaf->starts[grain / 64] & bit);
	leaf->starts[grain / 64] |= bit;
	leaf->sizes[grain] = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
	if (size > largest)
		largest = size;
}

void hence_rt_objects_remove(uint64_t address)
{
	struct leaf *leaf = leaf_at(address);
	uint32_t grain = grain_of(address);
	uint64_t bit = 1ull << (grain % 64);

	if (!leaf || !(leaf->starts[grain / 64] & bit) || address & ((1u << GRAIN_BITS) - 1))
		return;
	leaf->starts[grain / 64] &= ~bit;
	leaf->live--;
}

uint64_t hence_rt_objects_size(uint64_t address)
{
	struct leaf *leaf = leaf_at(address);
	uint32_t grain = grain_of(address);

	if (!leaf || !(leaf->starts[grain / 64] >> (grain % 64) & 1) ||
	    address & ((1u << GRAIN_BITS) - 1))
		return 0;
	return leaf->sizes[grain];
}

/* The last start at or before the grain; -1: none in this leaf. */
static int32_t last_start(const struct leaf *leaf, uint32_t grain)
{
	uint64_t mask = ~0ull >> (63 - grain % 64);

	for (int32_t word = (int32_t)(grain / 64); word >= 0; word--, mask = ~0ull) {
		uint64_t starts = leaf->starts[word] & mask;

		if (starts)
			return word * 64 + 63 - __builtin_clzll(starts);
	}
	return -1;
}

bool hence_rt_objects_find(uint64_t address, uint64_t *start, uint64_t *size)
{
	uint64_t base = address & ~(LEAF_SIZE - 1);
	uint32_t grain = grain_of(address);

	for (; address < base + largest + LEAF_SIZE; base -= LEAF_SIZE, grain = GRAINS - 1) {
		struct leaf *leaf = leaf_at(base);
		int32_t found = leaf && leaf->live ? last_start(leaf, grain) : -1;

		if (found >= 0) {
			*start = base + ((uint64_t)found << GRAIN_BITS);
			*size = leaf->sizes[found];
			return address - *start < *size;
		}
		if (!base)
			return false;
	}
	return false;
}
