#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "stock.h"

enum { EMPTY = -1, GONE = -2, FIRST_SLOTS = 16 };

static void *allocate(size_t count, size_t size)
{
	void *block = calloc(count, size);

	if (!block)
		abort();
	return block;
}

static unsigned hash_of(const char *name)
{
	unsigned hash = 2166136261u;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return hash ^ hash >> 15;
}

static void make_slots(struct stock *s, size_t count)
{
	s->slots = allocate(count, sizeof *s->slots);
	s->slot_count = count;
	s->slots_used = 0;
	for (size_t i = 0; i < count; i++)
		s->slots[i] = EMPTY;
}

void stock_init(struct stock *s)
{
	memset(s, 0, sizeof *s);
	s->room = 8;
	s->items = allocate(s->room, sizeof *s->items);
	make_slots(s, FIRST_SLOTS);
}

void stock_free(struct stock *s)
{
	free(s->items);
	free(s->slots);
}

/* The slot that leads to the item of that name; slot_count if there is none. */
static size_t slot_of(const struct stock *s, const char *name)
{
	size_t mask = s->slot_count - 1;
	size_t at = hash_of(name) & mask;

	for (; s->slots[at] != EMPTY; at = (at + 1) & mask) {
		if (s->slots[at] == GONE)
			continue;
		if (strcmp(s->items[s->slots[at]].name, name) == 0)
			return at;
	}
	return s->slot_count;
}

static void put_into_slot(struct stock *s, size_t position)
{
	size_t mask = s->slot_count - 1;
	size_t at = hash_of(s->items[position].name) & mask;

	while (s->slots[at] != EMPTY)
		at = (at + 1) & mask;
	s->slots[at] = (int)position;
	s->slots_used++;
}

/* Slots that are gone count as used, so that each search finds an empty one. */
static void grow_slots(struct stock *s)
{
	size_t count = s->slot_count;

	if (s->slots_used * 4 < count * 3)
		return;
	if (s->count * 2 > count)
		count *= 2;
	free(s->slots);
	make_slots(s, count);
	for (size_t i = 0; i < s->count; i++)
		put_into_slot(s, i);
}

static void grow_items(struct stock *s)
{
	struct item *items;

	if (s->count < s->room)
		return;
	items = allocate(s->room * 2, sizeof *items);
	memcpy(items, s->items, s->count * sizeof *items);
	free(s->items);
	s->items = items;
	s->room *= 2;
}

struct item *stock_find(const struct stock *s, const char *name)
{
	size_t slot = slot_of(s, name);

	return slot < s->slot_count ? &s->items[s->slots[slot]] : NULL;
}

struct item *stock_get(struct stock *s, const char *name)
{
	struct item *item = stock_find(s, name);

	if (item)
		return item;
	grow_items(s);
	grow_slots(s);
	item = &s->items[s->count];
	memset(item, 0, sizeof *item);
	strncpy(item->name, name, NAME_SIZE - 1);
	put_into_slot(s, s->count);
	s->count++;
	return item;
}

bool stock_remove(struct stock *s, const char *name)
{
	size_t slot = slot_of(s, name);
	size_t hole, last;

	if (slot == s->slot_count)
		return false;
	hole = (size_t)s->slots[slot];
	last = s->count - 1;
	s->items[hole] = s->items[last];
	s->slots[slot] = GONE;
	s->count--;
	return true;
}

int item_units(const struct item *item)
{
	int sum = 0;

	for (int i = 0; i < WAREHOUSES; i++)
		sum += item->units[i];
	return sum;
}
