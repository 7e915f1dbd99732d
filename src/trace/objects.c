/* The objects of a run: see objects.h. */
#include "trace/objects.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* A node of the tree: objects that are live do not overlap, so their addresses order them. */
struct live {
	uint64_t address;
	uint64_t end;
	uint32_t number;
	/* of a search, in the key: */
	const struct live *below; /* the last one passed that begins at or before the address */
	const struct live *above; /* the last one passed that begins behind it */
};

void objects_init(struct objects *o)
{
	memset(o, 0, sizeof(*o));
}

void objects_deinit(struct objects *o)
{
	tdestroy(o->live, free);
	vec_deinit(&o->all);
	o->live = NULL;
}

static int by_address(const void *a, const void *b)
{
	const struct live *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* As by_address, and remembers in the key what it passed: tfind() gives no neighbours. */
static int looking(const void *a, const void *b)
{
	struct live *key = (struct live *)a;
	const struct live *node = b;

	if (node->address <= key->address)
		key->below = node;
	else
		key->above = node;
	return by_address(a, b);
}

static bool is_local(const struct object *object)
{
	return object->kind == OBJECT_LOCAL;
}

/* Adds it to the tree. */
static void add_live(struct objects *o, uint32_t number)
{
	const struct object *object = objects_at(o, number);
	struct live *node = mem_alloc(sizeof(*node)), **found;

	node->address = object->address;
	found = tsearch(node, &o->live, by_address);
	if (*found != node)
		free(node);
	(*found)->end = object->address + object->size;
	(*found)->number = number;
}

void objects_own(struct objects *o)
{
	o->live = NULL;
	vec_own(&o->all);
	for (uint32_t i = 0; i < o->all.size; i++)
		if (!o->all.at[i].death && !is_local(&o->all.at[i]))
			add_live(o, i + 1);
}

/* Heap blocks that lie where a new object is were freed by code that we did not see. */
static void end_overlapped(struct objects *o, const struct object *object)
{
	uint64_t at = object->address;
	uint32_t number;

	while ((number = objects_next(o, at))) {
		const struct object *old = objects_at(o, number);

		if (old->address >= object->address + object->size)
			return;
		at = old->address + old->size;
		if (old->kind == OBJECT_HEAP)
			objects_end(o, number, object->birth);
	}
}

uint32_t objects_add(struct objects *o, const struct object *object)
{
	*vec_push(&o->all) = *object;
	if (is_local(object))
		return o->all.size;
	end_overlapped(o, object);
	add_live(o, o->all.size);
	return o->all.size;
}

void objects_end(struct objects *o, uint32_t number, uint32_t death)
{
	struct object *object = objects_at(o, number);
	struct live key = {.address = object->address}, **found, *node;

	object->death = death;
	if (is_local(object))
		return;
	found = tfind(&key, &o->live, by_address);
	if (!found || (*found)->number != number)
		return;
	node = *found;
	tdelete(&key, &o->live, by_address);
	free(node);
}

void objects_resize(struct objects *o, uint32_t number, uint64_t size)
{
	struct object *object = objects_at(o, number);
	struct live key = {.address = object->address}, **found;

	object->size = size;
	found = tfind(&key, &o->live, by_address);
	if (found && (*found)->number == number)
		(*found)->end = object->address + size;
}

static struct live look(struct objects *o, uint64_t address)
{
	struct live key = {.address = address};

	tfind(&key, &o->live, looking);
	return key;
}

uint32_t objects_find(struct objects *o, uint64_t address)
{
	struct live key = look(o, address);

	return key.below && address < key.below->end ? key.below->number : 0;
}

uint32_t objects_next(struct objects *o, uint64_t address)
{
	struct live key = look(o, address);

	if (key.below && address < key.below->end)
		return key.below->number;
	return key.above ? key.above->number : 0;
}
