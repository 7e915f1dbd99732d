#include <stdlib.h>
#include <string.h>
#include "cache.h"

void cache_init(struct cache *cache, int limit)
{
	memset(cache, 0, sizeof *cache);
	cache->limit = limit < SLOTS ? limit : SLOTS;
}

static struct slot *find(struct cache *cache, const char *name)
{
	for (int i = 0; i < cache->size; i++) {
		if (!strcmp(cache->slots[i].name, name))
			return &cache->slots[i];
	}
	return NULL;
}

static struct slot *oldest(struct cache *cache)
{
	struct slot *found = NULL;
	for (int i = 0; i < cache->size; i++) {
		struct slot *slot = &cache->slots[i];
		if (!slot->pinned && (!found || slot->used < found->used))
			found = slot;
	}
	return found;
}

static struct slot *fresh(struct cache *cache, const char *name, cache_listener listener)
{
	if (cache->size < cache->limit) {
		struct slot *slot = &cache->slots[cache->size++];
		slot->name = strdup(name);
		listener("load", name, NULL);
		return slot;
	}
	struct slot *slot = oldest(cache);
	if (!slot)
		return NULL;
	char *old = slot->name;
	free(old);
	slot->name = strdup(name);
	slot->hits = 0;
	listener("replace", old, slot->name);
	return slot;
}

void cache_get(struct cache *cache, const char *name, cache_listener listener)
{
	struct slot *slot = find(cache, name);
	if (slot) {
		cache->hits++;
		slot->hits++;
	} else {
		cache->misses++;
		slot = fresh(cache, name, listener);
	}
	if (slot)
		slot->used = ++cache->now;
}

void cache_pin(struct cache *cache, const char *name, int pinned)
{
	struct slot *slot = find(cache, name);
	if (slot)
		slot->pinned = pinned;
}

void cache_deinit(struct cache *cache)
{
	for (int i = 0; i < cache->size; i++)
		free(cache->slots[i].name);
}
