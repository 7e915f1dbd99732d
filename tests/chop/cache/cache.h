/* A cache of names: what was not used for the longest time goes first. */
#ifndef CACHE_H
#define CACHE_H

#define SLOTS 8

struct slot {
	char *name;
	unsigned long used; /* when */
	unsigned hits : 15;
	unsigned pinned : 1;
};

struct cache {
	struct slot slots[SLOTS];
	int size; /* slots that are used, at most `limit` */
	int limit;
	unsigned long now;
	unsigned hits, misses;
};

/* Told of what happens. */
typedef void (*cache_listener)(const char *event, const char *a, const char *b);

void cache_init(struct cache *cache, int limit);
void cache_get(struct cache *cache, const char *name, cache_listener listener);
void cache_pin(struct cache *cache, const char *name, int pinned);
void cache_deinit(struct cache *cache);

#endif
