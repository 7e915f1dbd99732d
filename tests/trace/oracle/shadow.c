/* Memory and objects: see shadow.h. */
#include "shadow.h"

#include <stdlib.h>
#include <string.h>

/* --- bytes --- */

struct byte {
	uint64_t address; /* 0: free */
	int64_t instance;
};

static struct byte *bytes;
static uint64_t room, used;

static struct byte *slot(uint64_t address)
{
	uint64_t i = (address * 0x9e3779b97f4a7c15u >> 20) & (room - 1);

	while (bytes[i].address && bytes[i].address != address)
		i = (i + 1) & (room - 1);
	return &bytes[i];
}

static void grow(void)
{
	struct byte *old = bytes;
	uint64_t count = room;

	room = count ? 2 * count : 1024;
	bytes = calloc(room, sizeof(*bytes));
	if (!bytes)
		abort();
	for (uint64_t i = 0; i < count; i++)
		if (old[i].address)
			*slot(old[i].address) = old[i];
	free(old);
}

int64_t shadow_get(uint64_t address)
{
	struct byte *b = room ? slot(address) : NULL;

	return b && b->address ? b->instance : FACTS_UNKNOWN;
}

void shadow_set(uint64_t address, uint64_t size, int64_t instance)
{
	for (uint64_t i = 0; i < size; i++) {
		struct byte *b;

		if (2 * used >= room)
			grow();
		b = slot(address + i);
		used += !b->address;
		*b = (struct byte){address + i, instance};
	}
}

/* --- objects --- */

static struct object *objects;
static uint32_t count;
static uint32_t *live, live_count, live_room; /* numbers, oldest first */

uint32_t objects_add(struct facts_place place, uint64_t address, uint64_t size, int64_t born)
{
	objects = realloc(objects, (count + 1) * sizeof(*objects));
	if (live_count == live_room)
		live = realloc(live, (live_room += 256) * sizeof(*live));
	if (!objects || !live)
		abort();
	objects[count] = (struct object){place, address, size, born, FACTS_NONE};
	live[live_count++] = count;
	return count++;
}

struct object *objects_at(uint32_t number)
{
	return &objects[number];
}

uint32_t objects_count(void)
{
	return count;
}

/* Equal constants may lie at the same place: then it is the one whose name comes first. */
static bool is_better(const struct object *o, const struct object *than)
{
	return !than ||
	       (o->place.name && than->place.name && strcmp(o->place.name, than->place.name) < 0);
}

struct object *objects_find(uint64_t address)
{
	struct object *best = NULL;

	for (uint32_t i = live_count; i-- > 0;) {
		struct object *o = &objects[live[i]];

		if (address >= o->address && address - o->address < o->size && is_better(o, best))
			best = o;
	}
	return best;
}

static void end(uint32_t i, int64_t died)
{
	objects[live[i]].died = died;
	memmove(&live[i], &live[i + 1], (live_count - i - 1) * sizeof(*live));
	live_count--;
}

bool objects_end(uint64_t address, int64_t died)
{
	for (uint32_t i = live_count; i-- > 0;)
		if (objects[live[i]].address == address) {
			end(i, died);
			return true;
		}
	return false;
}

void objects_end_of(int64_t activation, int64_t died)
{
	for (uint32_t i = live_count; i-- > 0;)
		if (objects[live[i]].place.of == activation)
			end(i, died);
}

struct facts_place objects_place(uint64_t address)
{
	const struct object *o = objects_find(address);
	struct facts_place place = {0};

	if (!o)
		return place;
	place = o->place;
	place.offset = address - o->address;
	return place;
}
