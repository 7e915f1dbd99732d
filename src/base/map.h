/*
 * A typed hash map: open addressing, generated for each pair of key and value type.
 *
 *	MAP_DEFINE_U64(line_map, struct line);        struct line_map: u64 -> struct line
 *	MAP_DEFINE_STRING(name_map, uint32_t);        struct name_map: string -> uint32_t
 *
 *	struct name_map names = MAP_INIT;
 *	*name_map_put(&names, "main") = 7;            makes the entry (zeroed) if there is none
 *	uint32_t *number = name_map_find(&names, "main");     NULL: not there
 *	bool was_there = name_map_remove(&names, "main");
 *	map_each(&names, i) use(names.at[i].key, names.at[i].value);
 *	name_map_deinit(&names);
 *
 * Entries move when the map grows or loses an entry: pointers to values are valid until the next
 * put or remove. String keys are not copied: they must live as long as their entry. The order of
 * map_each is that of the hashes, and the same for the same puts and removes; do not remove inside
 * it.
 */
#ifndef HENCE_BASE_MAP_H
#define HENCE_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define MAP_INIT                                                                                   \
	{                                                                                          \
		0                                                                                  \
	}

/* Walks the entries: `i` indexes map->at. */
#define map_each(map, i)                                                                           \
	for (size_t i = 0; i < (map)->room; i++)                                                   \
		if ((map)->at[i].used)

/* Every bit of the key moves every bit of the hash, since maps use only the lowest ones. */
static inline uint64_t map_hash_u64(uint64_t key)
{
	key ^= key >> 32;
	key *= 0x9e3779b97f4a7c15u;
	key ^= key >> 29;
	key *= 0xd6e8feb86659fd93u;
	return key ^ key >> 32;
}

/* FNV-1a, then mixed. */
static inline uint64_t map_hash_string(const char *key)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (; *key; key++)
		hash = (hash ^ (uint8_t)*key) * 0x100000001b3u;
	return map_hash_u64(hash);
}

static inline bool map_equal_u64(uint64_t a, uint64_t b)
{
	return a == b;
}

static inline bool map_equal_string(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

#define MAP_DEFINE_U64(name, value_type)                                                           \
	MAP_DEFINE(name, uint64_t, value_type, map_hash_u64, map_equal_u64)
#define MAP_DEFINE_STRING(name, value_type)                                                        \
	MAP_DEFINE(name, const char *, value_type, map_hash_string, map_equal_string)

#define MAP_FUNCTION __attribute__((unused)) static

/*
 * struct NAME and its functions. `room` is 0 or a power of two, of which at most three quarters are
 * used. An entry lies at the first free slot from its hash on; removing one moves later entries of
 * the same run back, so that there are no tombstones and a search ends at the first free slot.
 */
#define MAP_DEFINE(name, key_type, value_type, hash, equal)                                        \
	struct name##_entry {                                                                      \
		key_type key;                                                                      \
		value_type value;                                                                  \
		bool used;                                                                         \
	};                                                                                         \
                                                                                                   \
	struct name {                                                                              \
		struct name##_entry *at;                                                           \
		size_t size; /* entries */                                                         \
		size_t room; /* slots */                                                           \
	};                                                                                         \
                                                                                                   \
	/* The key's slot, or the free one where it belongs. Needs a free slot. */                 \
	MAP_FUNCTION size_t name##_slot(const struct name *map, key_type key)                      \
	{                                                                                          \
		size_t i = hash(key) & (map->room - 1);                                            \
                                                                                                   \
		while (map->at[i].used && !equal(map->at[i].key, key))                             \
			i = (i + 1) & (map->room - 1);                                             \
		return i;                                                                          \
	}                                                                                          \
                                                                                                   \
	MAP_FUNCTION void name##_grow(struct name *map)                                            \
	{                                                                                          \
		struct name old = *map;                                                            \
                                                                                                   \
		map->room = old.room ? 2 * old.room : 16;                                          \
		map->at = mem_alloc(map->room * sizeof(*map->at));                                 \
		map_each(&old, i) map->at[name##_slot(map, old.at[i].key)] = old.at[i];            \
		free(old.at);                                                                      \
	}                                                                                          \
                                                                                                   \
	MAP_FUNCTION value_type *name##_find(const struct name *map, key_type key)                 \
	{                                                                                          \
		size_t i;                                                                          \
                                                                                                   \
		if (!map->size)                                                                    \
			return NULL;                                                               \
		i = name##_slot(map, key);                                                         \
		return map->at[i].used ? &map->at[i].value : NULL;                                 \
	}                                                                                          \
                                                                                                   \
	MAP_FUNCTION value_type *name##_put(struct name *map, key_type key)                        \
	{                                                                                          \
		size_t i;                                                                          \
                                                                                                   \
		if (4 * (map->size + 1) > 3 * map->room)                                           \
			name##_grow(map);                                                          \
		i = name##_slot(map, key);                                                         \
		if (!map->at[i].used) {                                                            \
			map->at[i].key = key;                                                      \
			map->at[i].used = true;                                                    \
			map->size++;                                                               \
		}                                                                                  \
		return &map->at[i].value;                                                          \
	}                                                                                          \
                                                                                                   \
	/* Frees slot `hole`: entries behind it that a search would miss then move up. */          \
	MAP_FUNCTION void name##_close(struct name *map, size_t hole)                              \
	{                                                                                          \
		size_t mask = map->room - 1;                                                       \
                                                                                                   \
		for (size_t i = (hole + 1) & mask; map->at[i].used; i = (i + 1) & mask) {          \
			size_t home = hash(map->at[i].key) & mask;                                 \
                                                                                                   \
			if (((i - home) & mask) < ((i - hole) & mask))                             \
				continue;                                                          \
			map->at[hole] = map->at[i];                                                \
			hole = i;                                                                  \
		}                                                                                  \
		memset(&map->at[hole], 0, sizeof(map->at[hole]));                                  \
	}                                                                                          \
                                                                                                   \
	MAP_FUNCTION bool name##_remove(struct name *map, key_type key)                            \
	{                                                                                          \
		size_t i;                                                                          \
                                                                                                   \
		if (!map->size)                                                                    \
			return false;                                                              \
		i = name##_slot(map, key);                                                         \
		if (!map->at[i].used)                                                              \
			return false;                                                              \
		name##_close(map, i);                                                              \
		map->size--;                                                                       \
		return true;                                                                       \
	}                                                                                          \
                                                                                                   \
	/* Gives a map that is a bytewise copy of another entries of its own. */                   \
	MAP_FUNCTION void name##_own(struct name *map)                                             \
	{                                                                                          \
		size_t size = map->room * sizeof(*map->at);                                        \
                                                                                                   \
		if (map->room)                                                                     \
			map->at = memcpy(mem_resize(NULL, size), map->at, size);                   \
	}                                                                                          \
                                                                                                   \
	/* Frees the entries (not what they point to); the map is empty and usable again. */       \
	MAP_FUNCTION void name##_deinit(struct name *map)                                          \
	{                                                                                          \
		free(map->at);                                                                     \
		*map = (struct name)MAP_INIT;                                                      \
	}                                                                                          \
	struct name##_end_ /* takes the semicolon behind MAP_DEFINE(...) */

#endif
