/* Sets of units as bits. Everything goes by words, so an operation on a million units takes
   microseconds. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "dd/set.h"

static uint32_t words_of(const struct dd_set *set)
{
	return (uint32_t)(((uint64_t)set->count + 63) / 64);
}

/* The bits of word `w` that lie in [from, to). */
static uint64_t mask_of(uint32_t w, uint32_t from, uint32_t to)
{
	uint64_t first = (uint64_t)w * 64;
	uint64_t mask = ~(uint64_t)0;

	if (from >= first + 64 || to <= first)
		return 0;
	if (from > first)
		mask &= ~(uint64_t)0 << (from - first);
	if (to < first + 64)
		mask &= ~(~(uint64_t)0 << (to - first));
	return mask;
}

void dd_set_init(struct dd_set *set, uint32_t count, bool full)
{
	*set = (struct dd_set){.count = count};
	set->words = mem_alloc(sizeof(uint64_t) * (words_of(set) + 1));
	if (!full)
		return;
	set->size = count;
	for (uint32_t w = 0; w < words_of(set); w++)
		set->words[w] = mask_of(w, 0, count);
}

void dd_set_copy(struct dd_set *to, const struct dd_set *from)
{
	dd_set_init(to, from->count, false);
	dd_set_assign(to, from);
}

void dd_set_deinit(struct dd_set *set)
{
	free(set->words);
	*set = (struct dd_set){0};
}

bool dd_set_has(const struct dd_set *set, uint32_t unit)
{
	assert(unit < set->count);
	return set->words[unit / 64] >> (unit % 64) & 1;
}

void dd_set_put(struct dd_set *set, uint32_t unit, bool in)
{
	uint64_t bit = (uint64_t)1 << (unit % 64);

	if (dd_set_has(set, unit) == in)
		return;
	set->words[unit / 64] ^= bit;
	set->size += in ? 1 : -1;
}

bool dd_set_equal(const struct dd_set *a, const struct dd_set *b)
{
	assert(a->count == b->count);
	return a->size == b->size &&
	       memcmp(a->words, b->words, sizeof(uint64_t) * words_of(a)) == 0;
}

bool dd_set_within(const struct dd_set *a, const struct dd_set *b)
{
	assert(a->count == b->count);
	for (uint32_t w = 0; w < words_of(a); w++)
		if (a->words[w] & ~b->words[w])
			return false;
	return true;
}

uint64_t dd_set_hash(const struct dd_set *set)
{
	uint64_t hash = set->count;

	for (uint32_t w = 0; w < words_of(set); w++)
		hash = map_hash_u64(hash ^ set->words[w]) + w;
	return hash;
}

void dd_set_assign(struct dd_set *to, const struct dd_set *from)
{
	assert(to->count == from->count);
	if (from->count)
		memcpy(to->words, from->words, sizeof(uint64_t) * words_of(from));
	to->size = from->size;
}

void dd_set_clear(struct dd_set *set)
{
	memset(set->words, 0, sizeof(uint64_t) * words_of(set));
	set->size = 0;
}

uint32_t dd_set_count(const struct dd_set *set, uint32_t from, uint32_t to)
{
	uint32_t count = 0;

	assert(to <= set->count);
	if (from >= to)
		return 0;
	for (uint32_t w = from / 64; w <= (to - 1) / 64; w++)
		count += (uint32_t)__builtin_popcountll(set->words[w] & mask_of(w, from, to));
	return count;
}

uint32_t dd_set_nth(const struct dd_set *set, uint32_t rank)
{
	uint32_t w = 0, in;
	uint64_t word;

	assert(rank <= set->size);
	if (rank == set->size)
		return set->count;
	while (rank >= (in = (uint32_t)__builtin_popcountll(set->words[w]))) {
		rank -= in;
		w++;
	}
	for (word = set->words[w]; rank; rank--)
		word &= word - 1;
	return w * 64 + (uint32_t)__builtin_ctzll(word);
}

void dd_set_put_range(struct dd_set *set, const struct dd_set *other, uint32_t from, uint32_t to,
                      bool in)
{
	assert(set->count == other->count && to <= set->count);
	if (from >= to)
		return;
	for (uint32_t w = from / 64; w <= (to - 1) / 64; w++) {
		uint64_t bits = other->words[w] & mask_of(w, from, to);
		uint64_t before = set->words[w];

		set->words[w] = in ? before | bits : before & ~bits;
		set->size += (uint32_t)__builtin_popcountll(set->words[w]);
		set->size -= (uint32_t)__builtin_popcountll(before);
	}
}

void dd_set_subtract(struct dd_set *to, const struct dd_set *a, const struct dd_set *b)
{
	dd_set_assign(to, a);
	dd_set_put_range(to, b, 0, b->count, false);
}
